/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job is told of its place: the variables of all jobs (MESH_COORD, ...), and what Env= of
 * its mesh makes of them for a runtime:
 *
 *   Env=TPU_TOPOLOGY={JOB_CHIPS:x};TPU_WORKER_ID={JOB_RANK};TPU_WORKER_HOSTNAMES={JOB_HOSTS}
 *
 * A field in braces is one of these variables without MESH_, or JOB_HOSTS, the job's nodes in the
 * order of JOB_RANK. A character behind a colon takes the place of commas.
 */
#ifndef MESH_JOBENV_H
#define MESH_JOBENV_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mesh.h"

enum {
	JOBENV_NAME = 64, /* a name of Env= is shorter */
	/* execve() takes no longer string (MAX_ARG_STRLEN): what would be longer is not there. */
	JOBENV_VALUE = 128 * 1024 - JOBENV_NAME - 2
};

/* The variables of all jobs, without MESH_, and last JOB_HOSTS, which only Env= may name. */
enum { JOBENV_VARIABLES = 12, JOBENV_FIELDS };
extern const char *const jobenv_names[JOBENV_FIELDS];

struct jobenv {
	/* By number of name; NULL or empty: this job has no such variable. */
	char *value[JOBENV_FIELDS];
	bool whole; /* the job's nodes are all of a box */
	char text[JOBENV_VARIABLES][MESH_MAX_DIMS * 16];
};

/*
 * Of node `here` in a job that has node[nnodes] of the mesh (0: not known). 0, or -1 when memory is
 * out; jobenv_release() either way.
 */
int jobenv_init(
	struct jobenv *job, const struct mesh *mesh, const int *node, int nnodes, int here);
void jobenv_release(struct jobenv *job);

/* Templates as Env= has them. 0, or -1 with text. Untrusted. */
int jobenv_check(const char *templates, struct mesh_err *err);

/*
 * Give set() what templates that have passed jobenv_check() make; value NULL: nothing, as the job
 * lacks a field. Fields JOB_... are there only where its nodes are all of a box. 0, or -1 when
 * memory is out.
 */
int jobenv_expand(const struct jobenv *job, const char *templates,
	void (*set)(void *data, const char *name, const char *value), void *data);

#endif
