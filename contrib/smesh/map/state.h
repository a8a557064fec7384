/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of a machine: from Slurm, or from a file with lines
 *
 *	JOB USER HOSTLIST [SECONDS-LEFT]
 *	down - HOSTLIST
 *	drain - HOSTLIST
 *	waiting JOB USER NODES WHY [SECONDS-SINCE] [contiguous]
 */
#ifndef MAP_STATE_H
#define MAP_STATE_H

#include "picture.h"

/*
 * Into a picture without jobs: the file at path ("-": standard input), or slurmctld's state when
 * path is NULL. SMESH_OK, or another code after a message.
 */
int state_take(struct picture *picture, const char *path);

#endif
