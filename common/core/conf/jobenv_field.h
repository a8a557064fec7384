/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names and templates of Env=: slurmctld checks them, and jobenv.h fills them in for jobs.
 */
#ifndef MESH_JOBENV_FIELD_H
#define MESH_JOBENV_FIELD_H

#include "base/err.h"

#define JOBENV_NAMES(X) \
	X(NAME) X(DIMS) X(WRAP) X(COORD) X(BOX) X(MEAN_HOPS) X(JOB_BOUNDS) X(JOB_WRAP) \
		X(JOB_COORD) X(JOB_RANK) X(NODE_CHIPS) X(JOB_CHIPS) X(JOB_HOSTS)

enum { JOBENV_NAME = 64 /* a name of Env= is shorter */ };

/* The names without MESH_, and NULL behind the last. */
extern const char *const jobenv_names[];

/* A field in braces. */
struct jobenv_field {
	int which; /* jobenv_names[which] */
	char comma; /* replaces the commas */
	int number; /* N of JOB_CHIPS*N or JOB_WRAP%N; 0: none */
};

/* Parse the field at *at, and move *at behind its brace. 0, or -1 with text. */
int jobenv_field(const char **at, struct jobenv_field *field, struct mesh_err *err);

/* Check the templates of Env=. 0, or -1 with text. Untrusted text. */
int jobenv_check(const char *templates, struct mesh_err *err);

/* Parse NAME= at *at, and move *at behind it. 0, or -1 with text. */
int jobenv_name(const char **at, char name[JOBENV_NAME], struct mesh_err *err);

#endif
