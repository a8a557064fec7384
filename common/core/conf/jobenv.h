/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job is told of its place: the variables of all jobs (MESH_COORD, ...), and what Env= of
 * its mesh makes of them for a runtime:
 *
 *   Env=TPU_TOPOLOGY={JOB_CHIPS:x};TPU_WORKER_ID={JOB_RANK};TPU_WORKER_HOSTNAMES={JOB_HOSTS}
 *
 * A field in braces is one of these variables without MESH_, or JOB_HOSTS, the job's nodes in the
 * order of JOB_RANK. A character behind a colon takes the place of commas. {JOB_CHIPS*2} is the
 * number of the job's chips, times 2; {JOB_WRAP%4} is true in all dimensions for a job of whole
 * cubes of 4 chips a side, and false in all for another.
 */
#ifndef MESH_JOBENV_H
#define MESH_JOBENV_H

#include "base/err.h"
#include "base/mesh.h"
#include "conf/jobenv_field.h"

enum {
	JOBENV_VARIABLES = 12, /* of all jobs */
	/* execve() takes no longer string (MAX_ARG_STRLEN): what would be longer is not there. */
	JOBENV_VALUE = 128 * 1024 - JOBENV_NAME - 1
};

struct jobenv {
	const struct mesh *mesh;
	const int *node; /* [nnodes] the job's nodes in the mesh; 0: not known */
	int nnodes, total; /* and how many it has in all meshes */
	int here; /* one of the mesh, whose tasks are to be told; -1: all of Env= is not there */
	/* Called with each variable, its name without MESH_; or own: of Env=, and with value NULL
	 * not there, as the job lacks a field. Fields JOB_... are there only where its nodes are
	 * all of a box of this mesh; where it is cabled, JOB_RANK and JOB_HOSTS where they are all
	 * of it. */
	void (*set)(void *data, bool own, const char *name, const char *value);
	void *data;
};

/* 0, or -1 when memory is out: some may have been told. */
int jobenv_tell(const struct jobenv *job);

#endif
