/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Coordinates: HOST X Y Z, also with commas, colons or brackets, and with a header that names the
 * columns.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "import/reader.h"
#include "sim/human.h"

/* A host's line below a header. */
struct place {
	int vertex, line;
	char *host, **field; /* [width] "" where the line is shorter */
};

struct coords {
	bool any; /* a line was read: no header comes any more */
	char delimiter; /* of the columns that a header names; '\0': none does */
	int width, ncolumns; /* 0: HOST, then coordinates */
	int host, column[MESH_MAX_DIMS];
	bool label; /* the first column is neither */
	int more; /* how many of column[] are of MORE_AXES, at its end */
	char *part[READER_FIELDS]; /* titles of columns that tell parts apart; or NULL */
	struct place *place;
	int nplaces;
};

/* --- grids --------------------------------------------------------------------------------- */

struct grid *reader_grid(struct reader *r, const char *name)
{
	struct grids *grids = &r->import->grids;
	struct grid *grid;

	if (*name && !hostlist_is_name(name)) {
		err_printf(r->err, "'%.64s': a mesh's name has letters, digits, '.', '_' and '-'",
			name);
		return NULL;
	}
	for (int i = 0; i < grids->ngrids; i++)
		if (!strncmp(grids->grid[i].name, name, sizeof(grid->name) - 1))
			return &grids->grid[i];
	if (!(grid = grids_add(grids))) {
		err_printf(r->err, "more than %d grids", MESH_MAX_MESHES);
		return NULL;
	}
	snprintf(grid->name, sizeof(grid->name), "%.63s", name);
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		grid->wrap[d] = r->wrap;
	return grid;
}

/* A vertex is named by its place until all are known; then vertices are numbered anew. */
int reader_place(struct reader *r, const char *node, struct grid *grid, const int *at, int n)
{
	char name[MESH_MAX_DIMS * 8 + 8];
	int v;

	grid->ndims = grid->ndims ? grid->ndims : n;
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d",
			grid->ndims > 0 ? grid->ndims : 3, MESH_MAX_SIDE - 1);
	snprintf(name, sizeof(name), "%d", (int)(grid - r->import->grids.grid));
	for (int d = 0; d < n; d++) {
		grid->side[d] = at[d] < grid->side[d] ? grid->side[d] : at[d] + 1;
		human_add(name, sizeof(name), ":%d", at[d]);
	}
	v = cables_vertex(r->cables, name, r->err);
	return v < 0 ? -1 : cables_node(r->cables, node, v, r->err);
}

int reader_numbers(char *text, const char *separators, int *at)
{
	char *rest, *one = strtok_r(text, separators, &rest), *end;
	int n = 0;

	for (; one; one = strtok_r(NULL, separators, &rest)) {
		long value = strtol(one, &end, 10);

		if (*end || n == MESH_MAX_DIMS || value < 0 || value >= MESH_MAX_SIDE)
			return -1;
		at[n++] = (int)value;
	}
	return n;
}

/* --- headers ------------------------------------------------------------------------------- */

/* Letters of axes, in this order. Those of the second list are axes beside x and y, as Tofu's. */
static const char axes[] = "xyzwuv", more_axes[] = "abcdet";

/* What a column has: an axis from 0 on; or one of these, the better for a host the lower. */
enum { AXIS_U = 4, AXIS_V, PLACE = sizeof(axes) - 1, HOST, NAME, OTHER };

/* Of one word: x, y, ... may have coord or pos before or behind it. */
static int kind_of(const char *word)
{
	static const char *const hosts[] = {"host", "hostname", "node", "nodename", NULL};
	static const char *const places[] = {"row", "col", "column", "plane", "layer", "level",
		"dim", "dimension", "axis", "coord", "coordinate", "pos", "position", NULL};
	size_t before = strlen(word) - 1;
	const char *axis = strchr(axes, word[before]);
	char front[32];

	snprintf(front, sizeof(front), "%.*s", (int)before, word);
	if (axis && (!before || reader_knows(places, front)))
		return (int)(axis - axes);
	if ((axis = strchr(axes, *word)) && reader_knows(places, word + 1))
		return (int)(axis - axes);
	return reader_knows(places, word) ? PLACE : reader_knows(hosts, word) ? HOST
		: !strcmp(word, "name") ? NAME : OTHER;
}

static int kind_of_column(const char *title)
{
	int best = OTHER;
	char word[32];

	while ((title = reader_word(title, word)) && *word)
		best = kind_of(word) < best ? kind_of(word) : best;
	return best;
}

/* Is u a height in a rack? It is if there is a column of the rack, and none of an axis v. */
static bool is_height(char *const *title, int n)
{
	static const char *const racks[] = {"rack", "cabinet", "frame", NULL};
	bool rack = false;
	char word[32];

	for (int i = 0; i < n; i++) {
		if (kind_of_column(title[i]) == AXIS_V)
			return false;
		for (const char *rest = title[i]; (rest = reader_word(rest, word)) && *word;)
			rack |= reader_knows(racks, word);
	}
	return rack;
}

/* Refuse two columns of one axis, as of a node and of its rack: one of them is no coordinate. */
static int check_axes(struct reader *r, const int *kind, char *const *title, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			if (kind[i] == kind[j] && kind[i] < PLACE)
				return err_printf(r->err, "'%.32s' and '%.32s' are both %c: "
					"expected one column for each axis", title[j],
					title[i], axes[kind[i]]);
	return 0;
}

/* The columns of coordinates: those of axes in their order, or else places in that of the line. */
static bool find_axes(struct coords *c, const int *kind, char *const *title, int n)
{
	for (int of = 0; of < PLACE || (of == PLACE && !c->ncolumns); of++)
		for (int i = 0; i < n && c->ncolumns < MESH_MAX_DIMS; i++)
			if (kind[i] == of)
				c->column[c->ncolumns++] = i;
	if (c->ncolumns < 2 || kind[c->column[0]] || kind[c->column[1]] != 1)
		return c->ncolumns;
	/* Beside x and y titles of a letter alone are axes, too. */
	for (const char *axis = more_axes; *axis; axis++)
		for (int i = 0; i < n && c->ncolumns < MESH_MAX_DIMS; i++)
			if (tolower((unsigned char)*title[i]) == *axis && !title[i][1]) {
				c->column[c->ncolumns++] = i;
				c->more++;
			}
	return true;
}

/* Keep the titles of columns that tell apart parts with coordinates of their own. */
static void find_parts(struct coords *c, char *const *title, int n)
{
	static const char *const parts[] = {"pod", "superpod", "cube", "mesh", "torus", "plane",
		"layer", "rail", "slice", "region", "zone", "island", "cell", "partition",
		"machine", "cluster", "system", "rack", "cabinet", "frame", "row", "col", "column",
		"level", "floor", "tier", "group", NULL};
	char word[32];

	for (int i = 0; i < n; i++) {
		for (const char *rest = title[i]; (rest = reader_word(rest, word)) && *word;)
			if (reader_knows(parts, word))
				c->part[i] = title[i];
		for (int k = 0; k < c->ncolumns; k++)
			if (i == c->host || i == c->column[k])
				c->part[i] = NULL;
	}
}

/* Titles without numbers, of columns: 0; 1: the line has none; -1 with text. */
static int take_header(struct reader *r, const char *text, bool comment)
{
	struct coords *c = r->state;
	char *copy = need_text(&r->arena, text), *field[READER_FIELDS];
	int kind[READER_FIELDS], n, others = 0;
	bool height;

	c->delimiter = reader_delimiter(copy);
	c->host = -1;
	n = c->width = reader_split(copy, c->delimiter, field);
	height = is_height(field, n);
	for (int i = 0; i < n; i++) {
		if (*field[i] && (!isalpha((unsigned char)*field[i]) || strchr(field[i], '=')))
			return 1;
		kind[i] = kind_of_column(field[i]);
		kind[i] = height && kind[i] == AXIS_U ? OTHER : kind[i];
		others += kind[i] == OTHER;
		if (kind[i] > PLACE && (c->host < 0 || kind[i] < kind[c->host]))
			c->host = i;
	}
	if (n < 2 || (comment && others))
		return 1;
	c->label = kind[0] > PLACE && c->host > 0;
	if (find_axes(c, kind, field, n) && c->host >= 0 &&
		(others < 2 || kind[c->host] != OTHER)) {
		find_parts(c, field, n);
		return check_axes(r, kind, field, n);
	}
	return comment ? 1 : err_printf(r->err, "a header that does not name the columns: "
		"expected as in host,x,y,z");
}

/* --- lines --------------------------------------------------------------------------------- */

static int split(char *text, char **word)
{
	static const char between[] = " \t,;:|()[]{}<>\"'";
	char *rest, *one = strtok_r(text, between, &rest);
	int n = 0;

	for (; one && n < READER_FIELDS; one = strtok_r(NULL, between, &rest))
		word[n++] = one;
	return n;
}

/* Of two fields or more like 0,5, decimal numbers or pairs of coordinates, the first; or NULL. */
static char *decimal_comma(struct reader *r, const char *text)
{
	static const char between[] = " \t;|";
	char *rest, *first = NULL, *one = strtok_r(need_text(&r->arena, text), between, &rest);
	int n = 0, end;

	for (; one; one = strtok_r(NULL, between, &rest)) {
		end = 0;
		sscanf(one, "%*[0-9],%*[0-9]%n", &end);
		if (!end || one[end])
			continue;
		first = first ? first : one;
		n++;
	}
	return n > 1 ? first : NULL;
}

/* A whole number, also as 1.0; -1: it is none from 0 to MESH_MAX_SIDE - 1. */
static int whole(const char *word)
{
	char *end;
	double value = strtod(word, &end);

	if (!*word || word[strspn(word, "0123456789.")] || *end ||
		!(value >= 0 && value < MESH_MAX_SIDE) || value - floor(value) > 0)
		return -1;
	return (int)value;
}

enum { ONE_OR_TWO = -2 };

/* Find the coordinates among the words of a line. How many; -1: none; or ONE_OR_TWO. */
static int find_coords(const struct coords *c, char **word, int n, int *at)
{
	int found = 0, most = c->ncolumns ? c->ncolumns : n - 1;

	/* 1.2.3 is three coordinates; 1.2 alone could be one or two. */
	if (!c->ncolumns && n == 2 && strchr(word[1], '.'))
		return strchr(word[1], '.') == strrchr(word[1], '.')
			? ONE_OR_TWO : reader_numbers(word[1], ".", at);
	for (int i = 0; i < most && found < MESH_MAX_DIMS; i++) {
		int column = c->ncolumns ? c->column[i] : i + 1;

		if (column >= n || (at[found++] = whole(word[column])) < 0)
			return -1;
	}
	return found == most ? found : -1;
}

/* The first line: 0: it is a header; 1: it is none; -1 with text. */
static int first_line(struct reader *r, char *text)
{
	struct coords *c = r->state;
	size_t mark = strspn(text, "# \t");
	bool comment = memchr(text, '#', mark);
	int result;

	if (!text[mark])
		return 0;
	result = take_header(r, text + mark, comment);
	c->any = !comment || !result;
	if (result > 0)
		*c = (struct coords){.any = c->any};
	return comment && result > 0 ? 0 : result;
}

/* A name, and none that is a coordinate, as where there are no names. */
static bool is_host(const char *word)
{
	char *end;

	strtod(word, &end);
	return *end && !reader_no_host(word);
}

/* Say what is wrong with a line of n words whose coordinates cannot be read. */
static int bad_coords(struct reader *r, const struct coords *c, char **word, int n)
{
	const struct grid *grid = r->import->grids.grid;
	int dims = grid->ndims ? grid->ndims : c->ncolumns ? c->ncolumns : 3;
	const char *bad = NULL;

	for (int i = 0; i < (c->ncolumns ? c->ncolumns : n - 1) && !bad; i++) {
		int column = c->ncolumns ? c->column[i] : i + 1;

		if (column < n && whole(word[column]) < 0)
			bad = word[column];
	}
	return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d%s%.32s%s", dims,
		MESH_MAX_SIDE - 1, bad ? ", not '" : "", bad ? bad : "", bad ? "'" : "");
}

/* Cut off a comment. Below a header with a column for it, a line may begin with a label, #1. */
static void cut_comment(struct reader *r, char *text)
{
	const struct coords *c = r->state;
	char *hash = strchr(text, '#'), *field[READER_FIELDS];

	if (!hash)
		return;
	if (c->label && hash[1] && hash[1] != ' ' && hash == text + strspn(text, " \t") &&
		reader_split(need_text(&r->arena, text), c->delimiter, field) == c->width) {
		r->import->labelled++;
		return;
	}
	*hash = '\0';
}

/* Keep a line of n words below a header. */
static void keep_place(struct reader *r, char *const *word, int n)
{
	struct coords *c = r->state;
	int node = cables_find_node(r->cables, word[c->host]);
	char **field = need_get(&r->arena, c->width, sizeof(*field));

	for (int i = 0; i < c->width; i++)
		field[i] = need_text(&r->arena, i < n ? word[i] : "");
	if (c->delimiter && node >= 0)
		need_append(&r->arena, c->place, c->nplaces, (struct place){
			r->cables->vertex_of[node], r->line, field[c->host], field});
}

/* A column of a letter is no axis if its first value is no coordinate. */
static void drop_more(struct coords *c, char **word, int n)
{
	int first = c->ncolumns - c->more, kept = first;

	for (int k = first; k < c->ncolumns; k++)
		if (c->column[k] < n && whole(word[c->column[k]]) >= 0)
			c->column[kept++] = c->column[k];
	c->ncolumns = kept;
	c->more = 0;
}

static int coords_line(struct reader *r, char *text)
{
	struct coords *c = r->state;
	int at[MESH_MAX_DIMS] = {0}, n, found, places = r->cables->nalso;
	char *word[READER_FIELDS], *unsure;
	struct grid *grid;

	if (reader_rule(text))
		return 0;
	if (!c->any && (found = first_line(r, text)) <= 0)
		return found;
	cut_comment(r, text);
	unsure = c->delimiter ? NULL : decimal_comma(r, text);
	n = c->delimiter ? reader_split(text, c->delimiter, word) : split(text, word);
	if (reader_blank(word, n))
		return 0;
	if (!(grid = reader_grid(r, "")))
		return -1;
	if (c->host >= n || !is_host(word[c->host]))
		return err_printf(r->err, "expected a host's name in column %d, not '%.32s'",
			c->host + 1, c->host < n ? word[c->host] : "");
	if (c->more)
		drop_more(c, word, n);
	if ((found = find_coords(c, word, n, at)) == ONE_OR_TWO)
		unsure = word[1];
	if (unsure)
		return err_printf(r->err, "'%.32s' is one decimal number or two coordinates: "
			"expected blanks between", unsure);
	if (found < 0)
		return bad_coords(r, c, word, n);
	if (reader_place(r, word[c->host], grid, at, found))
		return -1;
	keep_place(r, word, n);
	return r->cables->nalso == places ? 0 : err_printf(r->err,
		"%.64s has other coordinates above", word[c->host]);
}

/* --- parts of a machine --------------------------------------------------------------------- */

/* Refuse two hosts at one place with other values in a column. first[]: scratch. */
static int check_column(struct reader *r, const struct coords *c, int column, int *first)
{
	for (int v = 0; v < r->cables->nvertices; v++)
		first[v] = -1;
	for (int i = 0; i < c->nplaces; i++) {
		const struct place *place = &c->place[i];
		int *other = &first[place->vertex];

		*other = *other < 0 ? i : *other;
		if (strcmp(c->place[*other].host, place->host) != 0 &&
			strcmp(c->place[*other].field[column], place->field[column]) != 0)
			return reader_bad(r, place->line, "%.64s and %.64s have the same "
				"coordinates, but other values of '%.32s': give each part a file "
				"of its own, or name the column x, y, z or so if it is an axis",
				c->place[*other].host, place->host, c->part[column]);
	}
	return 0;
}

/* Have several parts the same coordinates? Then hosts of two parts are at one place. */
static int coords_file_end(struct reader *r)
{
	struct coords *c = r->state;
	int *first = need_get(&r->arena, r->cables->nvertices, sizeof(*first)), result = 0;

	for (int column = 0; column < c->width && !result; column++)
		result = c->part[column] ? check_column(r, c, column, first) : 0;
	*c = (struct coords){0};
	return result;
}

const struct import_reader import_coords = {.name = "coords", .state = sizeof(struct coords),
	.placed = true, .line = coords_line, .file_end = coords_file_end};
