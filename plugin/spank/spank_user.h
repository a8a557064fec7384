/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * spank_mesh_user.so: the order of tasks. spank_mesh.so loads it in srun, sbatch, salloc and the
 * user's own task, if the job or the site asks for an order. Most of these want auto; for the
 * others it loads spank_mesh_more.so (spank_more.h). All of both runs with the user's rights. What
 * slurmstepd runs as root is in spank_mesh.so alone.
 */
#ifndef MESH_SPANK_USER_H
#define MESH_SPANK_USER_H

#include <stdbool.h>

#include "base/mesh.h"
#include "spank/spank_layout.h"
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

/*
 * The beginning of the one table that a library of spank_mesh.so's has: is it of the same version,
 * for the same Slurm? Two builds of a version that is not released may differ all the same.
 */
struct spank_user_stamp {
	char version[16]; /* this project's version */
	uint32_t slurm;	  /* SLURM_VERSION_NUMBER */
	uint32_t size[3]; /* of the table, and of structs that both sides see */
};

/* For files that include Slurm's headers. */
#define SPANK_USER_STAMP(table)                                                              \
	{MESH_VERSION, SLURM_VERSION_NUMBER,                                                 \
		{sizeof(table), sizeof(struct mesh), sizeof(struct spank_map)}}

/* A step that srun has made and not launched. */
struct spank_user_step {
	struct spank_map *map;
	const char *per_node; /* the job's SLURM_TASKS_PER_NODE, not its step's */
	struct spank_layout *layout;
	int learnt;  /* the ranks of the record that the order comes from; 0: it is the user's */
	bool blocks; /* each task stands for the ranks of its node, which follow each other */
};

/* A script's host file for mpirun. It is in memory, and lives as long as the script. */
struct spank_user_hostfile {
	int file;      /* where to write it; -1: into a new one */
	char path[64]; /* for the script; "": none is needed, the order is that of the nodes */
};

struct spank_user {
	struct spank_user_stamp stamp;
	/*
	 * Check the value together with the other options, at submission. A grid of another number
	 * of tasks is refused, and a file that cannot be read. 0, or -1 with text.
	 */
	int (*ranks_check)(const char *value, struct mesh_err *err);
	/*
	 * In an srun that has a step and has not launched it: compute which node runs which task,
	 * and exchange the tasks in the step's layout. Each node keeps its number of tasks. 0; 1
	 * with text: no map can be read here; -1 with text. Nothing is changed unless it returns 0.
	 */
	int (*ranks_relabel)(
		const char *value, const struct spank_user_step *step, struct mesh_err *err);
	/*
	 * For mpirun in a script: a file with the node of each rank, a line each; nodes have blocks
	 * of ranks, in order. The step has no layout, and the job's hosts in its map. Called in the
	 * process that becomes the script. Returns what ranks_relabel() does.
	 */
	int (*ranks_hostfile)(const char *value, const struct spank_user_step *step,
		struct spank_user_hostfile *hosts, struct mesh_err *err);
};

extern const struct spank_user spank_user;

/* Load the library, once. NULL with text. */
const struct spank_user *spank_user_load(struct mesh_err *err);

#endif
