/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One table per subcommand. It drives getopt_long, says where each value goes, and makes --help; a
 * test compares the man page with it.
 */
#ifndef SMESH_OPTIONS_H
#define SMESH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* What a value must be, and what is written to the command's struct at option_row.at. */
enum option_kind {
	OPTION_TAKE,	/* anything: command.take() reads it */
	OPTION_TEXT,	/* anything: const char * */
	OPTION_WORD,	/* one of arg, "a|b|c", in any case: const char * */
	OPTION_CHOICE,	/* the same: an int, `low` for the first word, and so on */
	OPTION_FLAG,	/* no value: a bool, true */
	OPTION_INT,	/* low..high: int */
	OPTION_SEED,	/* a whole number: uint64_t */
	OPTION_DOUBLE,	/* low..high: double */
	OPTION_PERCENT, /* 0..100: double, 0..1 */
	OPTION_SECONDS, /* low..high: int64_t, microseconds */
};

struct option_row {
	int key;	  /* the short letter, a number above 255 for take(), or 0 */
	const char *name; /* long name; NULL ends the table; "": help is the heading of the rows
			     behind */
	const char *arg;  /* the name of the value; NULL: there is none */
	const char *help;
	enum option_kind kind;
	size_t at;
	double low, high;
};

/* Where a member of the command's struct is; a struct of another name defines AT() anew. */
#define AT(member) offsetof(struct session, member)

/* Rows that many commands have. */
#define OPTION_TOPOLOGY \
	{'t', "topology", "FILE", "the topology.conf (default: beside slurm.conf)", OPTION_TEXT, \
		AT(topology)}
#define OPTION_MESH \
	{0, "mesh", "NAME", "which mesh, if the file has several", OPTION_TEXT, AT(mesh_name)}
/* Where state_open() finds the machine. */
#define STATE_OPTIONS \
	OPTION_TOPOLOGY, OPTION_MESH, {0, "state", "FILE", \
		"jobs and nodes from a file, not from Slurm (see smesh(1)); - = input", \
		OPTION_TEXT, AT(state)}
#define OPTION_GROUP(heading) {0, "", NULL, heading}
#define OPTION_JSON {'j', "json", NULL, "print JSON", OPTION_FLAG, AT(json)}

struct command {
	const char *name;
	const char *summary;
	const char *usage; /* what follows the name */
	const char *example; /* the same, as an example */
	const struct option_row *options;
	int operands; /* the most operands behind the options */
	/*
	 * Takes options of the kind OPTION_TAKE: SMESH_OK (fail.h), or another code after a
	 * message.
	 */
	int (*take)(void *session, const struct option_row *row, const char *value);
	int (*run)(int argc, char **argv);
};

/*
 * Read all options of a command line into the command's struct, and check that no more operands
 * follow (from optind on) than the command takes. SMESH_OK, or another code after a message. -h,
 * --help, -V and --version are answered here, and end the program: this is the command, not the
 * library.
 */
int options_read(const struct command *command, int argc, char **argv, void *session);
/* One step of options_read(): the next option's row, NULL at the end, and its value. */
int options_next_row(const struct command *command, int argc, char **argv,
	const struct option_row **row, const char **value);
/* The other step: write a value into the struct. */
int options_set(const struct command *command, const struct option_row *row, const char *value,
	void *session);

/* Print the help of one command on standard output. */
void options_help(const struct command *command);

/*
 * options_number.c: parse numbers from the command line and files. 0; -1: text is none in
 * low..high.
 */
int options_int(const char *text, long low, long high, long *value);
int options_double(const char *text, double low, double high, double *value);
/* Parse a number in 0..most, or in 0..100 with % behind it: *share is then true. */
int options_share(const char *text, double most, bool *share, double *value);

#endif
