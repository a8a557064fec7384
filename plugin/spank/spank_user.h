/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * spank_mesh_user.so: the order of tasks, what is learnt, and boxes of a shape. spank_mesh.so loads
 * it where a job asks for one of these, in srun, sbatch and salloc, and in the user's own task. All
 * of it runs with the user's rights: what slurmstepd runs as root is in spank_mesh.so alone.
 */
#ifndef MESH_SPANK_USER_H
#define MESH_SPANK_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "conf/jobpattern.h"
#include "spank/spank_layout.h"
#include "spank/spank_learn.h"

#define SPANK_RANKS_OPTION "mesh-ranks"
#define SPANK_RANKS_ARGUMENT "order|line|ring|grid:AxBxC[:POINTS]|traffic:FILE|auto|node"
#define SPANK_RANKS_USAGE                                                                       \
	"tasks that talk to each other on nodes that are near each other: consecutive ones"     \
	" (order; line, ring: one hop each), the neighbours on a grid of tasks, the last side"  \
	" fastest (:27: the diagonal ones too), by a file of lines TASK TASK BYTES, or for a"    \
	" program of which nothing is known (auto); node: tasks in the order of nodes"

enum { SPANK_PATH = 1024 };

/* What a record says of the job. */
struct spank_learnt {
	char pattern[MESH_PATTERN_WORD]; /* a value for --mesh-pattern; "": nothing worth saying */
	char ranks[SPANK_PATH + 16];	 /* a value for --mesh-ranks; "": no order is known */
	char text[SPANK_PATH + 128];	 /* for people */
};

/* A step that srun has and has not launched. */
struct spank_step {
	const char *topology; /* path of topology.conf */
	const char *per_node; /* SLURM_TASKS_PER_NODE of the job, before srun made it the step's */
	struct spank_layout *layout;
	bool learnt; /* the order is a record's, and is judged when the step is over */
};

/* A batch script whose programs may be measured. */
struct spank_script {
	const char *name; /* of spank_learn_wanted(); "": the job's */
	const char *job;  /* its name */
	const char *home, *data; /* HOME and XDG_DATA_HOME of its user */
};

/* What the library has. The functions are those of spank_ranks.h and spank_records.h. */
struct spank_user {
	struct spank_user_stamp {
		char version[16];	/* ours */
		uint32_t slurm, size;	/* SLURM_VERSION_NUMBER, and the size of this struct */
	} stamp;
	/*
	 * How many nodes a shape, a value of --mesh-shape, has on the meshes that, idle, have a box
	 * of it. 0: not known here, as the meshes differ or topology.conf cannot be read. -1 with
	 * text: no mesh can hold it.
	 */
	int (*shape_nodes)(const char *topology, const char *shape, struct mesh_err *err);
	int (*ranks_check)(const char *value, struct mesh_err *err);
	int (*ranks_relabel)(
		const char *value, const struct spank_step *step, struct mesh_err *err);
	char *(*ranks_of_shape)(const char *shape);
	char *(*ranks_of_pattern)(const char *pattern, int ntasks);
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

/* The library, loaded once from the directory of this plugin; NULL with text. */
const struct spank_user *spank_user_load(struct mesh_err *err);
/* The library where it has been loaded, or NULL. */
const struct spank_user *spank_user_loaded(void);

#endif
