/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-learn: what a job's ranks send is measured, and used for its nodes and ranks the
 * next time. All of it in the user's own srun, sbatch and salloc, but for batch scripts,
 * which measure what mpirun starts.
 */
#ifndef MESH_SPANK_LEARN_H
#define MESH_SPANK_LEARN_H

#include <stdbool.h>

#include "base/err.h"

struct record;
struct records_order;

#define SPANK_LEARN_OPTION "mesh-learn"
#define SPANK_LEARN_ARGUMENT "NAME"
#define SPANK_LEARN_USAGE                                                                       \
	"measure what the ranks send (MPI), and use it for nodes and ranks of the next job" \
	" of this name (the job's) and size"

/*
 * What plugstack.conf says:
 *
 *   learn=no | yes | PARTITION,...  never; all jobs, or those that name these partitions, without
 *                                  the option
 *   learn_every=N                  of what is known one run in N is measured again (20); 0: none
 *   learn_dir=DIR                   records are in DIR/UID, and not in users' homes
 *   mpich=PATH                      libmesh_measure.so, for MPI libraries of MPICH's family
 *
 * False: users have no option.
 */
bool spank_learn_configure(int argc, char *argv[]);

/*
 * What is to be learnt under: `given` with the option (NULL: it is not there), otherwise "", which
 * is the job's own name, where the site wants it of the partitions (NULL: the default one). NULL:
 * nothing.
 */
const char *spank_learn_wanted(const char *given, const char *partitions);

/*
 * What is known of the job, by NAME ("": the job's own name) and its number of tasks; or of the
 * name alone, made one of that number of tasks. False: nothing. Runs that have ended are made
 * records of first.
 */
bool spank_learn_find(const char *name, struct record *record);

/* A variable for the tasks. */
typedef void spank_learn_set(void *data, const char *name, const char *value);

/*
 * Have MPI measure the step that this srun starts, or with `home` (of the user) what
 * mpirun starts in a batch script. Nothing is done where two runs have been measured alike, but for
 * one run in learn_every. 0, or -1 with text.
 */
int spank_learn_measure(const char *name, const char *home, spank_learn_set *set, void *data,
	struct mesh_err *err);

/* Where to say how the step's ranks are put in order by what was learnt: that is judged when the
 * step is over. NULL: it is not measured. */
struct records_order *spank_learn_order(void);

/* The step is over: make a record of what was measured. */
void spank_learn_collect(void);

#endif
