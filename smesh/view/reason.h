/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Explains Slurm's reasons for a job to wait, by squeue's words: what each means, and what helps.
 * It has the reasons of all versions from 22.05 on.
 */
#ifndef SMESH_REASON_H
#define SMESH_REASON_H

#include <stdbool.h>

struct reason {
	bool place; /* it waits for nodes that others have: room, and who is in the way, matter */
	bool timed; /* slurmctld knows when it starts */
	char means[120], helps[160];
};

/*
 * Explain a word of squeue's, or a text of slurmctld's that begins with one or with the plugin's
 * "Waits for ". False: unknown, and *reason is zeroed.
 */
bool reason_explain(const char *why, struct reason *reason);

/* squeue's word for slurmctld's number of a reason. */
const char *reason_word(unsigned number);

#endif
