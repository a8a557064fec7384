/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"
#include "base/suggest.h"
#include "cli/suggest.h"

/* The value that getopt_long() returns for the long name of a row: FIRST plus the row's index. */
enum { MAX_OPTIONS = 128, FIRST = 1000 };

static void print_row(const struct option_row *row)
{
	enum { HELP = 31 }; /* the column of the help texts */
	int width;

	if (!*row->name) {
		printf("\n%s:\n", row->help);
		return;
	}
	width = row->key && row->key < 256 ? printf("  -%c, ", row->key) : printf("      ");
	width += printf("--%s%s%s", row->name, row->arg ? "=" : "", row->arg ? row->arg : "");
	if (width >= HELP)
		width = printf("\n") - 1;
	printf("%*s%s\n", HELP - width, "", row->help);
}

void options_help(const struct command *command)
{
	static const struct option_row common[] = {
		{'h', "help", NULL, "print this and exit"},
		{'V', "version", NULL, "print the version and exit"},
	};

	printf("usage: smesh %s %s\n%s\n%s", command->name, command->usage, command->summary,
		*command->options->name ? "\n" : "");
	for (const struct option_row *row = command->options; row->name; row++)
		print_row(row);
	if (!*command->options->name)
		putchar('\n');
	print_row(&common[0]);
	print_row(&common[1]);
	printf("\nexample: smesh %s %s\n", command->name, command->example);
}

static void fill(const struct option_row *rows, struct option *longs, char *shorts)
{
	int n = 0;

	*shorts++ = ':'; /* our own messages, and ':' for a missing value */
	for (int i = 0; rows[i].name && i < MAX_OPTIONS; i++) {
		if (!*rows[i].name)
			continue;
		longs[n++] = (struct option){rows[i].name,
			rows[i].arg ? required_argument : no_argument, NULL, FIRST + i};
		if (rows[i].key && rows[i].key < 256) {
			*shorts++ = (char)rows[i].key;
			if (rows[i].arg)
				*shorts++ = ':';
		}
	}
	*shorts++ = 'h';
	*shorts++ = 'V';
	*shorts = '\0';
	longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
	longs[n++] = (struct option){"version", no_argument, NULL, 'V'};
	longs[n] = (struct option){NULL, 0, NULL, 0};
}

/* A group's heading is no option; --help, which has no row, replaces it in the list. */
static const char *row_name(const void *list, int at)
{
	const struct option_row *row = (const struct option_row *)list + at;

	return row->name && !*row->name ? "help" : row->name;
}

static int unknown_option(const struct command *command, const char *word)
{
	char name[64], text[96] = "";

	/* getopt sets optopt to the letter of -x or -xyz (the last word may be the one before), and
	 * to val of a word that takes no value; for an unknown word it sets nothing. */
	if (optopt && optopt < FIRST && optopt != 'h' && optopt != 'V') {
		snprintf(name, sizeof(name), "-%c", optopt);
		word = name;
	} else if (optopt) {
		return smesh_fail(SMESH_USAGE, "%s: %.*s takes no value", command->name,
			(int)strcspn(word, "="), word);
	} else {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
		suggest(name, row_name, command->options, text, sizeof(text));
		if (!strcmp(name, "strategies"))
			snprintf(text, sizeof(text), ": it stands before the command");
		if (!strcmp(name, "trace") && strstr(command->usage, " LOG"))
			snprintf(text, sizeof(text), ": the log stands without it");
	}
	return smesh_fail(SMESH_USAGE, "%s: unknown option %s%s (see smesh %s --help)",
		command->name, word, text, command->name);
}

/* An operand too many; perhaps an option without its dashes, or a log. */
static int unexpected(const struct command *command, const char *word)
{
	const char *name;
	bool log = strstr(command->usage, "--trace LOG") && !strstr(command->usage, "--at");
	int i = 0;

	while ((name = row_name(command->options, i)) && strcmp(name, word))
		i++;
	return smesh_fail(SMESH_USAGE, "%s: unexpected argument '%s'%s%s%s%s (see smesh %s --help)",
		command->name, word, name || log ? ", did you mean '--" : "",
		name ? name : log ? "trace=" : "", name || !log ? "" : word,
		name || log ? "'?" : "", command->name);
}

static const struct option_row *row_of(const struct option_row *rows, int key)
{
	if (key >= FIRST)
		return &rows[key - FIRST];
	while (rows->key != key)
		rows++;
	return rows;
}

/* The values of this command line, by row; "" without one; NULL: the option was not given. */
static const char *given[MAX_OPTIONS];

/* Say that of several values the last one counts: `-s mm -s snug` is no list. */
static void note_again(const struct option_row *row, const struct option_row *rows,
	const char *value)
{
	const char **before = &given[row - rows];

	if (row->kind == OPTION_TEXT && *before && strcmp(*before, value) != 0)
		smesh_fail(0, "--%s=%s has no effect: --%s=%s comes after it", row->name, *before,
			row->name, value);
	*before = value ? value : "";
}

static int next_row(const struct command *command, int argc, char **argv,
	const struct option_row **row, const char **value)
{
	struct option longs[MAX_OPTIONS + 3];
	char shorts[2 * MAX_OPTIONS + 4];
	int key;

	fill(command->options, longs, shorts);
	opterr = 0;
	key = getopt_long(argc, argv, shorts, longs, NULL);
	*value = optarg;
	*row = NULL;
	switch (key) {
	case -1:
		return optind + command->operands < argc
			? unexpected(command, argv[optind + command->operands])
			: SMESH_OK;
	case 'h':
		options_help(command);
		exit(SMESH_OK);
	case 'V':
		printf("smesh %s\n", PACKAGE_VERSION);
		exit(SMESH_OK);
	case ':':
		return smesh_fail(SMESH_USAGE, "%s: %s needs a value", command->name,
			argv[optind - 1]);
	case '?': return unknown_option(command, argv[optind - 1]);
	default:
		*row = row_of(command->options, key);
		note_again(*row, command->options, *value);
		return SMESH_OK;
	}
}

/* --- values ------------------------------------------------------------------------------ */

static int set_choice(const struct option_row *row, const char *value, void *at)
{
	int choice = suggest_choice(row->name, value, row->arg);

	if (choice < 0)
		return SMESH_USAGE;
	if (row->kind == OPTION_WORD)
		*(const char **)at = value;
	else
		*(int *)at = (int)row->low + choice;
	return SMESH_OK;
}

static int set_whole(const struct option_row *row, const char *value, void *at)
{
	bool seed = row->kind == OPTION_SEED;
	long number, low = (long)row->low, high = seed ? LONG_MAX : (long)row->high;

	if (options_int(value, low, high, &number))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a whole number from %ld to %ld",
			row->name, value, low, high);
	if (seed)
		*(uint64_t *)at = (uint64_t)number;
	else
		*(int *)at = (int)number;
	return SMESH_OK;
}

static int set_decimal(const struct option_row *row, const char *value, void *at)
{
	double low = row->low, high = row->kind == OPTION_PERCENT ? 100 : row->high, number;

	if (options_double(value, low, high, &number))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a number from %g to %g", row->name,
			value, low, high);
	if (row->kind == OPTION_SECONDS)
		*(int64_t *)at = (int64_t)(number * 1e6 + 0.5);
	else
		*(double *)at = row->kind == OPTION_PERCENT ? number / 100 : number;
	return SMESH_OK;
}

static int set(const struct command *command, const struct option_row *row, const char *value,
	void *session)
{
	void *at = (char *)session + row->at;

	switch (row->kind) {
	case OPTION_TAKE: return command->take(session, row, value);
	case OPTION_TEXT: *(const char **)at = value; return SMESH_OK;
	case OPTION_FLAG: *(bool *)at = true; return SMESH_OK;
	case OPTION_INT:
	case OPTION_SEED: return set_whole(row, value, at);
	case OPTION_WORD:
	case OPTION_CHOICE: return set_choice(row, value, at);
	default: return set_decimal(row, value, at);
	}
}

/* --- rules ------------------------------------------------------------------------------- */

/* The letters of an option's name, with its dashes. */
static size_t name_length(const char *word)
{
	return *word == '-' ? strspn(word, "-abcdefghijklmnopqrstuvwxyz") : 0;
}

bool options_given(const struct command *command, const char *word)
{
	size_t n = name_length(word);

	for (int i = 0; command->options[i].name; i++) {
		const struct option_row *row = &command->options[i];

		if (given[i] && (n == 2 ? word[1] == row->key
			: strlen(row->name) + 2 == n && !strncmp(row->name, word + 2, n - 2)))
			return true;
	}
	return false;
}

static int check_rule(const struct command *command, const struct option_rule *rule)
{
	bool first = options_given(command, rule->text), broken;
	int others = 0;

	for (const char *at = rule->text; (at = strchr(at, ' '));)
		others += name_length(++at) && options_given(command, at);
	broken = rule->kind == RULE_ONE ? first + others > 1
		: first && (rule->kind == RULE_ALONE ? others > 0 : !others);
	return broken ? smesh_fail(rule->kind == RULE_IDLE ? SMESH_OK : SMESH_USAGE, "%s",
		rule->text) : SMESH_OK;
}

int options_read(const struct command *command, int argc, char **argv, void *session)
{
	const struct option_row *row;
	const char *value;
	int code;

	while (!(code = next_row(command, argc, argv, &row, &value)) && row) {
		if (command->note)
			command->note(session, row, value);
		if ((code = set(command, row, value, session)))
			return code;
	}
	for (const struct option_rule *r = command->rules; !code && r && r->kind; r++)
		code = check_rule(command, r);
	return code;
}
