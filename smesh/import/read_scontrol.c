/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What scontrol shows of topologies and nodes, on one line or several, in any order: the sides of
 * each grid, and where the nodes are.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hostlist.h"
#include "import/reader.h"

enum { WORD = 256 };

/* A node and one unit of its Topology= or Address=. */
struct place {
	char *node, *unit;
	const char *path;
	int line;
};

struct scontrol {
	char node[WORD]; /* the node whose lines follow */
	struct place *place;
	int nplaces;
	bool zero[MESH_MAX_MESHES][MESH_MAX_DIMS]; /* a node is at 0 along this dimension */
	int nodes[MESH_MAX_MESHES]; /* of the topology, less those that have a place */
};

/* What is behind KEY= in a line, or NULL. */
static const char *behind(const char *text, const char *key)
{
	const char *at = text;

	while ((at = strstr(at, key)) && at > text && !strchr(" \t", at[-1]))
		at++;
	return at ? at + strlen(key) : NULL;
}

/* Copy the word behind KEY= in a line, at most WORD - 1 characters. False: there is none. */
static bool value_of(const char *text, const char *key, char *value)
{
	const char *at = behind(text, key);

	if (at)
		snprintf(value, WORD, "%.*s", (int)strcspn(at, " \t"), at);
	return at;
}

/* Count the nodes in a topology's line; topology/mesh has their number there. */
static int count_nodes(struct reader *r, const char *text)
{
	const char *at = behind(text, "Nodes=");
	char *list = need_text(&r->arena, at ? at : "");
	struct mesh_err why;

	list[strcspn(list, " \t")] = '\0';
	return list[strspn(list, "0123456789")] ? hostlist_check_any(list, &why) : atoi(list);
}

/* TorusName=t Dims=4x4x4, RingName=r RingSize=8, MeshName=m Dims=4x4 Wrap=yes,no */
static int sides(struct reader *r, const char *name, const char *text)
{
	struct grid *grid = reader_grid(r, name);
	struct scontrol *s = r->state;
	char value[WORD], *wrap = value;
	int side[MESH_MAX_DIMS], n;

	if (!grid || !(value_of(text, "Dims=", value) || value_of(text, "RingSize=", value)))
		return grid ? 0 : -1;
	n = reader_numbers(value, "x", side);
	grid->ndims = grid->ndims ? grid->ndims : n;
	for (int d = 0; d < n; d++) {
		grid->side[d] = side[d] > grid->side[d] ? side[d] : grid->side[d];
		n = side[d] ? n : -1;
	}
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected sides in Dims=");
	if (value_of(text, "Wrap=", value) && strcasecmp(value, "all") != 0)
		for (int d = 0; d < grid->ndims; d++)
			grid->wrap[d] = wrap && !strcasecmp(strsep(&wrap, ","), "yes");
	grid->said = true;
	s->nodes[grid - r->import->grids.grid] = count_nodes(r, text);
	return 0;
}

/* Topology=, a list of default:torus0:3:1:0, or Address=torus0.3.1.0. */
static int scontrol_line(struct reader *r, char *text)
{
	struct scontrol *s = r->state;
	char value[WORD], *list;
	const char *at;

	if (!strncmp(text, "NodeName=", 9)) /* what others write may have it, too */
		value_of(text, "NodeName=", s->node);
	if (value_of(text, "TorusName=", value) || value_of(text, "RingName=", value) ||
		value_of(text, "MeshName=", value))
		return sides(r, value, text);
	if (!(at = behind(text, "Topology=")) && !(at = behind(text, "Address=")))
		return 0;
	list = need_text(&r->arena, at); /* long where a node is in many topologies */
	list[strcspn(list, " \t")] = '\0';
	for (char *unit; (unit = strsep(&list, ","));)
		need_append(&r->arena, s->place, s->nplaces,
			(struct place){need_text(&r->arena, s->node), unit, r->path, r->line});
	return 0;
}

/*
 * The grid that a unit names, if coordinates of all its dimensions follow; *at: the coordinates. A
 * name may contain dots and digits.
 */
static struct grid *known_grid(struct reader *r, char *unit, char **at)
{
	struct grids *grids = &r->import->grids;

	for (int i = 0; i < grids->ngrids; i++) {
		const char *name = grids->grid[i].name;
		char *rest = unit + strlen(unit);
		int n = grids->grid[i].ndims;

		while (rest > unit && n > 0) {
			rest--;
			n -= *rest == ':' || *rest == '.';
		}
		size_t length = strlen(name), before = (size_t)(rest - unit);

		if (!n && before >= length && !strncmp(rest - length, name, length) &&
			(before == length || rest[-(ptrdiff_t)length - 1] == ':') &&
			*rest && !rest[1 + strspn(rest + 1, "0123456789:.")]) {
			*at = rest + 1;
			return &grids->grid[i];
		}
	}
	return NULL;
}

/*
 * The grid of a unit if only places of nodes are known: its name ends where the numbers begin. All
 * of these have the same separator behind them.
 */
static struct grid *new_grid(struct reader *r, char *unit, char **at)
{
	const char *dot = strrchr(unit, '.'), *colon = strrchr(unit, ':');
	char *name, separator = colon && colon > (dot ? dot : unit) ? ':' : '.';

	*at = unit + strlen(unit);
	while (*at > unit && (isdigit((unsigned char)(*at)[-1]) || (*at)[-1] == separator))
		--*at;
	*at += strcspn(*at, (const char[]){separator, '\0'});
	if (!**at)
		return NULL; /* the unit is of a tree */
	*(*at)++ = '\0';
	name = strrchr(unit, ':');
	return reader_grid(r, name ? name + 1 : unit);
}

/*
 * Coordinates begin at 0. Where no node has 0 along a dimension, this may be a number at the end of
 * a name: pod.1.0.0.0.
 */
static int check_begin(struct reader *r)
{
	const struct grids *grids = &r->import->grids;
	const struct scontrol *s = r->state;

	for (int i = 0; i < grids->ngrids; i++)
		for (int d = 0; d < grids->grid[i].ndims; d++)
			if (!grids->grid[i].said && !s->zero[i][d])
				return err_printf(r->err, "no node of %s is at 0 along dimension "
					"%d, which may be a part of the name: expected what "
					"scontrol show topology prints, too", grids->grid[i].name,
					d + 1);
	return 0;
}

static int scontrol_end(struct reader *r)
{
	struct scontrol *s = r->state;

	for (int i = 0; i < s->nplaces; i++) {
		const struct place *place = &s->place[i];
		int at[MESH_MAX_DIMS], n, number;
		char *text;
		struct grid *grid = known_grid(r, place->unit, &text);

		r->path = place->path;
		r->line = place->line;
		if (!grid && !(grid = new_grid(r, place->unit, &text))) {
			if (*r->err->text)
				return -1;
			continue;
		}
		n = reader_numbers(text, ":.", at);
		for (int d = 0; grid->said && d < n && n == grid->ndims; d++)
			if (at[d] >= grid->side[d])
				return err_printf(r->err, "%.64s is at %d of %s, which has 0 to %d "
					"there", place->node, at[d], grid->name, grid->side[d] - 1);
		if (reader_place(r, place->node, grid, at, n))
			return -1;
		number = (int)(grid - r->import->grids.grid);
		s->nodes[number]--;
		for (int d = 0; d < n; d++)
			s->zero[number][d] |= !at[d];
	}
	for (int i = 0; i < r->import->grids.ngrids; i++)
		r->import->placeless += s->nodes[i] > 0 ? s->nodes[i] : 0;
	return check_begin(r);
}

const struct import_reader import_scontrol = {.name = "scontrol",
	.state = sizeof(struct scontrol), .placed = true, .line = scontrol_line,
	.end = scontrol_end};
