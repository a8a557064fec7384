/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The terminal: a grid of characters, two columns to a cell, which is printed at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "view/picture.h"
#include "sim/human.h"
#include "sim/need.h"

/* A character. */
struct spot {
	char letter;
	short colour; /* 0: none, otherwise 1 + job % COLOURS, or negative: a state */
};

struct grid {
	FILE *file;
	bool colour;
	const struct mesh *mesh;
	int columns, height;
	struct spot *at;
};

/* Backgrounds of the 256-colour palette on which black is readable; neighbours differ much. */
static const unsigned char palette[] = {114, 216, 111, 222, 176, 80, 210, 149, 147, 187, 217, 117,
	180, 158, 183, 229, 109, 203, 152, 193};
enum { COLOURS = sizeof(palette), DIM = -1, RED = -2 };

static void put(struct grid *g, int column, int y, char letter, int colour)
{
	if (y < g->height && column < g->columns)
		g->at[y * g->columns + column] = (struct spot){letter, (short)colour};
}

static void text_label(void *out, int x, int y, const char *text)
{
	for (int i = 0; text[i]; i++)
		put(out, 2 * x + i, y, text[i], 0);
}

static void text_cell(void *out, const struct cell *cell)
{
	static const char letter[] = {[CELL_HOLE] = ' ', [CELL_FREE] = '.', [CELL_DRAINED] = '%',
		[CELL_DOWN] = '#'};
	const struct mesh *mesh = ((struct grid *)out)->mesh;
	int colour = cell->kind == CELL_FREE ? DIM : cell->kind == CELL_HOLE ? 0 : RED;
	int down = mesh->down && cell->node >= 0 ? mesh->down[mesh->vertex_of[cell->node]] : 0;

	if (cell->kind == CELL_JOB)
		put(out, 2 * cell->x, cell->y, picture_letter(cell->job), 1 + cell->job % COLOURS);
	else
		put(out, 2 * cell->x, cell->y, letter[cell->kind], colour);
	/* Broken links up from a node: along the first dimension, the second, or others. */
	if (down)
		put(out, 2 * cell->x + 1, cell->y, down == 1 ? '|' : down == 2 ? '_' : '+', RED);
}

static void set_colour(const struct grid *g, int colour)
{
	if (!g->colour)
		return;
	if (colour > 0)
		fprintf(g->file, "\033[0;30;48;5;%dm", palette[colour - 1]);
	else
		fputs(colour == DIM ? "\033[0;2m" : colour == RED ? "\033[0;1;31m" : "\033[0m",
			g->file);
}

static void put_grid(const struct grid *g)
{
	for (int y = 0; y < g->height; y++) {
		const struct spot *row = g->at + y * g->columns;
		int last = g->columns - 1, colour = 0;

		while (last >= 0 && (!row[last].letter || row[last].letter == ' '))
			last--;
		for (int x = 0; x <= last; x++) {
			if (row[x].colour != colour)
				set_colour(g, row[x].colour);
			colour = row[x].colour;
			fputc(row[x].letter ? row[x].letter : ' ', g->file);
		}
		if (colour)
			set_colour(g, 0);
		fputc('\n', g->file);
	}
}

static const struct draw_ops text_ops = {.label = text_label, .cell = text_cell};

static void put_seconds(FILE *file, const char *before, double seconds)
{
	char text[32] = "-";

	if (seconds >= 0)
		human_text(HUMAN_SECONDS, seconds, text, sizeof(text));
	fprintf(file, "%s%9s", before, text);
}

static bool has(const char *text, const char *part)
{
	return text && strstr(text, part);
}

static bool is_wanted(const struct text_style *style, const char *id, const char *user,
	const char *partition)
{
	return !style->only || has(id, style->only) || has(user, style->only) ||
		has(partition, style->only);
}

/* The most first; of times, the least first. */
static int compare_rows(const void *a, const void *b, void *order)
{
	const struct picture_job *x = *(const struct picture_job *const *)a;
	const struct picture_job *y = *(const struct picture_job *const *)b;
	double by = 0;

	switch (*(const enum text_order *)order) {
	case TEXT_NODES: by = y->count - x->count; break;
	case TEXT_HOPS: by = y->mean_hops - x->mean_hops; break;
	case TEXT_LEFT: by = x->left - y->left; break;
	case TEXT_USER: by = strcmp(x->user ? x->user : "", y->user ? y->user : ""); break;
	default: break;
	}
	if (by != 0)
		return by < 0 ? -1 : 1;
	return (x > y) - (x < y);
}

/* Print the jobs that have nodes here. */
static void text_jobs(const struct picture *p, const struct grid *g, const struct text_style *style)
{
	const struct picture_job **row = need(calloc((size_t)p->njobs + 1, sizeof(*row)));
	enum text_order order = style->order;
	bool ends = false;
	int n = 0;

	for (int j = 0; j < p->njobs; j++) {
		const struct picture_job *job = &p->job[j];

		ends |= job->count && job->left >= 0;
		if (job->count && is_wanted(style, job->id, job->user, job->partition))
			row[n++] = job;
	}
	qsort_r(row, (size_t)n, sizeof(*row), compare_rows, &order);
	if (n)
		fprintf(g->file, "  %-12s %-10s %7s %9s%s\n", "job", "user", "nodes", "mean hops",
			ends ? " time left" : "");
	for (int k = 0; k < n; k++) {
		const struct picture_job *job = row[k];
		int i = (int)(job - p->job);

		set_colour(g, 1 + i % COLOURS);
		fputc(picture_letter(i), g->file);
		set_colour(g, 0);
		fprintf(g->file, " %-12s %-10s %7d %9.3f", job->id, job->user ? job->user : "-",
			job->count, job->mean_hops);
		if (ends)
			put_seconds(g->file, " ", job->left);
		fputc('\n', g->file);
	}
	free(row);
}

/* Print the jobs that wait, and slurmctld's word for the reason. */
static void text_queue(const struct picture *p, FILE *file, const struct text_style *style)
{
	if (!p->nwaiting)
		return;
	fprintf(file, "\n  %-12s %-10s %7s %9s %9s  %s\n", "waiting", "user", "nodes", "since",
		"starts in", "why");
	for (int i = 0; i < p->nwaiting; i++) {
		const struct picture_waiting *w = &p->waiting[i];
		char wish[96];

		if (!is_wanted(style, w->id, w->user, NULL))
			continue;
		fprintf(file, "  %-12s %-10s %7d", w->id, w->user ? w->user : "-", w->nodes);
		put_seconds(file, " ", w->since);
		put_seconds(file, " ", w->start);
		picture_wish(w, wish, sizeof(wish));
		if (has(w->why, wish)) /* slurmctld says so: Waits for a box of 4x2 */
			*wish = '\0';
		fprintf(file, "  %s%s%s\n", w->why, *wish ? ", " : "", wish);
	}
}

static void put_vertex(const struct mesh *mesh, int v, FILE *to)
{
	if (mesh_nodes_on(mesh, v))
		fputs(mesh->node_name[mesh->node_at[mesh->first[v]]], to);
	else
		for (int d = 0; d < mesh->ndims; d++)
			fprintf(to, "%s%d", d ? "," : "", mesh->coord[v][d]);
}

static void text_links(const struct mesh *mesh, FILE *file)
{
	enum { SHOWN = 8 };
	int n = 0;

	if (!mesh->down)
		return;
	fputs("| _ + broken links:", file);
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			if (!mesh_is_down(mesh, v, d) || n++ >= SHOWN)
				continue;
			putc(' ', file);
			put_vertex(mesh, v, file);
			putc(':', file);
			put_vertex(mesh, mesh_up(mesh, v, d), file);
		}
	if (n > SHOWN)
		fprintf(file, " and %d more", n - SHOWN);
	putc('\n', file);
}

static void text_legend(
	const struct picture *p, const struct grid *g, const struct text_style *style)
{
	struct picture_count c = picture_count(p);

	fprintf(g->file, "\n. free %d", c.free);
	if (c.drained)
		fprintf(g->file, "   %% drained %d", c.drained);
	if (c.down)
		fprintf(g->file, "   # down %d", c.down);
	fprintf(g->file, "   busy %d of %d\n", c.busy, p->mesh->nnodes);
	text_links(p->mesh, g->file);
	text_jobs(p, g, style);
	text_queue(p, g->file, style);
}

void draw_text(const struct picture *picture, FILE *file, const struct text_style *style)
{
	struct grid grid = {.file = file, .colour = style->colour, .mesh = picture->mesh};
	struct layout layout;

	fprintf(file, "%s\n\n", picture->title);
	layout_rows(&layout, picture->mesh, style->width / 2);
	grid.columns = 2 * layout.width;
	grid.height = layout.height;
	grid.at = need(calloc((size_t)grid.columns * (size_t)grid.height, sizeof(*grid.at)));
	picture_draw(picture, &layout, &text_ops, &grid);
	put_grid(&grid);
	free(grid.at);
	text_legend(picture, &grid, style);
}
