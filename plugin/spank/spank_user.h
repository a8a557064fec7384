/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * spank_mesh_user.so: the order of tasks, what is learnt, and boxes of a shape. spank_mesh.so
 * loads it in srun, sbatch, salloc and the user's own task, if the job asks for one of these. All
 * of it runs with the user's rights. What slurmstepd runs as root is in spank_mesh.so alone.
 */
#ifndef MESH_SPANK_USER_H
#define MESH_SPANK_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "ask/mesh_shape.h"
#include "base/err.h"
#include "conf/jobpattern.h"
#include "spank/spank_layout.h"
#include "spank/spank_learn.h"
#include "spank/spank_map.h"

#define SPANK_RANKS_OPTION "mesh-ranks"
#define SPANK_RANKS_ARGUMENT                                                                    \
	"order|line|ring|grid:AxBxC[*W][:...]|traffic:FILE|auto|node"
#define SPANK_RANKS_USAGE                                                                       \
	"tasks that talk to each other on nodes that are near each other: consecutive ones"     \
	" (order; line, ring: one hop each), the neighbours on a grid of tasks, the last side"  \
	" fastest (16x8*4: 4 times as much along 8; :27: the diagonal ones too; :torus:"        \
	" periodic), by a file of lines TASK TASK BYTES, or for a program of which nothing is"  \
	" known (auto); node: tasks in the order of nodes"

enum { SPANK_PATH = 1024 };

/* What a record says of a job. */
struct spank_learnt {
	char pattern[MESH_PATTERN_WORD]; /* a value for --mesh-pattern; "": nothing worth saying */
	char ranks[SPANK_PATH + 16];	 /* a value for --mesh-ranks; "": no order is known */
	char text[SPANK_PATH + 128];	 /* for people */
};

/* A step that srun has made and not launched. */
struct spank_step {
	struct spank_map *map;
	const char *per_node; /* the job's SLURM_TASKS_PER_NODE, not its step's */
	struct spank_layout *layout;
	bool learnt; /* the order comes from a record, and is judged when the step is over */
	bool blocks; /* each task stands for the ranks of its node, which follow each other */
};

/* A script's host file for mpirun. It is in memory, and lives as long as the script. */
struct spank_hostfile {
	int file;      /* where to write it; -1: into a new one */
	char path[64]; /* for the script; "": none is needed, the order is that of the nodes */
};

/* A batch script whose programs may be measured. */
struct spank_script {
	const char *name; /* from spank_learn_wanted(); "": the job's name */
	const char *job;  /* the job's name */
	const char *home, *data; /* the user's HOME and XDG_DATA_HOME */
};

/* The functions of the library: see spank_ranks.h and spank_records.h. */
struct spank_user {
	struct spank_user_stamp {
		char version[16];	/* this project's version */
		uint32_t slurm, size;	/* SLURM_VERSION_NUMBER, and the size of this struct */
	} stamp;
	/*
	 * The number of nodes of a shape, on meshes that have a box of it when they are idle. 0:
	 * unknown, as meshes differ. -1 with text: no mesh can hold it.
	 */
	int (*shape_nodes)(const struct topoconf *conf, const struct mesh_shape *shape,
		struct mesh_err *err);
	int (*ranks_check)(const char *value, struct mesh_err *err);
	int (*ranks_relabel)(
		const char *value, const struct spank_step *step, struct mesh_err *err);
	int (*ranks_hostfile)(const char *value, const struct spank_step *step,
		struct spank_hostfile *hosts, struct mesh_err *err);
	bool (*learn_find)(const struct spank_learn_site *site, const char *name,
		struct spank_learnt *learnt);
	int (*learn_measure)(
		const struct spank_learn_site *site, const char *name, struct mesh_err *err);
	int (*learn_script)(const struct spank_learn_site *site, const struct spank_script *script,
		char prefix[SPANK_PATH], struct mesh_err *err);
	void (*learn_collect)(void);
};

#define SPANK_USER_SYMBOL "spank_user"
#define SPANK_USER_STAMP {MESH_VERSION, SLURM_VERSION_NUMBER, sizeof(struct spank_user)}

/* Load the library from this plugin's directory, once. NULL with text. */
const struct spank_user *spank_user_load(struct mesh_err *err);
/* The library if it is loaded, or NULL. */
const struct spank_user *spank_user_loaded(void);

#endif
