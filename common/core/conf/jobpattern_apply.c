/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ask/ask.h"
#include "conf/jobpattern.h"

void mesh_pattern_apply(const struct mesh_pattern *pattern, struct mesh_request *request)
{
	if (pattern->learnt)
		return;
	if (pattern->kind == COMM_NONE && request->hint == MESH_HINT_COMPACT)
		request->hint = MESH_HINT_SCATTER;
	request->pattern = COMM_NONE;
	if (pattern->kind == COMM_RING || pattern->kind == COMM_GRID)
		request->pattern = (enum comm_pattern)pattern->kind;
	request->grid = pattern->grid;
}
