/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Variables in a job that say where its nodes are (conf/jobenv.h). A variable has a long name, as
 * SLURM_MESH_COORD=3,1,0 (prefix= of plugstack.conf changes the beginning), and a short one, as
 * MESH_COORD, unless the user has a variable of that name. Env= of a mesh makes more variables.
 * All of this runs in slurmstepd, before the tasks.
 */
#ifndef MESH_SPANK_PLACE_H
#define MESH_SPANK_PLACE_H

#include <stdbool.h>

struct spank_handle;

/*
 * Read the map and the job's hosts, in slurm_spank_init_post_opt() and not later: slurmctld may
 * have to be asked, and during slurm_spank_user_init() slurmstepd holds locks that prevent it.
 * topology: the path of topology.conf; NULL: there is none.
 */
void spank_place_read(struct spank_handle *spank, const char *topology);

/* Tell the tasks what was read, and forget it. argc, argv: the words of plugstack.conf. */
void spank_place_tell(struct spank_handle *spank, int argc, char *argv[]);

/* Free all that this file holds. */
void spank_place_forget(void);

/* Is this task a batch script, or the shell of salloc on a node? */
bool spank_place_is_script(struct spank_handle *spank);

/* Has the job this variable with this value (NULL: any value)? */
bool spank_place_has(struct spank_handle *spank, const char *name, const char *value);

/* A variable of the job, until spank_place_forget(); NULL: there is none. */
char *spank_place_variable(struct spank_handle *spank, const char *name);

#endif
