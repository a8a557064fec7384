/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names of all strategies that slurm.conf may name, without the strategies: srun and sbatch
 * check a name by this list.
 */
#ifndef STRATEGYNAMES_H
#define STRATEGYNAMES_H

#include <stdbool.h>

enum { STRATEGYNAMES_LENGTH = 32 }; /* a name is shorter */
#define STRATEGYNAMES_LETTERS                                                                \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_."

/* Is name one of them, in any case? */
bool strategynames_has(const char *name);
/* Is it one of those that the library of the papers' strategies has? */
bool strategynames_of_papers(const char *name);
/* Name i of the list, or NULL past its end. */
const char *strategynames_at(int i);

#endif
