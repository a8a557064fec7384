/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One table per subcommand drives getopt_long, --help and the test that the man page names
 * every option.
 */
#ifndef SMESH_OPTIONS_H
#define SMESH_OPTIONS_H

struct option_row {
	int key;	  /* the short letter, or a number above 255 */
	const char *name; /* long name; NULL ends the table, "": help is the heading of those behind
			     it */
	const char *arg;  /* what the value is called, or NULL: no value */
	const char *help;
};

/* Rows that many commands have. */
#define OPTION_TOPOLOGY {'t', "topology", "FILE", "the topology.conf (default: beside slurm.conf)"}
#define OPTION_MESH(key) {key, "mesh", "NAME", "which mesh, if the file has several"}
#define OPTION_GROUP(heading) {0, "", NULL, heading}
#define OPTION_JSON {'j', "json", NULL, "print JSON"}

struct command;

/*
 * The next option: its key with the value in *value, -1 at the end (optind is then the
 * first operand), or '?' after a message. -h, --help, -V and --version are answered here, and
 * exit: this is the command, not the library.
 */
int options_next(const struct command *command, int argc, char **argv, const char **value);

/* Help of one command on standard output. */
void options_help(const struct command *command);

/* options_number.c: whole numbers and decimals from the command line and files: 0, or -1 when text
 * is not one in low..high. */
int options_int(const char *text, long low, long high, long *value);
int options_double(const char *text, double low, double high, double *value);

/* The same for option --name, with a message: SMESH_OK or SMESH_USAGE. */
int options_take_int(const char *name, const char *value, long low, long high, int *out);
int options_take_double(const char *name, const char *value, double low, double high, double *out);

#endif
