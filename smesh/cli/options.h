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

/* The same for what many commands have: the paths of map and state, the form of a table. */
#define AT_MAP(member) AT(member)

/* Rows that many commands have. */
#define OPTION_TOPOLOGY \
	{'t', "topology", "FILE", "the topology.conf (default: beside slurm.conf)", OPTION_TEXT, \
		AT_MAP(topology)}
#define OPTION_MESH \
	{0, "mesh", "NAME", "which mesh, if the file has several", OPTION_TEXT, AT_MAP(mesh_name)}
/* Where state_open() finds the machine. */
#define STATE_OPTIONS \
	OPTION_TOPOLOGY, OPTION_MESH, {0, "state", "FILE", \
		"jobs and nodes from a file, not from Slurm (see smesh(1)); - = input", \
		OPTION_TEXT, AT_MAP(state)}
#define OPTION_GROUP(heading) {0, "", NULL, heading}
#define OPTION_JSON {'j', "json", NULL, "print JSON", OPTION_FLAG, AT(json)}

/*
 * What options have to do with each other. The text is the message if a command line breaks the
 * rule. Its words that begin with a dash are options, by long name or letter; the first one is
 * "it" below.
 */
struct option_rule {
	enum option_rule_kind {
		RULE_NONE,  /* behind the last rule */
		RULE_ONE,   /* at most one of all of them */
		RULE_ALONE, /* it and none of the others */
		RULE_WITH,  /* it needs one of the others, */
		RULE_IDLE,  /* or has no effect: only a note */
	} kind;
	const char *text;
};

struct table;

struct command {
	const char *name;
	const char *summary;
	const char *usage; /* what follows the name */
	const char *example; /* the same, as an example */
	const struct option_row *options;
	const struct option_rule *rules; /* NULL: none */
	const struct table *table; /* what --format may name; NULL: the command prints no table */
	int operands; /* the most operands behind the options */
	size_t size; /* bytes of the command's struct, */
	const void *usual; /* and what it is without options; NULL: all 0 */
	/*
	 * Takes options of the kind OPTION_TAKE: SMESH_OK (fail.h), or another code after a
	 * message.
	 */
	int (*take)(void *session, const struct option_row *row, const char *value);
	/* Called before an option is read: its row and value. NULL: nobody notes options. */
	void (*note)(void *session, const struct option_row *row, const char *value);
	/* Called with the options read. SMESH_OK, or another code after a message. */
	int (*run)(void *session);
	/* Called behind that in all cases: free what the struct holds. NULL: nothing. */
	void (*end)(void *session);
};

/*
 * Read all options of a command line into the command's struct; check the rules, and that no more
 * operands follow (from optind on) than the command takes. Call it once. SMESH_OK, or another code
 * after a message. -h, --help, -V and --version are answered here, and end the program.
 */
int options_read(const struct command *command, int argc, char **argv, void *session);
/* Was the option (--NAME or -N, up to a character that no name has) given? */
bool options_given(const struct command *command, const char *word);

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
