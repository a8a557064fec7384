/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/jobpattern.h"

#include <stdio.h>
#include <string.h>

bool mesh_pattern_in(const char *comment, char word[MESH_PATTERN_WORD],
	struct mesh_pattern *pattern)
{
	const char *at = comment ? strstr(comment, "mesh: ") : NULL;
	struct mesh_err err;

	at = at ? strstr(at, " pattern=") : NULL;
	if (at && sscanf(at, " pattern=%79[^ ;|\n]", word) == 1 &&
		!mesh_pattern_parse(word, pattern, &err))
		return true;
	*word = '\0';
	return false;
}
