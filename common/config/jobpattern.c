/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config/jobpattern.h"

#include <string.h>

#include "config/shape.h"

static int parse_grid(const char *text, struct comm_grid *grid, struct mesh_err *err)
{
	struct comm_grid g = {0};

	g.ndims = shape_sides(&text, g.side);
	if (*text || !comm_grid_ranks(&g))
		return err_printf(err,
			"a grid has 1 to %d sides, like grid:8x8x16, of at most %d ranks",
			MESH_MAX_DIMS, COMM_GRID_RANKS);
	*grid = g;
	return 0;
}

int mesh_pattern_parse(const char *text, struct mesh_pattern *pattern, struct mesh_err *err)
{
	struct mesh_pattern p = {.kind = COMM_GRID};

	if ((p.learnt = !strncmp(text, "learnt:", 7)))
		text += 7;
	if (!strncmp(text, "grid:", 5)) {
		if (parse_grid(text + 5, &p.grid, err))
			return -1;
	} else {
		p.kind = strcmp(text, "mix") ? comm_pattern_find(text) : MESH_PATTERN_MIX;
	}
	if (p.kind < 0)
		return err_printf(err,
			"expected all-to-all, ring, grid, grid:AxBxC, random, none or mix, not "
			"'%.64s'",
			text);
	*pattern = p;
	return 0;
}

void mesh_pattern_apply(const struct mesh_pattern *pattern, struct mesh_request *request)
{
	if (pattern->learnt)
		return;
	if (pattern->kind == COMM_NONE && request->hint == MESH_HINT_COMPACT)
		request->hint = MESH_HINT_SCATTER;
	request->pattern = COMM_NONE;
	if (pattern->kind >= 0 && pattern->kind < COMM_PATTERNS)
		request->pattern = (enum comm_pattern)pattern->kind;
	request->grid = pattern->grid;
}
