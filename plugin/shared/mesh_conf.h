/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the administrator wrote: the mesh_ keys of SchedulerParameters and the mesh lines of
 * topology.conf, the latter tied to slurmctld's node table.
 *
 * Read at start, when any error is fatal, and at `scontrol reconfigure`, when an error is
 * logged once and what was in use stays in use. All of it is read and changed under
 * slurmctld's node write lock and job write lock.
 */
#ifndef MESH_CONF_H
#define MESH_CONF_H

#include "compat/slurm_compat.h"

#include "config/settings.h"
#include "strategy/strategy.h"
#include "config/topoconf.h"

/* What a strategy answered last. */
struct mesh_last {
	const struct strategy_ops *ops; /* NULL: nothing yet */
	struct mesh_request request;
	struct nodeset free; /* of these nodes */
	int *node, count;    /* [mesh->nnodes]; those it chose */
};

/* One mesh and its nodes in slurmctld's table. */
struct mesh_part {
	const struct mesh *mesh;
	int *slurm_node;	    /* [mesh->nnodes] index in the node table, or -1: a hole */
	int *fresh;		    /* [mesh->nnodes], scratch: the same as it has become */
	int holes;		    /* nodes that slurmctld does not know */
	bitstr_t *nodes;	    /* the same as a set */
	struct strategy **strategy; /* one a row of the strategies' table, or NULL: not yet made */
	struct nodeset free, usable, required; /* scratch for one decision */
	int *answer;		    /* [mesh->nnodes], the same */
	struct mesh_last last;
};

struct mesh_conf {
	struct mesh_settings settings;
	struct topoconf *topo;
	struct mesh_part *part; /* [topo->nmeshes] */
	int *part_of;		/* [nnodes] per node of the table: its mesh, or -1 */
	int *position;		/* [nnodes] its node number there */
	bitstr_t *mapped;	/* the nodes of all meshes */
	int nnodes;
	bool over_linear; /* the stock plugin underneath is select/linear */
};

/* mesh_base=linear? Asked before anything else can be read. */
bool mesh_conf_base_linear(const char *sched_params);

/* slurmctld has read its configuration; what is underneath does not change any more. */
void mesh_conf_load(bool over_linear);
/* The same for who only tells where nodes are, where another plugin chooses and complains. */
void mesh_conf_follow(void);
/* Nodes have come or gone. */
void mesh_conf_remap(void);
/* The same where nobody tells us, looked at once a second: has any? */
bool mesh_conf_refresh(void);
void mesh_conf_fini(void);

/* The vertex that a node is on, and in which mesh; -1: in none. */
int mesh_conf_place(const node_record_t *node, const struct mesh **mesh);
/* The mesh of that name, or NULL. */
struct mesh_part *mesh_conf_part(const char *name);

/* What is in use; never NULL after a successful start. */
struct mesh_conf *mesh_conf(void);

/* Is a line wanted for each decision? mesh_log=yes, or DebugFlags=SelectType. */
bool mesh_conf_logs(void);

/* The strategy of row ops, bound to the part. NULL with text when it cannot be made. */
struct strategy *mesh_conf_strategy(struct mesh_part *part, const struct strategy_ops *ops,
	struct mesh_err *err);

#endif
