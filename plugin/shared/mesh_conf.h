/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the administrator wrote: the mesh_ keys of SchedulerParameters, and the mesh lines of
 * topology.conf with their nodes in slurmctld's node table.
 *
 * slurmctld reads both at its start, where an error ends it, and at `scontrol reconfigure`, where
 * an error is logged once and the old configuration stays in use. A slurmctld that stands by reads
 * both at its start and when it takes over; it logs an error and runs without a map. So does a
 * slurmctld that `scontrol reconfigure` has started anew in the foreground.
 *
 * Changes, and questions to strategies, need slurmctld's node write lock. Other threads read under
 * the read lock, several at once.
 */
#ifndef MESH_CONF_H
#define MESH_CONF_H

#include "compat/slurm_compat.h"

#include "conf/settings.h"
#include "decide/span.h"
#include "ask/strategy.h"
#include "conf/topoconf.h"

/*
 * The last answer of a strategy that looks at free nodes alone, in case the question comes again.
 */
struct mesh_conf_last {
	const struct strategy_ops *ops; /* NULL: nothing yet */
	struct mesh_request request;
	struct nodeset free; /* the nodes that were free */
	int *node, count;    /* [mesh->nnodes] the nodes it chose */
};

/* One mesh and its nodes in slurmctld's table. */
struct mesh_part {
	const struct mesh *mesh;
	int *slurm_node; /* [mesh->nnodes] index in the node table; negative: a hole */
	int holes;		    /* the number of nodes that slurmctld does not know */
	bitstr_t *nodes;	    /* slurm_node[] as a set */
	struct strategy **strategy; /* [rows of the strategies' table]; NULL: not yet made */
	struct nodeset free, required; /* scratch for one decision */
	int *answer;		    /* [mesh->nnodes] scratch for one decision */
	float *best; /* [mesh->nnodes + 1] mean hops of so many nodes at best; 0: not yet known */
	struct mesh_conf_last last;
};

struct mesh_conf {
	struct mesh_settings settings;
	struct topoconf *topo;
	struct arena arena; /* the memory of the parts */
	struct mesh_part *part; /* [topo->nmeshes] */
	int **fresh; /* [topo->nmeshes][mesh->nnodes] scratch: what slurm_node[] becomes */
	struct span_mesh *span; /* [topo->nmeshes] refers to free and answer of each part */
	int *part_of; /* [nnodes] the index in part[] of each node of the table, or -1 */
	int *position;		/* [nnodes] the number that the node has in its mesh */
	bitstr_t *mapped;	/* the nodes of all meshes */
	int nnodes;
	uint64_t hash;		/* topoconf_hash() of the map */
	uint64_t table;		/* hash of the node table that the meshes are tied to; 0: none */
	uint64_t displaced;	/* hash of the names that tell_displaced() has logged last */
	bool over_linear; /* the stock plugin is select/linear */
};

/*
 * Read the mesh lines into a new struct: those of the file that mesh_conf= names, or of
 * topology.conf beside slurm.conf. NULL with text.
 */
struct topoconf *mesh_conf_read(const struct mesh_settings *settings, struct mesh_err *err);

/*
 * Check the configuration before slurmctld has read its nodes, or while it stands by. What an
 * error does is said above. A slurmctld that stands by also logs if its map differs from the map
 * of the one that had control last.
 */
void mesh_conf_check(void);
/*
 * Read everything, after slurmctld has read its own configuration. over_linear: the stock plugin
 * that was loaded is select/linear.
 */
void mesh_conf_load(bool over_linear);
/*
 * The same for a plugin that only tells where nodes are. Errors are logged at debug level: another
 * plugin chooses nodes and reports them.
 */
void mesh_conf_follow(void);
/*
 * Tie the meshes to the node table anew if nodes have come, gone or changed their Topology=. A
 * node whose Topology= names the place of another loses it, with a line in the log.
 */
void mesh_conf_remap(void);
/*
 * The same, at most once a second, as Slurm does not tell of every change. Call it at each
 * decision. Is there a configuration, for a node table as long as this bitmap?
 */
bool mesh_conf_fits(bitstr_t *nodes);
/* The plugin is unloaded: free everything. */
void mesh_conf_fini(void);

/* The vertex of a node, and its mesh in *mesh. -1: the node is in no mesh. */
int mesh_conf_place(const node_record_t *node, const struct mesh **mesh);
/* The part whose mesh has this name, or NULL. */
struct mesh_part *mesh_conf_part(const char *name);
/* Remove the nodes that are not in a mesh of this type; "": remove none. */
void mesh_conf_keep_type(bitstr_t *nodes, const char *type);
/* Set `set` to those of the nodes that are in the part, in the numbers of its mesh. */
void mesh_conf_members(const struct mesh_part *part, bitstr_t *nodes, struct nodeset *set);
/* Does some mesh hold all of these nodes? */
bool mesh_conf_holds(bitstr_t *nodes);

/* The configuration in use. NULL before the first read, and where slurmctld runs without a map. */
struct mesh_conf *mesh_conf(void);

/* How often meshes were tied to the node table. Data from before the last time is invalid. */
unsigned mesh_conf_ties(void);

/* Does the site want a log line for each decision (mesh_log=yes, or DebugFlags=SelectType)? */
bool mesh_conf_logs(void);

/*
 * The part's strategy `ops`, made at the first call; the part owns it. NULL with text on failure.
 */
struct strategy *mesh_conf_strategy(struct mesh_part *part, const struct strategy_ops *ops,
	struct mesh_err *err);

#endif
