/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names of all strategies that slurm.conf may name, without their code: srun and sbatch check
 * names by this list.
 */
#ifndef MESH_STRATEGYNAMES_H
#define MESH_STRATEGYNAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { STRATEGYNAMES_LENGTH = 32 }; /* a name is shorter, and has only these characters: */
#define STRATEGYNAMES_LETTERS                                                                \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_."

/* Is name in the list, in any case? */
bool strategynames_has(const char *name);
/* Is it the name of a strategy in the papers' library? */
bool strategynames_of_papers(const char *name);
/* Write ", did you mean 'snug'?" to text, or nothing (base/suggest.h). Returns text. */
const char *strategynames_suggest(const char *name, char *text, size_t size);
/* Name i of the list; NULL is behind the last. */
const char *strategynames_at(int i);

#endif
