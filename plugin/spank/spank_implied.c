/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_implied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/jobpattern.h"
#include "conf/shape.h"
#include "links/comm.h"
#include "spank/spank_opt.h"

/* Is this sbatch or salloc, whose options order nothing now, or has the user named the nodes? */
static bool orders_nothing(struct spank_opt *said)
{
	return spank_opt_read(said) && (!said->srun || said->nodelist);
}

char *spank_implied_by_shape(const char *text, int ntasks)
{
	struct mesh_shape shape;
	struct spank_opt said;
	struct mesh_err err;
	int64_t vertices = 1;
	char *value = NULL;

	if (shape_parse(text, &shape, &err) || orders_nothing(&said))
		return NULL;
	if (shape.walk && ntasks >= shape.side[0] &&
		(!said.nodes || said.nodes == shape.side[0]))
		return strdup(walk_name(shape.walk));
	if (!shape.fold)
		return NULL;
	for (int d = 0; d < shape.ndims && vertices <= ntasks; d++)
		vertices *= shape.side[d];
	if (vertices != ntasks || asprintf(&value, "grid:%.*s", (int)strcspn(text, ":"), text) < 0)
		return NULL;
	return value;
}

char *spank_implied_by_pattern(const char *text, int ntasks)
{
	struct mesh_pattern pattern = {.kind = MESH_PATTERN_UNSAID};
	struct spank_opt said;
	struct mesh_err err;
	char *value = NULL;

	if (orders_nothing(&said) || said.arbitrary)
		return NULL;
	if (text)
		mesh_pattern_parse(text, &pattern, &err);
	if (!pattern.learnt && pattern.kind == COMM_GRID &&
		comm_grid_ranks(&pattern.grid) == ntasks)
		return strdup(text);
	if (!pattern.learnt && pattern.kind == COMM_RING)
		return asprintf(&value, "grid:%d:torus", ntasks) < 0 ? NULL : value;
	return strdup("auto");
}
