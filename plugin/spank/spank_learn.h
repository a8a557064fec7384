/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-learn: measure what a job's ranks send, and use it for its ranks the next time. srun,
 * sbatch and salloc read and write records with their user's rights. On a node the user's own task
 * does so, before it becomes the program. slurmstepd reads nothing that a user wrote.
 *
 * srun tells its tasks by MESH_MEASURE where to write. A task then sets what MPI needs on
 * its node.
 */
#ifndef MESH_SPANK_LEARN_H
#define MESH_SPANK_LEARN_H

#include <stdbool.h>

struct spank_handle;

#define SPANK_LEARN_OPTION "mesh-learn"
#define SPANK_LEARN_ARGUMENT "NAME"
#define SPANK_LEARN_USAGE                                                                       \
	"measure what this job's ranks send; later jobs of the same name and number of" \
	" tasks get their ranks in an order that suits that. no: do not measure"

/*
 * The words of plugstack.conf:
 *
 *   learn=no | yes | PARTITION,...  never; all jobs, or those that name these partitions, without
 *                                  the option
 *   learn_every=N                  measure one run in N again when enough is known (20); 0: none
 *   learn_dir=DIR                   records are in DIR/UID, and not in users' homes
 *   measure=PATH | no               another libmesh_measure.so than the one beside this plugin;
 *                                  no: none, and only Open MPI counts. mpich=PATH in 1.0
 */
struct spank_learn_site {
	const char *of;	       /* learn=; NULL: only with the option */
	const char *directory; /* learn_dir=; NULL: in users' homes */
	char *library;	       /* measure=, malloc()ed; NULL: Open MPI counts */
	int every;	       /* learn_every= */
};
extern struct spank_learn_site spank_learn_site;

/* Read the words of plugstack.conf. False: users have no option. */
bool spank_learn_configure(int argc, char *argv[]);

/*
 * The name to learn under. `given`: the option's value; NULL: the job has no option. "": the job's
 * own name, if the site learns from these partitions (NULL: the default one). NULL: learn nothing.
 */
const char *spank_learn_wanted(const char *given, const char *partitions);

/*
 * Remove what a task was told that is to be measured, from its environment or, NULL, from this
 * process: a job may have been submitted in a script that is measured.
 */
void spank_learn_forget(struct spank_handle *spank);

/*
 * Called in a task, with its user's rights, before it becomes the program. In a script measure
 * what mpirun will start. If the task is to be measured, tell MPI. given: the option's value, or
 * NULL.
 */
void spank_learn_task(struct spank_handle *spank, const char *given);

#endif
