/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fair share as in Slurm's multifactor plugin without Fair Tree, all users with one share in one
 * account: 2^-(usage / share), usage being the user's part of all node-seconds, of which those of
 * long ago count by half for each half-life.
 */
#ifndef SIM_FAIRSHARE_H
#define SIM_FAIRSHARE_H

#include <stdint.h>

struct fairshare;

/* Of so many users, and one for jobs without (-1). half_life in seconds; 0: nothing is forgotten.
 * NULL: memory is out. */
struct fairshare *fairshare_new(int users, double half_life);
void fairshare_free(struct fairshare *f);
/* From this moment (microseconds) on the user runs so many nodes more, or less. */
void fairshare_run(struct fairshare *f, int user, int nodes, int64_t now);
/* 0..1; 1: nothing used. now must not go back. */
double fairshare_factor(struct fairshare *f, int user, int64_t now);

#endif
