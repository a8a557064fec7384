/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job is told about its place: variables for all jobs (MESH_COORD, ...), and for a runtime
 * the variables that Env= of its mesh makes of them:
 *
 *   Env=TPU_TOPOLOGY={JOB_CHIPS:x};TPU_WORKER_ID={JOB_RANK};TPU_WORKER_HOSTNAMES={JOB_HOSTS}
 *
 * A field in braces is one of these variables without MESH_, or JOB_HOSTS: the job's nodes in the
 * order of JOB_RANK. A character after a colon replaces the commas. {JOB_CHIPS*2} is twice the
 * number of the job's chips. {JOB_WRAP%4} is true in all dimensions if the job has whole cubes of
 * 4 chips a side, else false in all.
 */
#ifndef MESH_JOBENV_H
#define MESH_JOBENV_H

#include "base/mesh.h"
#include "conf/jobenv_field.h"

enum {
	JOBENV_VARIABLES = 12, /* variables for all jobs */
	/* execve() takes no longer variable (MAX_ARG_STRLEN); a longer one is left out */
	JOBENV_VALUE = 128 * 1024 - JOBENV_NAME - 1
};

struct jobenv {
	const struct mesh *mesh;
	const int *node; /* [nnodes] the job's nodes in the mesh; nnodes 0: not known */
	int nnodes, total; /* the job's nodes in the mesh, and in all meshes */
	int here; /* the node whose tasks are told; -1: only remove what Env= sets */
	/* Called with each variable and its name without MESH_. own: the variable is of Env=, and
	 * value NULL removes it, as the job lacks a field. Fields JOB_... need all of the job's
	 * nodes in one box of this mesh; on a cabled mesh JOB_RANK and JOB_HOSTS need them all in
	 * this mesh. */
	void (*set)(void *data, bool own, const char *name, const char *value);
	void *data;
};

/* Call set() for all variables. 0, or -1 when memory is out: some may have been set. */
int jobenv_tell(const struct jobenv *job);

#endif
