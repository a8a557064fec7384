/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads files of other programs: the table of formats, their lines, and what becomes of the graph.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/reader.h"

/* In the order of IMPORT_FORMATS. */
static const struct import_reader *const formats[] = {&import_ibnetdiscover, &import_iblinkinfo,
	&import_cables, &import_cutsheet, &import_textproto, &import_coords, &import_scontrol,
	&import_yaml, &import_clusterdesc};

int import_format(const char *name)
{
	for (int i = 0; i < IMPORT_READERS; i++)
		if (!strcasecmp(formats[i]->name, name))
			return i;
	return -1;
}

/* --- files -------------------------------------------------------------------------------- */

/* Skip a byte order mark, and refuse UTF-16 and compressed files. 0, or -1 with text. */
static int check_start(struct reader *r, char **text)
{
	if (!strncmp(*text, "\xef\xbb\xbf", 3))
		*text += 3;
	if (!strncmp(*text, "\xff\xfe", 2) || !strncmp(*text, "\xfe\xff", 2))
		return err_printf(r->err, "UTF-16: expected UTF-8");
	if (!strncmp(*text, "\x1f\x8b", 2))
		return err_printf(r->err, "compressed by gzip: expected text, as by zcat (- reads "
			"standard input)");
	return 0;
}

/* What only files of a format have. */
static const struct {
	const char *part, *format;
} marks[] = {{"switchguid=", "ibnetdiscover"}, {")==>", "iblinkinfo"},
	{"eth_connections", "textproto"}, {"chip_unique_ids", "clusterdesc"},
	{"torus3d:", "yaml"}, {"TorusName=", "scontrol"}, {"RingName=", "scontrol"},
	{"NodeName=", "scontrol"}, {"MeshName=", "topology.conf or scontrol"}};

/* Add to an error that the file looks like one of another format, if it does. */
static void add_looks(const struct reader *r, const char *format, struct mesh_err *err)
{
	struct mesh_err why = *err;

	if (r->looks && !strstr(r->looks, format))
		err_printf(err, "%.190s (the file looks like %s)", why.text, r->looks);
}

/* Cut off the end of a line, and refuse what would hide the rest. 0, or -1 with text. */
static int cut_end(struct reader *r, char *line, size_t length)
{
	size_t end = strcspn(line, "\r\n");

	if (strlen(line) < length)
		return err_printf(r->err, "a NUL byte (UTF-16? Expected UTF-8)");
	if (line[end + strspn(line + end, "\r\n")])
		return err_printf(r->err, "lines end with carriage returns alone: expected "
			"newlines, as by tr '\\r' '\\n'");
	line[end] = '\0';
	return 0;
}

static int read_lines(struct reader *r, const struct import_reader *format, FILE *file)
{
	char *line = NULL, *text;
	size_t room = 0;
	ssize_t length;
	int result = 0;

	for (r->line = 0; !result && (length = getline(&line, &room, file)) >= 0;) {
		text = line;
		if (!r->line++)
			result = check_start(r, &text);
		result = result ? result : cut_end(r, line, (size_t)length);
		for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && !r->looks; i++)
			if (strstr(text, marks[i].part))
				r->looks = marks[i].format;
		result = result ? result : format->line(r, text);
	}
	if (!result && ferror(file))
		result = err_printf(r->err, "%s", strerror(errno));
	free(line);
	if (!result && r->line && format->file_end)
		result = format->file_end(r);
	return result;
}

static int read_file(struct reader *r, const struct import_reader *format)
{
	FILE *file = strcmp(r->path, "-") ? fopen(r->path, "re") : stdin;
	int result;

	r->looks = NULL;
	r->line = 0;
	if (!file)
		return err_printf(r->err, "%s", strerror(errno));
	result = read_lines(r, format, file);
	if (result)
		add_looks(r, format->name, r->err);
	else if (!r->line)
		result = err_printf(r->err, "empty");
	if (file != stdin)
		fclose(file);
	return result;
}

static int read_files(struct reader *r, const struct import_reader *format, char *const *path)
{
	const struct cables *c = r->cables;
	struct mesh_err why = {{0}}, *err = r->err;
	int result = 0;

	r->state = need_get(&r->arena, 1, format->state);
	r->err = &why;
	for (r->file = 0; path[r->file] && !result; r->file++) {
		r->path = path[r->file];
		result = read_file(r, format);
	}
	if (!result && format->end)
		result = format->end(r);
	r->err = err;
	if (result)
		return r->line ? err_at(err, r->path, r->line, "%s", why.text)
			: err_printf(err, "%s: %s", r->path, why.text);
	if (c->nnodes && (r->import->placed || c->nseen || c->nvertices < 2))
		return 0;
	err_printf(err, "%s: no %s in it, read as %s", *path, c->nnodes ? "cables" : "nodes",
		format->name);
	add_looks(r, format->name, err);
	return -1;
}

/* --- the graph ----------------------------------------------------------------------------- */

/* Put the vertices to their places. Coordinates of a list may begin at 1. */
static int set_places(struct import *import, struct mesh_err *err)
{
	struct grids *grids = &import->grids;

	grids_init(grids, import->cables.nvertices);
	for (int v = 0; v < grids->nvertices; v++) {
		char *text = import->cables.vertex_name[v];

		grids->grid_of[v] = (int)strtol(text, &text, 10);
		for (int d = 0; *text; d++)
			grids->at[v][d] = (int)strtol(text + 1, &text, 10);
	}
	for (int d = 0; d < grids->grid->ndims && !*grids->grid->name; d++) {
		int low = grids->grid->side[d];

		for (int v = 0; v < grids->nvertices; v++)
			low = grids->at[v][d] < low ? grids->at[v][d] : low;
		grids->grid->side[d] -= low;
		for (int v = 0; v < grids->nvertices; v++)
			grids->at[v][d] -= low;
	}
	for (int i = 0; i < grids->ngrids; i++)
		if (grid_cells(&grids->grid[i], MESH_MAX_VERTICES) < 0)
			return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
	return 0;
}

/*
 * Put a node on several vertices to the one with most cables. Beside the torus there may be a
 * switch that reaches all hosts, or a second plane of the same size, of which all take the same.
 */
static void settle_nodes(struct import *import)
{
	const struct grids *grids = &import->grids;
	struct cables *c = &import->cables;
	int *size = need_get(&import->grids.arena, grids->ngrids + 1, sizeof(*size));

	for (int i = 0; i < c->ncables; i++)
		if (grids_along(grids, c->cable[i][0], c->cable[i][1]) >= 0)
			size[grids->grid_of[c->cable[i][0]]]++;
	for (int i = 0; i < c->nalso; i++) {
		int node = c->also[i][0], other = grids->grid_of[c->also[i][1]];
		int is = grids->grid_of[c->vertex_of[node]];

		if (size[other] > size[is] || (size[other] == size[is] && other < is))
			c->vertex_of[node] = c->also[i][1];
	}
}

/* Make each vertex that is in no graph a grid of its own. */
static int alone(struct import *import, struct mesh_err *err)
{
	struct grids *grids = &import->grids;

	grids_init(grids, import->cables.nvertices);
	for (int v = 0; v < grids->nvertices; v++) {
		struct grid *grid;

		if (import->parts.part[import->parts.of[v]].graph)
			continue;
		if (!(grid = grids_add(grids)))
			return err_printf(err, "%s", import->far.text);
		grid->ndims = grid->side[0] = 1;
		grids->grid_of[v] = grids->ngrids - 1;
	}
	return 0;
}

/* Have all neighbours at least twice its cables, as the switches of a host have? */
static bool is_leaf(const struct cables *c, int v)
{
	neighbours(u, v, c)
		if (cables_degree(c, u) < 2 * cables_degree(c, v))
			return false;
	return cables_degree(c, v) > 0;
}

/* The names of a part, those that look like hosts of switches, and the switches. */
struct likely {
	int names, leaves, switches, first;
};

static struct likely *count_likely(struct import *import)
{
	const struct cables *c = &import->cables;
	struct arena *arena = &import->parts.arena;
	struct likely *likely = need_get(arena, import->parts.nparts, sizeof(*likely));
	bool *joins = need_get(arena, c->nvertices, sizeof(*joins));

	for (int v = 0; v < c->nvertices; v++) {
		struct likely *part = &likely[import->parts.of[v]];

		part->names++;
		if (!is_leaf(c, v))
			continue;
		part->leaves++;
		neighbours(u, v, c) {
			part->first = part->switches ? part->first : u;
			part->switches += !joins[u];
			joins[u] = true;
		}
	}
	return likely;
}

/*
 * Refuse a graph whose names are switches, too, as where a list has the cables of a fat tree: a
 * quarter of the names or more are cabled only to half as many or fewer, of twice the cables.
 */
static int check_switches(struct import *import, struct mesh_err *err)
{
	const struct likely *likely = count_likely(import);

	for (int i = 0; i < import->parts.nparts; i++, likely++) {
		if (!import->parts.part[i].graph || likely->leaves < 4 ||
			4 * likely->leaves < likely->names || likely->leaves < 2 * likely->switches)
			continue;
		return err_printf(err, "far from any grid: %d of %d names are cabled only to "
			"%.64s%s, with twice their cables or more, as to switches: expected cables "
			"between hosts", likely->leaves, likely->names,
			import->cables.vertex_name[likely->first],
			likely->switches > 1 ? " and others" : "");
	}
	return 0;
}

/* Cables= takes hosts that are cabled to each other, so each vertex must have a node. */
static int check_graphs(struct import *import, struct mesh_err *err)
{
	const struct cables *c = &import->cables;
	int *nodes = need_get(&import->parts.arena, c->nvertices, sizeof(*nodes));

	for (int i = 0; i < c->nnodes; i++)
		nodes[c->vertex_of[i]]++;
	for (int v = 0; v < c->nvertices; v++) {
		const struct part *part = &import->parts.part[import->parts.of[v]];

		if (!part->graph || nodes[v] == 1)
			continue;
		if (*import->far.text)
			return err_printf(err, "%s", import->far.text);
		return err_printf(err, "far from any grid: the best has %d of %d cables, and %.64s "
			"with %d nodes cannot be in a Cables= list, which is of hosts",
			part->inside, part->cables, c->vertex_name[v], nodes[v]);
	}
	return check_switches(import, err);
}

/* Find the hubs, the grids, and the parts that are graphs. */
static int find_machine(struct import *import, struct mesh_err *err)
{
	struct cables *c = &import->cables;
	bool *hub = need_get(&c->arena, c->nvertices, sizeof(*hub));
	bool none;

	import->hub = hubs_leave_out(c, hub) ? hub : NULL;
	none = grids_find(&import->grids, c, &import->far);
	if (!none)
		settle_nodes(import);
	parts_judge(&import->parts, &import->grids, c, none);
	if (none) {
		arena_release(&import->grids.arena);
		import->grids = (struct grids){.ngrids = 0};
		if (alone(import, err))
			return -1;
	}
	return check_graphs(import, err);
}

int import_read(struct import *import, int format, char *const *path, bool wrap,
	struct mesh_err *err)
{
	const struct import_reader *f = formats[format];
	struct reader r = {.import = import, .cables = &import->cables, .err = err,
		.wrap = wrap || f == &import_scontrol || f == &import_yaml};
	struct mesh_err why = {{0}};
	int result;

	*import = (struct import){.placed = f->placed};
	result = read_files(&r, f, path);
	arena_release(&r.arena);
	if (result)
		return -1;
	if (cables_finish(&import->cables, &why))
		return err_printf(err, "%s: %s", *path, why.text);
	result = import->placed ? set_places(import, err) : find_machine(import, err);
	if (!result)
		import_list(import);
	return result;
}

void import_release(struct import *import)
{
	cables_release(&import->cables);
	arena_release(&import->grids.arena);
	arena_release(&import->parts.arena);
}
