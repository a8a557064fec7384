/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of a machine: from Slurm, or from a file with lines
 *
 *	JOB USER HOSTLIST [SECONDS-LEFT|- [SECONDS-RUN|- [PARTITION]]] [pattern=PATTERN]
 *	down - HOSTLIST
 *	drain - HOSTLIST
 *	waiting JOB USER NODES WHY [SECONDS-SINCE] [contiguous|shape=AxBxC] [within=HOSTLIST]
 *		[require=HOSTLIST] [pattern=PATTERN]
 *
 * A job without SECONDS-RUN may not be requeued.
 */
#ifndef SMESH_STATE_H
#define SMESH_STATE_H

#include "conf/topoconf.h"
#include "view/picture.h"

/*
 * Read the state into a picture, without jobs, of a mesh of conf: from the file at path ("-":
 * standard input), or from slurmctld if path is NULL. SMESH_OK, or another code after a message:
 * SMESH_USAGE also where there is no slurm.conf.
 */
int state_take(struct picture *picture, struct topoconf *conf, const char *path);

/*
 * The same for a mesh (name, or NULL: the only one) of a topology.conf, into a zeroed picture,
 * which the caller releases in all cases.
 */
int state_open(struct picture *picture, const char *topology, const char *name, const char *path);

/* --- slurmctld's state, through libslurm's public API (live.c) ------------------------------- */

/* Is slurm.conf there? 0, or -1 with text. Call it once before live_read(). */
int live_find(struct mesh_err *err);

/*
 * Read running jobs and states of nodes into an empty picture of a mesh of conf. Places of conf
 * get the names of the nodes that slurmctld has there. Nodes outside of the mesh are skipped. 0,
 * or -1 with text.
 */
int live_read(struct picture *picture, struct topoconf *conf, struct mesh_err *err);

/* May the caller requeue the jobs of others, as root or SlurmUser? */
bool live_may_requeue(void);

/* The path of the plugin's counters (plugin/shared/mesh_counters.h). 0, or -1 with text. */
int live_counters(char *path, size_t size, struct mesh_err *err);

#endif
