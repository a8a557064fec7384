/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/reader.h"

/* In the order of IMPORT_FORMATS. */
static const struct format *const formats[] = {
	&format_ibnetdiscover,
	&format_cables,
	&format_cutsheet,
	&format_coords,
	&format_slurm,
};

int import_format(const char *name)
{
	for (int i = 0; i < (int)(sizeof(formats) / sizeof(*formats)); i++)
		if (!strcasecmp(formats[i]->name, name))
			return i;
	return -1;
}

int reader_cable(struct reader *r, const char *a, const char *b)
{
	int v = cables_host(r->cables, a, r->err), u = cables_host(r->cables, b, r->err);

	return v < 0 || u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/* A vertex is called after its place until all are known: vertices are numbered anew then. */
int reader_place(struct reader *r, const char *node, int grid, const int *at)
{
	char name[MESH_MAX_DIMS * 8 + 16];
	int length = snprintf(name, sizeof(name), "%d", grid), v;

	for (int d = 0; d < r->grids->grid[grid].ndims; d++) {
		if (at[d] >= r->grids->grid[grid].side[d])
			return err_printf(r->err, "%.64s is outside of %s", node,
				r->grids->grid[grid].name);
		length += snprintf(name + length, sizeof(name) - (size_t)length, ":%d", at[d]);
	}
	v = cables_vertex(r->cables, name, r->err);
	return v < 0 ? -1 : cables_node(r->cables, node, v, r->err);
}

/* Coordinates may begin at 1 where nothing but them is given. */
static void from_zero(struct grids *grids, struct grid *grid)
{
	for (int d = 0; d < grid->ndims; d++) {
		int low = grid->side[d];

		for (int v = 0; v < grids->nvertices; v++)
			low = grids->at[v][d] < low ? grids->at[v][d] : low;
		for (int v = 0; v < grids->nvertices; v++)
			grids->at[v][d] -= low;
		grid->side[d] -= low;
	}
}

static int set_places(struct import *import, struct mesh_err *err)
{
	struct grid *grid = import->grids.grid;
	int ngrids = import->grids.ngrids;

	if (grids_init(&import->grids, import->cables.nvertices))
		return err_printf(err, "out of memory");
	import->grids.grid = grid;
	import->grids.ngrids = ngrids;
	for (int v = 0; v < import->cables.nvertices; v++) {
		char *text = import->cables.vertex_name[v];

		import->grids.grid_of[v] = (int)strtol(text, &text, 10);
		for (int d = 0; *text; d++)
			import->grids.at[v][d] = (int)strtol(text + 1, &text, 10);
	}
	if (ngrids && !*grid->name)
		from_zero(&import->grids, grid);
	for (int i = 0; i < ngrids; i++)
		if (grid_cells(&grid[i], MESH_MAX_VERTICES) < 0)
			return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
	return 0;
}

static int read_lines(struct reader *r, const struct format *format, const char *path, FILE *file)
{
	struct mesh_err why = {{0}}, *err = r->err;
	int line = 0, result = 0;
	char *text = NULL;
	size_t room = 0;

	r->err = &why;
	while (!result && getline(&text, &room, file) >= 0) {
		text[strcspn(text, "\n")] = '\0';
		result = format->line(r, text);
		line++;
	}
	free(text);
	r->err = err;
	if (result)
		return err_at(err, path, line, "%s", why.text);
	return line ? 0 : err_printf(err, "%s: %s", path, ferror(file) ? strerror(errno) : "empty");
}

static int read_file(struct reader *r, const struct format *format, const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	if (!file)
		return err_printf(r->err, "%s: %s", path, strerror(errno));
	result = read_lines(r, format, path, file);
	if (file != stdin)
		fclose(file);
	return result;
}

int import_read(struct import *import, int format, char *const *path, const struct grid *hint,
	struct mesh_err *err)
{
	const struct format *f = formats[format];
	struct reader r = {
		.cables = &import->cables, .grids = &import->grids, .hint = hint, .err = err};
	int result = 0;

	*import = (struct import){.placed = f->placed};
	for (int i = 0; path[i] && !result; i++)
		result = read_file(&r, f, path[i]);
	if (result || cables_finish(&import->cables, err))
		return -1;
	if (f->placed)
		return set_places(import, err);
	return grids_find(&import->grids, &import->cables, hint, err);
}

void import_release(struct import *import)
{
	cables_release(&import->cables);
	grids_release(&import->grids);
}
