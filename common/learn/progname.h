/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names a program by its command line: it tells jobs apart that are all called `bash` or `job.sh`.
 */
#ifndef MESH_PROGNAME_H
#define MESH_PROGNAME_H

#include <stdbool.h>

enum { PROGNAME = 64, PROGNAME_WORDS = 16, PROGNAME_WORD = 40 };

/*
 * Make the last part of a path a name for a file: characters but letters, digits, dots, minus and
 * underscore become underscores, and so does a dot at the beginning. An empty name becomes one.
 */
void progname_clean(const char *text, char name[PROGNAME]);

/*
 * Does a job's name say what runs in it? Names of shells, interpreters, launchers, a.out and
 * scripts do not.
 */
bool progname_says(const char *job);

struct progname {
	char file[PROGNAME], detailed[PROGNAME];
};

/*
 * file: the program's file without its folders; for an interpreter the script's: `solve.py`.
 * detailed: the same, of 54 characters at most, with the pattern of its arguments, if any, as 8
 * hexadecimal digits behind it: `solve.py-1f2e3d4c`. In that all numbers are alike; it covers
 * PROGNAME_WORD bytes of the first PROGNAME_WORDS words. Both are clean; "" without a command line.
 */
void progname_of(int argc, char *const argv[], struct progname *program);

/* The index of the program's file: 0; for an interpreter that of the script, if there is one. */
int progname_file(int argc, char *const argv[]);

#endif
