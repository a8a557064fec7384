/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables for scripts, as squeue and sacct print them: columns by name (--format), with or without
 * a first line (--noheader), or as JSON. Rows are JSON objects, and columns are their keys.
 */
#ifndef SMESH_TABLE_H
#define SMESH_TABLE_H

#include <jansson.h>
#include <stdbool.h>

/* What was asked for. */
struct table_form {
	bool json, noheader;
	const char *format; /* NULL: not given */
};

/* Rows for the option table of a command whose struct has a member `form` of this type. */
#define TABLE_OPTIONS \
	{'j', "json", NULL, "print JSON", OPTION_FLAG, AT_MAP(form.json)}, \
	{'o', "format", "NAME,...", "print a table of these columns, see smesh(1)", \
		OPTION_TEXT, AT_MAP(form.format)}, \
	{0, "noheader", NULL, "print a table without its first line", OPTION_FLAG, \
		AT_MAP(form.noheader)}

struct table {
	const char *columns; /* all: "job|user|nodes" */
	const char *usual;   /* without --format: "job,user" */
};

/* Is JSON or a table asked for, not text for people? */
bool table_wanted(const struct table_form *form);
/* Check the options before any work. SMESH_OK, or another code after a message. */
int table_check(const struct table *table, const struct table_form *form);
/*
 * Print on standard output, and take over, an array of rows or a single one; JSON may be anything.
 * Unknown values are "-". SMESH_OK, or another code after a message, as for NULL.
 */
int table_print(const struct table *table, const struct table_form *form, json_t *json);

#endif
