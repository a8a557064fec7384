/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One table per subcommand: it drives getopt_long, says where each value goes, is printed by
 * --help, and a test holds the man page against it.
 */
#ifndef SMESH_OPTIONS_H
#define SMESH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* What a value has to be, and what is written at option_row.at of the command's struct. */
enum option_kind {
	OPTION_TAKE,	/* anything: command.take() reads it */
	OPTION_TEXT,	/* anything: const char * */
	OPTION_WORD,	/* one of arg, "a|b|c", in any case: const char * */
	OPTION_CHOICE,	/* likewise: an int, `low` for the first of them, and so on */
	OPTION_FLAG,	/* no value: a bool, true */
	OPTION_INT,	/* low..high: int */
	OPTION_SEED,	/* a whole number: uint64_t */
	OPTION_DOUBLE,	/* low..high: double */
	OPTION_PERCENT, /* 0..100: double, 0..1 */
	OPTION_SECONDS, /* low..high: int64_t, microseconds */
};

struct option_row {
	int key;	  /* the short letter, or a number above 255 for take(), or 0 */
	const char *name; /* long name; NULL ends the table, "": help is the heading of those behind
			     it */
	const char *arg;  /* what the value is called, or NULL: no value */
	const char *help;
	enum option_kind kind;
	size_t at;
	double low, high;
};

/* Rows that many commands have. AT(member) is the file's: the offset in its struct. */
#define OPTION_TOPOLOGY \
	{'t', "topology", "FILE", "the topology.conf (default: beside slurm.conf)", OPTION_TEXT, \
		AT(topology)}
#define OPTION_MESH \
	{0, "mesh", "NAME", "which mesh, if the file has several", OPTION_TEXT, AT(mesh_name)}
#define OPTION_STATE \
	{0, "state", "FILE", \
		"jobs and nodes from a file, not from Slurm (see smesh(1)); - = input", \
		OPTION_TEXT, AT(state)}
#define OPTION_GROUP(heading) {0, "", NULL, heading}
#define OPTION_JSON {'j', "json", NULL, "print JSON", OPTION_FLAG, AT(json)}

struct command {
	const char *name;
	const char *summary;
	const char *usage; /* after the name */
	const char *example; /* likewise */
	const struct option_row *options;
	int operands; /* how many there may be behind the options */
	/* Options of the kind OPTION_TAKE: SMESH_OK (fail.h), or another code after a message. */
	int (*take)(void *session, const struct option_row *row, const char *value);
	int (*run)(int argc, char **argv);
};

/*
 * Read all options of a command line into the command's struct, and check that there are no more
 * operands behind them (from optind on) than the command takes. SMESH_OK, or another code after a
 * message. -h, --help, -V and --version are answered here, and exit: this is the command, not the
 * library.
 */
int options_read(const struct command *command, int argc, char **argv, void *session);
/* One step of that: the next option's row, NULL at the end, and its value. */
int options_next_row(const struct command *command, int argc, char **argv,
	const struct option_row **row, const char **value);
/* And the other: a value into the struct. */
int options_set(const struct command *command, const struct option_row *row, const char *value,
	void *session);

/* Help of one command on standard output. */
void options_help(const struct command *command);

/* options_number.c: whole numbers and decimals from the command line and files: 0, or -1 when text
 * is not one in low..high. */
int options_int(const char *text, long low, long high, long *value);
int options_double(const char *text, double low, double high, double *value);
/* One in 0..most, or with % behind it in 0..100: *share. */
int options_share(const char *text, double most, bool *share, double *value);

#endif
