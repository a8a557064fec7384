/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The settings of slurm.conf that matter here, read as Slurm reads them.
 */
#ifndef SMESH_SLURMCONF_H
#define SMESH_SLURMCONF_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/conffile.h"
#include "base/err.h"
#include "base/nodeset.h"

struct slurmconf_node {
	char *name;
	const char *features; /* NULL: none */
	struct conffile_place at;
};

struct slurmconf_partition {
	const char *name, *nodes; /* Nodes= of its lines, or of DEFAULT; NULL: none */
	struct conffile_place at;
};

/*
 * Keys of other plugins without which slurmctld ends. Values are a name or a list of names, which
 * may leave out their kind.
 */
enum { SLURMCONF_PLUGINS = 17 };
extern const struct slurmconf_plugin {
	const char *key, *kind;
} slurmconf_plugins[SLURMCONF_PLUGINS];

/* A line for a key that has one value: where it is. */
struct slurmconf_line {
	const char *key; /* as in the tables, however it is written */
	struct conffile_place at;
};

/* NodeSet= */
struct slurmconf_set {
	const char *name, *nodes, *feature; /* NULL: not given */
};

/* A zeroed struct is empty. A value is NULL if there is no line for it. */
struct slurmconf {
	struct arena arena; /* owns everything; the caller releases it */
	char *cluster, *select_type, *select_parameters, *parameters, *topology_plugin,
		*plugin_dir, *state_dir, *auth_type, *slurm_user, *slurmctld_parameters,
		*plugstack, *topology_param;
	char *plugins[SLURMCONF_PLUGINS]; /* of slurmconf_plugins */
	struct slurmconf_line *line; /* [nlines] of the keys above, in their order */
	int nlines;
	int ncontrollers; /* SlurmctldHost=, or ControlMachine= and BackupController= */
	bool controls_here; /* one of the controllers is this host */
	struct slurmconf_node *node; /* [nnodes] by name; a node given twice is there twice */
	int nnodes;
	struct slurmconf_partition *partition; /* [npartitions] */
	int npartitions;
	struct slurmconf_set *set; /* [nsets] */
	int nsets;
	bool bad; /* lines have a wrong list of nodes; a message has told of each */
	/* While the file is read: the values of the lines for DEFAULT. */
	const char *default_nodes, *default_features;
	struct mesh_err *err;
	struct conffile_place at;
};

/*
 * Read a file and the files that it includes. 0, or -1 with `FILE:LINE: what is wrong`: a file
 * cannot be read. Lines that Slurm would not take are skipped; startup.h tells of them.
 */
int slurmconf_read(struct slurmconf *c, const char *path, struct mesh_err *err);

/* The last line for a key, the one that counts for Slurm; NULL: none. */
const struct slurmconf_line *slurmconf_line(const struct slurmconf *c, const char *key);

/* Is host (or HOST(ADDRESS)) this host? */
bool slurmconf_is_here(const char *host);

/* The index of the first partition with this name, or npartitions. */
int slurmconf_partition(const struct slurmconf *c, const char *name);

/*
 * Make a new set of the indices of a partition's nodes. 0, or -1 with text: a name is neither a
 * node's nor a node set's.
 */
int slurmconf_nodes(struct slurmconf *c, const struct slurmconf_partition *partition,
	struct nodeset *set, struct mesh_err *err);

#endif
