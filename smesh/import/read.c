/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/import.h"

struct reader {
	struct cables *cables;
	struct mesh_err *err;
	char switch_name[160]; /* InfiniBand: whose ports follow; empty: no switch's */
	int column[2];	     /* CSV: of the two ends */
	struct grid grid;    /* coordinates: its sides so far */
};

/* --- InfiniBand --------------------------------------------------------------------------- */

/* The text between the first pair of quotes, cut out of the line; *rest is what follows. NULL:
 * there is none. */
static char *quoted(char *text, char **rest)
{
	char *from = strchr(text, '"'), *to = from ? strchr(from + 1, '"') : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	*rest = to + 1;
	return from + 1;
}

/* The host of a channel adapter is the first word of its description. */
static int add_host(struct reader *r, int vertex, char *description)
{
	if (strstr(description, "Aggregation Node"))
		return 0; /* a part of a switch */
	description[strcspn(description, " \t")] = '\0';
	return cables_node(r->cables, description, vertex, r->err);
}

static int add_port(struct reader *r, const char *peer, char *description)
{
	int v = cables_vertex(r->cables, r->switch_name, r->err), u;

	if (v < 0 || !peer)
		return v < 0 ? -1 : add_host(r, v, description);
	u = cables_vertex(r->cables, peer, r->err);
	return u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/*
 * Switches are vertices, hosts the nodes on them. What hosts say of their own ports is not looked
 * at, as the switches say it too.
 *
 * Switch  8 "S-000000000020000a"   # "sw_2_2" base port 0 lid 3 lmc 0
 * [1]  "S-000000000020000b"[2]     # "sw_3_2" lid 4 4xSDR
 * [5]  "H-0000000000100028"[1](100029)   # "node20 HCA-1" lid 9 4xSDR
 */
static int net_line(struct reader *r, char *text)
{
	bool port = *text == '[', head = !strncmp(text, "Switch", 6);
	char *rest, *id, *description;

	if (!port && !head && strncmp(text, "Ca", 2) && strncmp(text, "Rt", 2))
		return 0;
	if (!(id = quoted(text, &rest)) || !(description = quoted(rest, &rest)))
		return err_printf(r->err, "expected \"ID\" and # \"DESCRIPTION\"");
	if (!port)
		snprintf(r->switch_name, sizeof(r->switch_name), "%s", head ? id : "");
	if (!*r->switch_name)
		return 0;
	return port ? add_port(r, *id == 'S' ? id : NULL, description)
		    : cables_vertex(r->cables, id, r->err) < 0 ? -1 : 0;
}

/* --- lists of cables ----------------------------------------------------------------------- */

enum { FIELDS = 64 };

/* Fields between commas, semicolons or tabs, without blanks and quotes around. How many. */
static int split(char *text, char **field)
{
	int n = 0;

	for (char *one; n < FIELDS && (one = strsep(&text, ",;\t"));) {
		char *end = one + strlen(one);

		while (end > one && (isspace((unsigned char)end[-1]) || end[-1] == '"'))
			*--end = '\0';
		field[n++] = one + strspn(one, " \"");
	}
	return n;
}

/* A line that says which two columns have the ends: with two of these words. */
static bool is_header(struct reader *r, char *const *field, int n)
{
	static const char *const word[] = {"host", "hostname", "node", "source", "destination",
		"from", "to", "src", "dst", "host_a", "host_b", "node_a", "node_b", "host1",
		"host2"};
	int found = 0;

	for (int i = 0; i < n && found < 2; i++)
		for (size_t w = 0; w < sizeof(word) / sizeof(*word); w++)
			if (!strcasecmp(field[i], word[w])) {
				r->column[found++] = i;
				break;
			}
	return found == 2;
}

/* host[:port], host[/port]. Of a cutsheet the second line of the header says more: Source,,,,
 * Destination,,, and below Hostname,Tray,Port,Node Type,Hostname,Tray,Port,Node Type. */
static int cable_line(struct reader *r, char *text)
{
	char *field[FIELDS], *end[2];
	int n = split(text, field), v, u;

	if (*text == '#' || !n || (n == 1 && !*field[0]))
		return 0;
	if (!r->cables->ncables && is_header(r, field, n))
		return 0;
	if (r->column[0] == r->column[1])
		r->column[1] = 1;
	for (int i = 0; i < 2; i++) {
		if (r->column[i] >= n)
			return err_printf(r->err, "expected a cable's two ends");
		end[i] = field[r->column[i]];
		end[i][strcspn(end[i], ":/")] = '\0';
	}
	v = cables_host(r->cables, end[0], r->err);
	u = v < 0 ? -1 : cables_host(r->cables, end[1], r->err);
	return u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/* --- coordinates -------------------------------------------------------------------------- */

/* Numbers with a separator between. How many, or -1: there is something else, or too many. */
static int numbers(char *text, const char *separators, int *at)
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

/* host x y z, or host,x,y,z. A vertex is called after its place until all are known: vertices are
 * numbered anew then. */
static int coords_line(struct reader *r, char *text)
{
	char *host = text + strspn(text, " \t"), name[MESH_MAX_DIMS * 8];
	size_t length = strcspn(host, " \t,;"), used = 0;
	struct grid *grid = &r->grid;
	int at[MESH_MAX_DIMS] = {0}, n, v;

	if (!*host || *host == '#')
		return 0;
	n = host[length] ? numbers(host + length + 1, " \t,;:", at) : 0;
	host[length] = '\0';
	grid->ndims = grid->ndims ? grid->ndims : n;
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d",
			grid->ndims > 0 ? grid->ndims : 3, MESH_MAX_SIDE - 1);
	for (int d = 0; d < n; d++) {
		grid->side[d] = at[d] < grid->side[d] ? grid->side[d] : at[d] + 1;
		used += (size_t)snprintf(name + used, sizeof(name) - used, "%d:", at[d]);
	}
	v = cables_vertex(r->cables, name, r->err);
	return v < 0 ? -1 : cables_node(r->cables, host, v, r->err);
}

/* The vertices to their places. Coordinates may begin at 1. */
static int set_places(struct import *import, const struct grid *found, struct mesh_err *err)
{
	struct grids *grids = &import->grids;
	struct grid *grid;
	int low[MESH_MAX_DIMS];

	if (grids_init(grids, import->cables.nvertices) || !(grid = grids_add(grids)))
		return err_printf(err, "out of memory");
	*grid = *found;
	memcpy(low, grid->side, sizeof(low));
	for (int v = 0; v < grids->nvertices; v++) {
		char *text = import->cables.vertex_name[v];

		grids->grid_of[v] = 0;
		for (int d = 0; d < grid->ndims; d++, text++) {
			int at = grids->at[v][d] = (int)strtol(text, &text, 10);

			low[d] = at < low[d] ? at : low[d];
		}
	}
	for (int d = 0; d < grid->ndims; d++) {
		grid->side[d] -= low[d];
		for (int v = 0; v < grids->nvertices; v++)
			grids->at[v][d] -= low[d];
	}
	if (grid_cells(grid, MESH_MAX_VERTICES) < 0)
		return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
	return 0;
}

/* --- files -------------------------------------------------------------------------------- */

/* A line without its end, to be written to. 0, or -1 with text. */
typedef int take_line(struct reader *r, char *text);

/* In the order of IMPORT_FORMATS. */
static const struct {
	const char *name;
	take_line *line;
} formats[] = {
	{"ibnetdiscover", net_line},
	{"cables", cable_line},
	{"cutsheet", cable_line},
	{"coords", coords_line},
};

int import_format(const char *name)
{
	for (int i = 0; i < (int)(sizeof(formats) / sizeof(*formats)); i++)
		if (!strcasecmp(formats[i].name, name))
			return i;
	return -1;
}

static int read_lines(struct reader *r, take_line *take, const char *path, FILE *file)
{
	struct mesh_err why = {{0}}, *err = r->err;
	int line = 0, result = 0;
	char *text = NULL;
	size_t room = 0;

	r->err = &why;
	while (!result && getline(&text, &room, file) >= 0) {
		text[strcspn(text, "\n")] = '\0';
		result = take(r, text);
		line++;
	}
	free(text);
	r->err = err;
	if (result)
		return err_at(err, path, line, "%s", why.text);
	return line ? 0 : err_printf(err, "%s: %s", path, ferror(file) ? strerror(errno) : "empty");
}

static int read_file(struct reader *r, take_line *take, const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	if (!file)
		return err_printf(r->err, "%s: %s", path, strerror(errno));
	result = read_lines(r, take, path, file);
	if (file != stdin)
		fclose(file);
	return result;
}

int import_read(struct import *import, int format, char *const *path, bool wrap,
	struct mesh_err *err)
{
	take_line *take = formats[format].line;
	struct reader r = {.cables = &import->cables, .err = err};
	int result = 0;

	*import = (struct import){.placed = take == coords_line};
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		r.grid.wrap[d] = wrap;
	for (int i = 0; path[i] && !result; i++)
		result = read_file(&r, take, path[i]);
	if (result || cables_finish(&import->cables, err))
		return -1;
	return import->placed ? set_places(import, &r.grid, err)
			      : grids_find(&import->grids, &import->cables, err);
}

void import_release(struct import *import)
{
	cables_release(&import->cables);
	arena_release(&import->grids.arena);
}
