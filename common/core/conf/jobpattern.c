/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/jobpattern.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "conf/shape.h"
#include "links/comm.h"

static int parse_grid(const char *text, struct comm_grid *grid, struct mesh_err *err)
{
	struct comm_grid g = {0};

	g.ndims = shape_sides(&text, g.side);
	if (g.ndims && (*text == '*' || *text == ':'))
		return err_printf(err,
			"*WEIGHT, :POINTS and :torus behind a grid belong to --mesh-ranks: here "
			"name the sides alone, like grid:16x8");
	if (*text || !comm_grid_ranks(&g))
		return err_printf(err,
			"a grid has 1 to %d sides, like grid:8x8x16, of at most %d ranks",
			MESH_MAX_DIMS, COMM_GRID_RANKS);
	*grid = g;
	return 0;
}

/* learnt:PATTERN[,SHARE%]: copy PATTERN to word. */
static void take_learnt(struct mesh_pattern *p, const char *text, char word[MESH_PATTERN_WORD])
{
	int share = 0, end = 0;
	const char *comma;

	p->learnt = !strncmp(text, "learnt:", 7);
	text += p->learnt ? 7 : 0;
	comma = p->learnt ? strchr(text, ',') : NULL;
	if (comma && sscanf(comma, ",%3d%%%n", &share, &end) == 1 && end && !comma[end] &&
		share >= 0 && share <= 100)
		p->share = share;
	else
		comma = NULL;
	snprintf(word, MESH_PATTERN_WORD, "%.*s", comma ? (int)(comma - text) : INT_MAX, text);
}

int mesh_pattern_parse(const char *text, struct mesh_pattern *pattern, struct mesh_err *err)
{
	struct mesh_pattern p = {.kind = COMM_GRID, .share = -1};
	char word[MESH_PATTERN_WORD];

	take_learnt(&p, text, word);
	if (!strncmp(word, "grid:", 5)) {
		if (parse_grid(word + 5, &p.grid, err))
			return -1;
	} else {
		p.kind = strcmp(word, "mix") ? comm_pattern_find(word) : MESH_PATTERN_MIX;
	}
	if (p.kind < 0)
		return err_printf(err,
			"expected all-to-all, ring, grid, grid:AxBxC, random, none or mix, not "
			"'%.64s'",
			text);
	*pattern = p;
	return 0;
}
