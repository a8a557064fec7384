/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "cli/suggest.h"

enum { MAX_OPTIONS = 128 };

static void print_row(const struct option_row *row)
{
	enum { HELP = 31 }; /* its column */
	int width;

	if (!*row->name) {
		printf("\n%s:\n", row->help);
		return;
	}
	width = row->key < 256 ? printf("  -%c, ", row->key) : printf("      ");
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
}

static void fill(const struct option_row *rows, struct option *longs, char *shorts)
{
	int n = 0;

	*shorts++ = ':'; /* our own messages, and ':' for a missing value */
	for (; rows->name && n < MAX_OPTIONS; rows++) {
		if (!*rows->name)
			continue;
		longs[n++] = (struct option){
			rows->name, rows->arg ? required_argument : no_argument, NULL, rows->key};
		if (rows->key < 256) {
			*shorts++ = (char)rows->key;
			if (rows->arg)
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

static const char *row_name(const void *list, int at)
{
	const struct option_row *row = (const struct option_row *)list + at;

	return row->name && !*row->name ? row->help : row->name;
}

static void unknown_option(const struct command *command, const char *word)
{
	char name[64], text[96] = "";

	/* Of a cluster of letters, -xyz, getopt says which; of a word the name is before the =. */
	if (!strncmp(word, "--", 2)) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
		suggest(name, row_name, command->options, text, sizeof(text));
	} else if (optopt) {
		snprintf(name, sizeof(name), "-%c", optopt);
		word = name;
	}
	smesh_fail(SMESH_USAGE, "%s: unknown option %s%s (see smesh %s --help)", command->name,
		word, text, command->name);
}

int options_next(const struct command *command, int argc, char **argv, const char **value)
{
	struct option longs[MAX_OPTIONS + 3];
	char shorts[2 * MAX_OPTIONS + 4];
	int key;

	fill(command->options, longs, shorts);
	opterr = 0;
	key = getopt_long(argc, argv, shorts, longs, NULL);
	*value = optarg;
	switch (key) {
	case 'h':
		options_help(command);
		exit(SMESH_OK);
	case 'V':
		printf("smesh %s\n", PACKAGE_VERSION);
		exit(SMESH_OK);
	case ':':
		smesh_fail(SMESH_USAGE, "%s: %s needs a value", command->name, argv[optind - 1]);
		return '?';
	case '?':
		unknown_option(command, argv[optind - 1]);
		return '?';
	default:
		return key;
	}
}

int options_take_int(const char *name, const char *value, long low, long high, int *out)
{
	long number;

	if (options_int(value, low, high, &number))
		return smesh_fail(SMESH_USAGE, "--%s=%s: not a number from %ld to %ld", name, value,
			low, high);
	*out = (int)number;
	return SMESH_OK;
}

int options_take_double(const char *name, const char *value, double low, double high, double *out)
{
	if (options_double(value, low, high, out))
		return smesh_fail(
			SMESH_USAGE, "--%s=%s: not a number from %g to %g", name, value, low, high);
	return SMESH_OK;
}
