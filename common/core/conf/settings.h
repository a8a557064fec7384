/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh_ keys of SchedulerParameters, parsed from their text without a header of Slurm's.
 */
#ifndef MESH_SETTINGS_H
#define MESH_SETTINGS_H

#include "base/arena.h"
#include "conf/jobpattern.h"

struct strategy_ops;
struct topoconf;

/* mesh_strategy_PARTITION= and mesh_pattern_PARTITION=. */
struct mesh_partition_settings {
	char *partition;
	char *strategy; /* its name; NULL: not given */
	const struct strategy_ops *ops;
	struct mesh_pattern pattern;	/* may be unsaid */
};

struct mesh_settings {
	struct arena arena;
	char *libraries; /* paths of strategies, with colons, until they are parsed; or NULL */
	char *strategy; /* its name; NULL: the default */
	const struct strategy_ops *ops;
	struct mesh_pattern pattern; /* what jobs send; never unsaid */
	struct mesh_partition_settings *by_partition; /* [npartitions] */
	int npartitions;
	bool base_linear; /* mesh_base=linear; otherwise cons_tres */
	char *conf;			     /* path, or NULL: topology.conf */
	char *fallback_to; /* a strategy's name, or NULL: wait */
	const struct strategy_ops *fallback;
	int64_t max_wait;		     /* seconds; -1 = infinite */
	int64_t max_time;		     /* microseconds; 0 = no limit */
	int64_t max_cycle;		     /* the same, for all decisions of a cycle */
	unsigned user_options;		     /* MESH_USER_... bits: what users may use */
	bool comment; /* write a remark into AdminComment (remark.h) */
	bool log;     /* log a line for each decision */
	bool span; /* may a job have nodes of two meshes, where no mesh alone has enough? */
	bool tight_plans; /* backfill plans waiting jobs on the nodes that are free last */
};

/*
 * Read the mesh_ keys of a SchedulerParameters line (NULL: empty): only what the text says.
 * Strategies stay names, which need not exist. 0, and mesh_settings_release() the settings; or -1
 * with text and nothing to release.
 */
int mesh_settings_read(const char *line, struct mesh_settings *settings, struct mesh_err *err);
/*
 * The same for a program that has strategies: load libraries, and set the ops of each named
 * strategy. (settings_strategies.c)
 */
int mesh_settings_parse(const char *line, struct mesh_settings *settings, struct mesh_err *err);
/*
 * Does the map, for its cables, or a strategy of parsed settings need extras() (ask/extras.h)?
 * (settings_strategies.c)
 */
bool mesh_settings_need_extras(const struct mesh_settings *settings, const struct topoconf *topo);
/* Name i of the keys (mesh_strategy_PARTITION aside), or NULL past the end. */
const char *mesh_settings_key(int i);
void mesh_settings_release(struct mesh_settings *settings);

/* What jobs of a partition (NULL: any) send; never unsaid. Borrowed. */
const struct mesh_pattern *mesh_settings_pattern(const struct mesh_settings *settings,
	const char *partition);

/* The strategy for jobs of a partition (NULL: any); NULL in settings that were only read. */
const struct strategy_ops *mesh_settings_strategy(const struct mesh_settings *settings,
	const char *partition);

#endif
