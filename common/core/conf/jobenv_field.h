/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Templates of Env=, for jobenv.c and jobenv_field.c.
 */
#ifndef MESH_JOBENV_FIELD_H
#define MESH_JOBENV_FIELD_H

#include "conf/jobenv.h"

#define JOBENV_NAMES(X) \
	X(NAME) X(DIMS) X(WRAP) X(COORD) X(BOX) X(MEAN_HOPS) X(JOB_BOUNDS) X(JOB_WRAP) \
		X(JOB_COORD) X(JOB_RANK) X(NODE_CHIPS) X(JOB_CHIPS) X(JOB_HOSTS)
#define JOBENV_NUMBER(name) name,
enum { JOBENV_NAMES(JOBENV_NUMBER) FIELDS };

/* What stands in braces. */
struct jobenv_field {
	int which;
	char comma; /* what takes the place of commas */
	int number; /* of JOB_CHIPS*N and JOB_WRAP%N; 0: there is none */
};

/* The field whose brace is at *at, which is behind it then. 0, or -1 with text. */
int jobenv_field(const char **at, struct jobenv_field *field, struct mesh_err *err);

/* NAME= at *at, which is behind it then. 0, or -1 with text. */
int jobenv_name(const char **at, char name[JOBENV_NAME], struct mesh_err *err);

#endif
