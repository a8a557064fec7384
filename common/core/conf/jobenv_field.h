/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names and templates of Env=, as slurmctld checks them and jobs are told of them (jobenv.h).
 */
#ifndef MESH_JOBENV_FIELD_H
#define MESH_JOBENV_FIELD_H

#include "base/err.h"

#define JOBENV_NAMES(X) \
	X(NAME) X(DIMS) X(WRAP) X(COORD) X(BOX) X(MEAN_HOPS) X(JOB_BOUNDS) X(JOB_WRAP) \
		X(JOB_COORD) X(JOB_RANK) X(NODE_CHIPS) X(JOB_CHIPS) X(JOB_HOSTS)

enum { JOBENV_NAME = 64 /* a name of Env= is shorter */ };

/* The names, without MESH_; NULL ends them. */
extern const char *const jobenv_names[];

/* What stands in braces. */
struct jobenv_field {
	int which; /* jobenv_names[which] */
	char comma; /* what takes the place of commas */
	int number; /* of JOB_CHIPS*N and JOB_WRAP%N; 0: there is none */
};

/* The field whose brace is at *at, which is behind it then. 0, or -1 with text. */
int jobenv_field(const char **at, struct jobenv_field *field, struct mesh_err *err);

/* Templates as Env= has them. 0, or -1 with text. Untrusted. */
int jobenv_check(const char *templates, struct mesh_err *err);

/* NAME= at *at, which is behind it then. 0, or -1 with text. */
int jobenv_name(const char **at, char name[JOBENV_NAME], struct mesh_err *err);

#endif
