/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the SPANK plugin needs from slurm.conf, and from the command line of srun, sbatch or
 * salloc. It is a file of its own, as spank.h and Slurm's internal headers cannot be included
 * together.
 */
#ifndef MESH_SPANK_OPT_H
#define MESH_SPANK_OPT_H

#include <stdbool.h>
#include <stdint.h>

/* SchedulerParameters, or NULL. */
const char *spank_opt_params(void);
/* The path of topology.conf beside slurm.conf: free() it. NULL: out of memory. */
char *spank_opt_topology(void);
/* Is topology/mesh the TopologyPlugin? */
bool spank_opt_topology_mesh(void);

struct spank_opt {
	bool srun;	/* false in sbatch and salloc */
	bool nodelist;	/* -w, or SLURM_HOSTFILE */
	bool proxies;	/* srun starts the proxies of Hydra's mpiexec, one on each node */
	bool daemons;	/* srun starts those of Open MPI's mpirun, which orders the ranks itself */
	bool arbitrary;	/* --distribution=arbitrary: a list of nodes orders the tasks */
	int ntasks;	/* -n; 0: not given */
	int nodes;	/* the least of -N; 0: not given */
	int exactly;	/* -N if it is one number, else 0 */
	int per_node;	/* --ntasks-per-node; 0: not given */
	bool in_job;	/* a step of a job that is there: srun in a job, or with --jobid */
	bool by_cpus;	/* -c: in a job Slurm may make as many tasks as there are CPUs for */
	const char *name; /* the job's name; NULL: not known */
	const char *partitions; /* the job's partitions; NULL: not given */
	const char *directory;	/* the tasks' working directory */
	int argc;	  /* of the command that srun starts */
	char *const *argv;
};

/* Is this program a proxy of Hydra's mpiexec? */
bool spank_opt_is_proxy(const char *program);

/* Read the client's options, after the client has parsed them. False in other programs. */
bool spank_opt_read(struct spank_opt *out);

/*
 * Ask for exactly this many nodes, as -N would, if a job is submitted and -N is not given. From
 * slurm_spank_init_post_opt() too.
 */
void spank_opt_ask_nodes(int nodes);

/* Let this srun start this many tasks, if -n is not given. */
void spank_opt_ask_tasks(int ntasks);

/* End a step that this srun has made and not launched; nodes: how many it has. */
void spank_opt_end_step(uint32_t job, uint32_t step, int nodes);

/* The program's exit code for wrong options (SLURM_EXIT_ERROR). */
int spank_opt_exit_code(void);

#endif
