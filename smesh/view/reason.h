/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's reasons for a job to wait, in the words of squeue: what each means, and what helps. Those
 * of all versions from 22.05 on.
 */
#ifndef MAP_REASON_H
#define MAP_REASON_H

#include <stdbool.h>

struct reason {
	bool place; /* it waits for nodes that others have: room, and who is in the way, matter */
	bool timed; /* it starts at a time that slurmctld knows */
	char means[120], helps[160];
};

/*
 * Of a word of squeue's, or slurmctld's own text that begins with one or with the plugin's "Waits
 * for ". False: it is not known, *reason is zeroed.
 */
bool reason_explain(const char *why, struct reason *reason);

/* The word for slurmctld's number, as squeue has it. */
const char *reason_word(unsigned number);

#endif
