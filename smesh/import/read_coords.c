/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Coordinates: HOST X Y Z, also with commas, colons or brackets, and with a header that tells the
 * columns.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/reader.h"

enum { WORDS = 32 };

struct coords {
	bool any; /* a line was read: no header comes any more */
	int ncolumns; /* 0: HOST, then coordinates */
	int host, column[MESH_MAX_DIMS];
};

/* --- grids --------------------------------------------------------------------------------- */

struct grid *reader_grid(struct reader *r, const char *name)
{
	struct grids *grids = &r->import->grids;
	struct grid *grid;

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

/* A vertex is called after its place until all are known: vertices are numbered anew then. */
int reader_place(struct reader *r, const char *node, struct grid *grid, const int *at, int n)
{
	char name[MESH_MAX_DIMS * 8 + 8];
	size_t used;
	int v;

	grid->ndims = grid->ndims ? grid->ndims : n;
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d",
			grid->ndims > 0 ? grid->ndims : 3, MESH_MAX_SIDE - 1);
	used = (size_t)snprintf(name, sizeof(name), "%d", (int)(grid - r->import->grids.grid));
	for (int d = 0; d < n; d++) {
		grid->side[d] = at[d] < grid->side[d] ? grid->side[d] : at[d] + 1;
		used += (size_t)snprintf(name + used, sizeof(name) - used, ":%d", at[d]);
	}
	v = cables_vertex(r->cables, name, r->err);
	return v < 0 ? -1 : cables_node(r->cables, node, v, r->err);
}

int reader_numbers(char *text, const char *separators, int *at)
{
	int n = 0;

	for (char *one, *end; (one = strsep(&text, separators));) {
		long value = strtol(one, &end, 10);

		if (!*one)
			continue;
		if (*end || n == MESH_MAX_DIMS || value < 0 || value >= MESH_MAX_SIDE)
			return -1;
		at[n++] = (int)value;
	}
	return n;
}

/* --- lines --------------------------------------------------------------------------------- */

static int split(char *text, char **word)
{
	int n = 0;

	for (char *one; n < WORDS && (one = strsep(&text, " \t,;:|()[]{}<>\"'"));)
		if (*one)
			word[n++] = one;
	return n;
}

/* x, coord_x, Y; -1: it names no axis. */
static int axis_of(const char *word)
{
	static const char axes[] = "xyzwuv";
	size_t length = strlen(word);
	const char *axis = strchr(axes, tolower((unsigned char)word[length - 1]));

	return axis && (length == 1 || strchr("_-.", word[length - 2])) ? (int)(axis - axes) : -1;
}

static bool is_host(const char *word)
{
	static const char *const known[] = {"host", "hostname", "node", "nodename", "name"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcasecmp(word, known[i]))
			return true;
	return false;
}

/* A line of words alone, that are no numbers. With axes among them these are the columns, in the
 * order of their letters; otherwise all but the host's. */
static bool take_header(struct coords *c, char *const *word, int n)
{
	int by_axis[MESH_MAX_DIMS], naxes = 0, axes;

	memset(by_axis, -1, sizeof(by_axis));
	for (int i = 0; i < n; i++) {
		int axis = axis_of(word[i]);

		if (!isalpha((unsigned char)*word[i]) ||
			word[i][strcspn(word[i], "=")])
			return false;
		if (is_host(word[i]))
			c->host = i;
		else if (axis >= 0 && axis < MESH_MAX_DIMS)
			by_axis[axis] = i;
	}
	for (int axis = 0; axis < MESH_MAX_DIMS; axis++)
		if (by_axis[axis] >= 0)
			c->column[naxes++] = by_axis[axis];
	axes = naxes;
	for (int i = 0; !axes && i < n && naxes < MESH_MAX_DIMS; i++)
		if (i != c->host)
			c->column[naxes++] = i;
	c->ncolumns = naxes;
	return n > 1;
}

/* A whole number, also as 1.0; -1: it is none from 0 to MESH_MAX_SIDE - 1. */
static int whole(const char *word)
{
	char *end;
	double value = strtod(word, &end);

	if (word[strspn(word, "0123456789.")] || *end || !(value >= 0 && value < MESH_MAX_SIDE) ||
		value - floor(value) > 0)
		return -1;
	return (int)value;
}

enum { ONE_OR_TWO = -2 };

/* The coordinates among the words of a line. How many, -1: they are none, or ONE_OR_TWO. */
static int find_coords(const struct coords *c, char **word, int n, int *at)
{
	int found = 0, most = c->ncolumns ? c->ncolumns : n - 1;

	/* 1.2.3 is three; 1.2 by itself could be one or two. */
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

static int coords_line(struct reader *r, char *text)
{
	struct coords *c = r->state;
	int at[MESH_MAX_DIMS] = {0}, n, found;
	char *word[WORDS];
	struct grid *grid;

	text[strcspn(text, "#")] = '\0';
	if (!(n = split(text, word)))
		return 0;
	if (!c->any) {
		c->any = true;
		if (take_header(c, word, n))
			return 0;
		c->ncolumns = c->host = 0;
	}
	if (!(grid = reader_grid(r, "")))
		return -1;
	if (c->host >= n)
		return err_printf(r->err, "expected a host in column %d", c->host + 1);
	if ((found = find_coords(c, word, n, at)) == ONE_OR_TWO)
		return err_printf(r->err, "'%.32s' is one decimal number or two coordinates: "
			"expected blanks between", word[1]);
	return reader_place(r, word[c->host], grid, at, found);
}

static int coords_file_end(struct reader *r)
{
	*(struct coords *)r->state = (struct coords){0};
	return 0;
}

const struct import_reader import_coords = {.name = "coords", .state = sizeof(struct coords),
	.placed = true, .line = coords_line, .file_end = coords_file_end};
