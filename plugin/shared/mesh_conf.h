/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the administrator wrote: the mesh_ keys of SchedulerParameters and the mesh lines of
 * topology.conf, the latter tied to slurmctld's node table.
 *
 * Read at start, when an error ends slurmctld, and at `scontrol reconfigure`, when an error is
 * logged once and what was in use stays in use. A slurmctld that stands by reads it at its start
 * and when it takes over: an error is logged, and it runs without a map, as does one that `scontrol
 * reconfigure` has started anew in the foreground. All of it is changed, and strategies are asked,
 * under slurmctld's node write lock; others read it under the read lock, several at once.
 */
#ifndef MESH_CONF_H
#define MESH_CONF_H

#include "compat/slurm_compat.h"

#include "conf/settings.h"
#include "decide/span.h"
#include "ask/strategy.h"
#include "conf/topoconf.h"

/* The last answer of a strategy that looks at the free nodes alone, for the same question again. */
struct mesh_last {
	const struct strategy_ops *ops; /* NULL: nothing yet */
	struct mesh_request request;
	struct nodeset free; /* the nodes that were free */
	int *node, count;    /* [mesh->nnodes] the nodes it chose */
};

/* One mesh and its nodes in slurmctld's table. */
struct mesh_part {
	const struct mesh *mesh;
	int *slurm_node;	    /* [mesh->nnodes] index in the node table, or -1: a hole */
	int *fresh; /* [mesh->nnodes] scratch: slurm_node[] by the node table as it is now */
	int holes;		    /* nodes that slurmctld does not know */
	bitstr_t *nodes;	    /* slurm_node[] as a set */
	struct strategy **strategy; /* for each row of the strategies' table; NULL: not yet made */
	struct nodeset free, required; /* scratch for one decision */
	int *answer;		    /* [mesh->nnodes] scratch too */
	struct mesh_last last;
};

struct mesh_conf {
	struct mesh_settings settings;
	struct topoconf *topo;
	struct arena arena; /* of the parts */
	struct mesh_part *part; /* [topo->nmeshes] */
	struct span_mesh *span; /* [topo->nmeshes] free[] and answer[] of each part */
	int *part_of; /* [nnodes] of each node of the table: the index of its part, or -1 */
	int *position;		/* [nnodes] its node number in that mesh */
	bitstr_t *mapped;	/* the nodes of all meshes */
	int nnodes;
	uint64_t hash;		/* of the map itself */
	uint64_t table;		/* hash of the node table that the meshes are tied to; 0: none yet */
	uint64_t displaced;	/* hash of the names that tell_displaced() told last */
	bool over_linear; /* the stock plugin underneath is select/linear */
};

/*
 * Read the mesh_ keys of SchedulerParameters into *settings, and the mesh lines of the file that
 * they name (topology.conf beside slurm.conf otherwise) into a new struct: mesh_settings_release()
 * and topoconf_free() them. NULL with text, and nothing to release then. For whichever plugin.
 */
struct topoconf *mesh_conf_read(struct mesh_settings *settings, struct mesh_err *err);

/* Does SchedulerParameters have mesh_base=linear? Asked before anything else can be read. */
bool mesh_conf_base_linear(const char *sched_params);

/*
 * Is there anything wrong? Before slurmctld has read its nodes, or waits for another to fail: what
 * an error does is said above. Another map than that of who has control is one more line.
 */
void mesh_conf_check(void);
/* Read everything, when slurmctld has read its own configuration. over_linear: what base was
 * loaded. */
void mesh_conf_load(bool over_linear);
/* The same for a plugin that only tells where nodes are: another one chooses, and reports the
 * errors. */
void mesh_conf_follow(void);
/* Tie the meshes to the node table anew if nodes have come or gone, or say to be elsewhere. Who says
 * to be at a place that another has is refused with a line in the log. */
void mesh_conf_remap(void);
/* The same; to be called at each decision, as Slurm does not always tell. It looks once a second. */
void mesh_conf_refresh(void);
/* Free everything: the plugin is unloaded. */
void mesh_conf_fini(void);

/* The vertex that a node is on, and its mesh in *mesh; -1: it is in none. */
int mesh_conf_place(const node_record_t *node, const struct mesh **mesh);
/* The mesh of that name, or NULL. */
struct mesh_part *mesh_conf_part(const char *name);
/* Take the nodes out that are not in a mesh of this type; "": none. */
void mesh_conf_keep_type(bitstr_t *nodes, const char *type);
/* Does one mesh hold all of these nodes? */
bool mesh_conf_holds(bitstr_t *nodes);

/* What is in use. NULL before it is first read, and where a slurmctld runs without a map (see
 * above). */
struct mesh_conf *mesh_conf(void);

/* How often meshes have been tied to the node table: what was worked out of them before is not valid
 * any more. */
unsigned mesh_conf_ties(void);

/* Is a line wanted for each decision? mesh_log=yes, or DebugFlags=SelectType. */
bool mesh_conf_logs(void);

/* The strategy of row ops, bound to the part. NULL with text when it cannot be made. */
struct strategy *mesh_conf_strategy(struct mesh_part *part, const struct strategy_ops *ops,
	struct mesh_err *err);

#endif
