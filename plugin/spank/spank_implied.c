/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_implied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/jobpattern.h"
#include "conf/shape.h"
#include "geometry/box.h"
#include "links/comm.h"
#include "spank/spank_opt.h"
#include "spank/spank_options.h"

bool spank_implied_auto;

static char *by_shape(const char *text, int ntasks, const struct spank_opt *said)
{
	struct mesh_shape shape;
	struct mesh_err err;
	char *value = NULL;

	if (shape_parse(text, &shape, &err))
		return NULL;
	if (shape.walk && ntasks >= shape.side[0] &&
		(!said->nodes || said->nodes == shape.side[0]))
		return strdup(walk_name(shape.walk));
	if (!shape.fold || box_volume(shape.ndims, shape.side) != ntasks ||
		asprintf(&value, "grid:%.*s", (int)strcspn(text, ":"), text) < 0)
		return NULL;
	return value;
}

static char *by_pattern(const char *text, int ntasks)
{
	struct mesh_pattern pattern = {.kind = MESH_PATTERN_UNSAID};
	struct mesh_err err;
	char *value = NULL;

	if (text)
		mesh_pattern_parse(text, &pattern, &err);
	if (!pattern.learnt && pattern.kind == COMM_GRID &&
		comm_grid_ranks(&pattern.grid) == ntasks)
		return strdup(text);
	if (!pattern.learnt && pattern.kind == COMM_RING)
		return asprintf(&value, "grid:%d:torus", ntasks) < 0 ? NULL : value;
	return strdup("auto");
}

char *spank_implied_order(int ntasks)
{
	const char *shape = spank_options_value(MESH_USER_SHAPE);
	struct spank_opt said;
	char *value;

	/* The options of sbatch and salloc order nothing now. */
	if (spank_opt_read(&said) && (!said.srun || said.nodelist))
		return NULL;
	value = shape ? by_shape(shape, ntasks, &said) : NULL;
	if (value || !spank_implied_auto || said.arbitrary)
		return value;
	return by_pattern(spank_options_value(MESH_USER_PATTERN), ntasks);
}
