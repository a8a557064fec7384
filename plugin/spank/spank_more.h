/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * spank_mesh_more.so: what few jobs need. Orders by traffic, grids, rows and walks; boxes of a
 * shape; and what is learnt. spank_mesh.so and spank_mesh_user.so load it.
 */
#ifndef MESH_SPANK_MORE_H
#define MESH_SPANK_MORE_H

#include <stdbool.h>

#include "ask/mesh_shape.h"
#include "conf/jobpattern.h"
#include "spank/spank_user.h"

struct spank_learn_site;
struct topoconf;
struct traffic_grid;

enum { SPANK_MORE_PATH = 1024 };

/* What a record says of a job. */
struct spank_more_learnt {
	char pattern[MESH_PATTERN_WORD];  /* a value for --mesh-pattern; "": nothing worth saying */
	char ranks[SPANK_MORE_PATH + 16]; /* a value for --mesh-ranks; "": no order is known */
	char text[SPANK_MORE_PATH + 128]; /* for people */
	int nranks;
};

/* A batch script whose programs may be measured. */
struct spank_more_script {
	const char *name; /* from spank_learn_wanted(); "": the job's name */
	const char *job;  /* the job's name */
	const char *home, *data; /* the user's HOME and XDG_DATA_HOME */
};

/* Nodes of one mesh. */
struct spank_more_nodes {
	const struct mesh *mesh;
	const int *node; /* [n] */
	int n;
};

/* Tasks that are to be mapped to nodes by what they send each other. */
struct spank_more_mapping {
	struct spank_more_nodes nodes;
	int per_node;
	int behind; /* ranks behind each task that is a proxy; 1: a task is a rank */
	const struct traffic_grid *grid; /* of the ranks; NULL: path has their traffic */
	const char *path;
	bool learnt; /* the order is judged when the step is over */
	int *place;  /* [n * per_node] out: an index into node[] */
};

struct spank_more {
	struct spank_user_stamp stamp;
	/*
	 * The number of nodes of a shape, on meshes that have a box of it when they are idle. 0:
	 * unknown, as meshes differ. -1 with text: no mesh can hold it.
	 */
	int (*shape_nodes)(const struct topoconf *conf, const struct mesh_shape *shape,
		struct mesh_err *err);
	/* Order the nodes, each near the one before, or along a walk. 0, or -1 with text. */
	int (*order)(const struct spank_more_nodes *nodes, enum walk_kind walk, int *order,
		struct mesh_err *err);
	/* Parse a grid (ranks/traffic.h). Returns its ranks, or -1 with text. */
	int (*grid_parse)(struct traffic_grid *grid, const char *text, struct mesh_err *err);
	/* Can a file of traffic among so many ranks be read? 0, or -1 with text. */
	int (*traffic_check)(const char *path, int ranks, struct mesh_err *err);
	int (*map)(const struct spank_more_mapping *mapping, struct mesh_err *err);
	/* See spank_records.h. */
	bool (*learn_find)(const struct spank_learn_site *site, const char *name,
		struct spank_more_learnt *learnt);
	int (*learn_measure)(
		const struct spank_learn_site *site, const char *name, struct mesh_err *err);
	int (*learn_script)(const struct spank_learn_site *site,
		const struct spank_more_script *script, char prefix[SPANK_MORE_PATH],
		struct mesh_err *err);
	void (*learn_collect)(void);
};

extern const struct spank_more spank_more;

/* Load the library, once. NULL with text. */
const struct spank_more *spank_more_load(struct mesh_err *err);

#endif
