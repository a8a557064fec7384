/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "sim/need.h"

enum { MOST = 64, NAME = 48 };

struct columns {
	char name[MOST][NAME];
	int width[MOST];
	bool right[MOST]; /* numbers */
	int n;
};

bool table_wanted(const struct table_form *form)
{
	return form->json || form->noheader || form->format;
}

/* Read the names of a list A,B,... */
static int read_columns(const struct table *table, const char *list, struct columns *c)
{
	size_t length;

	for (c->n = 0; c->n < MOST; list += length + 1) {
		char *name = c->name[c->n++];

		length = strcspn(list, ",");
		snprintf(name, NAME, "%.*s", (int)length, list);
		if (suggest_choice("format", name, table->columns) < 0)
			return SMESH_USAGE;
		for (; *name; name++)
			*name = (char)tolower((unsigned char)*name);
		if (!list[length])
			return SMESH_OK;
	}
	return smesh_fail(SMESH_USAGE, "--format: more than %d columns", MOST);
}

int table_check(const struct table *table, const struct table_form *form)
{
	struct columns columns;

	if (form->json && (form->format || form->noheader))
		return smesh_fail(SMESH_USAGE, "--json and --%s exclude each other",
			form->format ? "format" : "noheader");
	return form->format ? read_columns(table, form->format, &columns) : SMESH_OK;
}

static void put_value(FILE *to, const json_t *value)
{
	const char *text = json_string_value(value);
	double real = json_real_value(value);

	if (text && *text)
		fputs(text, to);
	else if (json_is_integer(value))
		fprintf(to, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		fprintf(to, "%.*f", fabs(real - round(real)) < 1e-9 ? 0 : 3, real);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", to);
	else if (!json_array_size(value))
		fputc('-', to);
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *one = json_array_get(value, i);

		/* n0,n1 and 4x4x2 */
		fputs(!i ? "" : json_is_string(one) ? "," : "x", to);
		put_value(to, one);
	}
}

/* A cell: free() it. row NULL: of the first line. */
static char *cell(const json_t *row, const char *column)
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	if (row)
		put_value(to, json_object_get(row, column));
	else
		fputs(column, to);
	need_done(fclose(to));
	return text;
}

/* Print a row, or find what width it needs. */
static void take_row(struct columns *c, const json_t *row, bool print)
{
	for (int i = 0; i < c->n; i++) {
		bool last = i + 1 == c->n;
		char *text = cell(row, c->name[i]);
		int length = (int)strlen(text);

		if (print)
			printf("%*s%c", c->right[i] ? c->width[i] : last ? 0 : -c->width[i],
				text, last ? '\n' : ' ');
		c->width[i] = length > c->width[i] ? length : c->width[i];
		c->right[i] |= json_is_number(json_object_get(row, c->name[i]));
		free(text);
	}
}

int table_print(const struct table *table, const struct table_form *form, json_t *json)
{
	struct columns columns = {.n = 0};
	int code;

	if (form->json)
		return output_json(stdout, json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	if (!json)
		return smesh_fail(SMESH_FAILED, "no table: a name is not UTF-8");
	code = read_columns(table, form->format ? form->format : table->usual, &columns);
	for (int print = 0; code == SMESH_OK && print < 2; print++) {
		if (!form->noheader)
			take_row(&columns, NULL, print);
		for (size_t i = 0; i < json_array_size(json); i++)
			take_row(&columns, json_array_get(json, i), print);
		if (!json_is_array(json))
			take_row(&columns, json, print);
	}
	json_decref(json);
	return code;
}
