/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The line of plugstack.conf by which Slurm's commands have the options for users.
 */
#ifndef PLUGSTACK_H
#define PLUGSTACK_H

#include <limits.h>
#include <stdbool.h>

struct plugstack_line {
	char file[PATH_MAX]; /* where the line is: plugstack.conf, or a file that it includes */
	int line;
	char plugin[PATH_MAX], words[512]; /* as written; words[] is behind the plugin */
};

/*
 * Find the first line that loads a plugin of this file name, in any directory. False: there is
 * none, or the file cannot be read.
 */
bool plugstack_find(const char *path, const char *plugin, struct plugstack_line *out);

#endif
