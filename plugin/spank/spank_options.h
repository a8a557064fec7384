/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The --mesh- options in srun, sbatch and salloc. Those of useroptions_table[] are taken from the
 * user, checked together, and sent to slurmctld in the job's SPANK environment.
 */
#ifndef MESH_SPANK_OPTIONS_H
#define MESH_SPANK_OPTIONS_H

#include "conf/useroptions.h"

struct spank_handle;

/* The options of which slurmctld need not know; NULL: not given. */
extern struct spank_options_ours {
	char *ranks; /* --mesh-ranks */
	char *learn; /* --mesh-learn: the name to learn under; "": the job's name */
} spank_options_ours;

/* Register the options. learn: with --mesh-learn. 0, or -1 with a line in the log. */
int spank_options_register(struct spank_handle *spank, bool learn);

/* What counts for this srun or script: its own option, or else its job's. NULL: neither. */
const char *spank_options_value(unsigned bit);

/* Use the pattern of a record if it fits this job, whose user gave none. */
void spank_options_use_pattern(const char *pattern);

/*
 * Check the options together, as far as possible before slurmctld has the job. 0; 1 with text: the
 * numbers contradict each other; -1 with a line in the log: no mesh can hold the shape. argc, argv:
 * the words of plugstack.conf.
 */
int spank_options_check(int argc, char *argv[], struct mesh_err *err);

/* Send what was given for this component of the job. 0, or -1 with lines in the log. */
int spank_options_pass_on(struct spank_handle *spank);

#endif
