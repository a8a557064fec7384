/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists: a cable a line, a node with its coordinates a line, and what scontrol shows.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hostlist.h"
#include "import/reader.h"

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

/* host[:port], host[/port] */
static int cable_line(struct reader *r, char *text)
{
	char *field[FIELDS], *end[2];
	int n = split(text, field);

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
	return reader_cable(r, end[0], end[1]);
}

const struct format format_cables = {
	.name = "cables",
	.line = cable_line,
};

/* As above, where the second line of the header says more: Source,,,,Destination,,, and below
 * Hostname,Tray,Port,Node Type,Hostname,Tray,Port,Node Type. */
const struct format format_cutsheet = {
	.name = "cutsheet",
	.line = cable_line,
};

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

/* host x y z, or host,x,y,z */
static int coords_line(struct reader *r, char *text)
{
	char *host = text + strspn(text, " \t");
	size_t length = strcspn(host, " \t,;");
	struct grid *grid = r->grids->grid;
	int at[MESH_MAX_DIMS] = {0}, n;

	if (!*host || *host == '#')
		return 0;
	n = host[length] ? numbers(host + length + 1, " \t,;", at) : 0;
	host[length] = '\0';
	if (!grid && !(grid = grids_add(r->grids)))
		return err_printf(r->err, "out of memory");
	grid->ndims = grid->ndims ? grid->ndims : n;
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d",
			grid->ndims > 0 ? grid->ndims : 3, MESH_MAX_SIDE - 1);
	for (int d = 0; d < n; d++) {
		grid->side[d] = at[d] < grid->side[d] ? grid->side[d] : at[d] + 1;
		grid->wrap[d] = r->hint->wrap[d];
	}
	return reader_place(r, host, 0, at);
}

const struct format format_coords = {
	.name = "coords",
	.line = coords_line,
	.placed = true,
};

/* The value of a key among the words of a line, copied into value[160]; false: it has none. */
static bool value_of(const char *text, const char *key, char *value)
{
	const char *at = text;
	size_t length = strlen(key);

	while ((at = strstr(at, key)) && at > text && at[-1] != ' ')
		at += length;
	if (!at)
		return false;
	snprintf(value, 160, "%.*s", (int)strcspn(at + length, " \r"), at + length);
	return true;
}

static bool is_yes(const char *word)
{
	return word && !strncasecmp(word, "yes", 3);
}

/* TorusName=t Dims=4x4x4, RingName=r RingSize=8, and MeshName=m Dims=4x4 Wrap=yes,no */
static int mesh_line(struct reader *r, const char *text, const char *name)
{
	char value[160], *at = value;
	struct grid *grid = grids_add(r->grids);
	int n;

	if (!grid || !(value_of(text, "Dims=", value) || value_of(text, "RingSize=", value)))
		return err_printf(r->err, grid ? "expected Dims=" : "more than %d meshes",
			MESH_MAX_MESHES);
	snprintf(grid->name, sizeof(grid->name), "%.63s", name);
	if ((n = grid->ndims = numbers(value, "x", grid->side)) < 1)
		return err_printf(r->err, "expected sides in Dims=");
	if (!value_of(text, "Wrap=", value))
		at = NULL; /* Slurm's own are rings */
	for (int d = 0; d < n; d++)
		grid->wrap[d] = !at || is_yes(strsep(&at, ","));
	return 0;
}

/* torus0:3:1:0, or torus0.3.1.0. 1: it begins with no grid's name; otherwise as reader_place(). */
static int place_in(struct reader *r, char *text)
{
	for (int i = 0; i < r->grids->ngrids; i++) {
		const struct grid *grid = &r->grids->grid[i];
		size_t length = strlen(grid->name);
		int at[MESH_MAX_DIMS] = {0};

		if (strncmp(text, grid->name, length) ||
			(text[length] != ':' && text[length] != '.'))
			continue;
		if (numbers(text + length, ":.", at) != grid->ndims)
			return err_printf(r->err, "not a place of %s", grid->name);
		return reader_place(r, r->node_name, i, at);
	}
	return 1;
}

/* Units with commas between, each perhaps behind a topology: default:torus0:3:1:0 */
static int address(struct reader *r, char *list)
{
	int result = 1;

	for (char *unit, *colon; result == 1 && (unit = strsep(&list, ","));) {
		colon = strchr(unit, ':');
		if (colon)
			result = place_in(r, colon + 1);
		if (result == 1)
			result = place_in(r, unit);
	}
	return result == 1 ? 0 : result;
}

static int slurm_line(struct reader *r, char *text)
{
	static const char *const kind[] = {"TorusName=", "RingName=", "MeshName="};
	char value[160];

	text += strspn(text, " ");
	for (int i = 0; i < 3; i++)
		if (value_of(text, kind[i], value) && !strstr(text, "PlacementDims="))
			return mesh_line(r, text, value);
	if (!strncmp(text, "SwitchName=", 11) || !strncmp(text, "BlockName=", 10))
		return err_printf(
			r->err, "trees and blocks have no coordinates: import the cables");
	if (value_of(text, "NodeName=", value))
		memcpy(r->node_name, value, sizeof(value));
	if (value_of(text, "Topology=", value) || value_of(text, "Address=", value))
		return address(r, value);
	return 0;
}

const struct format format_slurm = {
	.name = "slurm",
	.line = slurm_line,
	.placed = true,
};
