/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurm.conf says that concerns us, read as Slurm reads it.
 */
#ifndef SLURMCONF_H
#define SLURMCONF_H

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
	const char *name, *nodes; /* what its Nodes= say, or that of DEFAULT; NULL: nothing */
	struct conffile_place at;
};

/* NodeSet= */
struct slurmconf_set {
	const char *name, *nodes, *feature; /* NULL: not said */
};

/* Zeroed: nothing was read. Values are NULL where there is no line for them. */
struct slurmconf {
	struct arena arena; /* the caller's to release; has all of it */
	char *cluster, *select_type, *select_parameters, *parameters, *topology_plugin,
		*plugin_dir, *state_dir, *auth_type, *slurm_user, *slurmctld_parameters;
	struct conffile_place parameters_at;
	int ncontrollers; /* SlurmctldHost=, or ControlMachine= and BackupController= */
	bool controls_here; /* one of them is this host */
	struct slurmconf_node *node; /* [nnodes] by name; one that is given twice is there twice */
	int nnodes;
	struct slurmconf_partition *partition; /* [npartitions] */
	int npartitions;
	struct slurmconf_set *set; /* [nsets] */
	int nsets;
	/* While it is read: what the lines for DEFAULT say. */
	const char *default_nodes, *default_features;
	struct mesh_err *err;
	struct conffile_place at;
};

/* Read a file with those that it includes. 0, or -1 with `FILE:LINE: what is wrong`. What Slurm
 * would not take is passed over: startup.h tells. */
int slurmconf_read(struct slurmconf *c, const char *path, struct mesh_err *err);

/* Is host (or HOST(ADDRESS)) the one that this runs on? */
bool slurmconf_is_here(const char *host);

/* The index of a node, or -1. */
int slurmconf_find(const struct slurmconf *c, const char *name);

/* The index of the first partition of that name, or npartitions. */
int slurmconf_partition(const struct slurmconf *c, const char *name);

/*
 * The nodes of a partition, by their indices, in a new set. 0; -1 when memory is out; or 1 with
 * text: a name is neither a node's nor a node set's.
 */
int slurmconf_nodes(struct slurmconf *c, const struct slurmconf_partition *partition,
	struct nodeset *set, struct mesh_err *err);

#endif
