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
#ifndef MAP_STATE_H
#define MAP_STATE_H

#include "conf/topoconf.h"
#include "view/picture.h"

/*
 * Into a picture of a mesh of conf, without jobs: the file at path ("-": standard input), or
 * slurmctld's state when path is NULL. SMESH_OK, or another code after a message.
 */
int state_take(struct picture *picture, struct topoconf *conf, const char *path);

/*
 * The same of a mesh (name, or the only one) of a topology.conf, into a picture that is zeroed; the
 * caller releases it in all cases.
 */
int state_open(
	struct picture *picture, const char *topology, const char *name, const char *path);

/* --- slurmctld's, through libslurm's public API (live.c) ------------------------------------ */

/*
 * Running jobs and the states of nodes into an empty picture of a mesh of conf, whose places get
 * the names of the nodes that slurmctld has there. Nodes outside the mesh are passed over. 0, or -1
 * with text.
 */
int live_read(struct picture *picture, struct topoconf *conf, struct mesh_err *err);

/* May who asks requeue the jobs of others: root, or SlurmUser? */
bool live_may_requeue(void);

/* Where slurmctld writes the plugin's counters (plugin/shared/mesh_counters.h). 0, or -1 with
 * text. */
int live_counters(char *path, size_t size, struct mesh_err *err);

#endif
