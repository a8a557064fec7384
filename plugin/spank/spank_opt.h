/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the SPANK plugin wants to know of slurm.conf, and of what srun, sbatch or salloc was told on
 * its command line. By itself, since spank.h and Slurm's internal headers cannot be included
 * together.
 */
#ifndef MESH_SPANK_OPT_H
#define MESH_SPANK_OPT_H

#include <stdbool.h>

/* SchedulerParameters, or NULL. */
const char *spank_opt_params(void);
/* topology.conf beside slurm.conf, as a new string of malloc(); NULL when memory is out. */
char *spank_opt_topology(void);
/* Is topology/mesh the TopologyPlugin? */
bool spank_opt_topology_mesh(void);

struct spank_opt {
	bool srun;	/* and not sbatch or salloc */
	bool nodelist;	/* -w, or SLURM_HOSTFILE */
	bool proxies;	/* srun starts the proxies of Hydra's mpiexec, one on each node */
	bool arbitrary;	/* --distribution=arbitrary: tasks go by a list of nodes */
	int ntasks;	/* 0: not said */
	int nodes;	/* -N, the least; 0: not said */
	int most_nodes; /* and the most; 0: any */
	int per_node;	/* --ntasks-per-node; 0: not said */
	const char *name; /* of the job; NULL: not known */
	const char *partitions; /* of the job; NULL: not said */
	int argc;	  /* of the command that srun starts */
	char *const *argv;
};

/* Is this a proxy of Hydra's mpiexec? NULL: no. */
bool spank_opt_is_proxy(const char *program);

/* False in other programs. After the options have been read. */
bool spank_opt_read(struct spank_opt *out);

/*
 * Ask for so many nodes, no more and no fewer, as -N would: where a job is submitted, and nobody
 * has said -N. From slurm_spank_init_post_opt() too.
 */
void spank_opt_ask_nodes(int nodes);

/* Let this srun start so many tasks, where nobody has said -n. */
void spank_opt_ask_tasks(int ntasks);

/* The code with which the program exits where its options are wrong (SLURM_EXIT_ERROR). */
int spank_opt_exit_code(void);

#endif
