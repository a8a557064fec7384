/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a program is called, from its command line: jobs that are all called `bash` or `job.sh` are
 * told apart by it.
 */
#ifndef MESH_PROGNAME_H
#define MESH_PROGNAME_H

#include <stdbool.h>

enum { PROGNAME = 64, PROGNAME_WORDS = 16, PROGNAME_WORD = 40 };

/* The last part of a path as a name for a file: what is not a letter, digit, dot, minus or
 * underscore is one, and so is a dot at the beginning. */
void progname_clean(const char *text, char name[PROGNAME]);

/* Does a job's name say what runs in it? Those of shells, interpreters, launchers, a.out and
 * scripts do not. */
bool progname_says(const char *job);

struct progname {
	char file[PROGNAME], detailed[PROGNAME];
};

/*
 * The program's file, without its folders, and of an interpreter that of the script: `solve.py`.
 * `detailed` has the pattern of its arguments behind it, as 8 hexadecimal digits:
 * `solve.py-1f2e3d4c`. In the pattern all numbers are alike, and it is of the first PROGNAME_WORD
 * bytes of PROGNAME_WORDS words. Both are clean; "" without a command line.
 */
void progname_of(int argc, char *const argv[], struct progname *program);

/* Which argument of a command line is the file of the program: 0, or of an interpreter that of the
 * script. */
int progname_file(int argc, char *const argv[]);

#endif
