/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/cubes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "conf/shape.h"
#include "geometry/box.h"
#include "geometry/fold.h"
#include "sim/cubes_rooms.h"
#include "sim/need.h"
#include "sim/random.h"
#include "links/comm.h"
#include "walk/walk.h"

enum { MOST_VERTICES = 1 << 12, MOST_BOXES = MOST_VERTICES };

struct cubes_scratch {
	struct cubes cubes;
	struct rooms rooms;
	struct nodeset all;
	struct rooms_box *box; /* [MOST_BOXES] those in the fewest cubes first */
	struct slice slice;    /* of the last answer, if it is one */
	bool sliced;
};

/* --- the machine -------------------------------------------------------------------------- */

int cubes_parse(
	const char *text, const struct mesh *mesh, struct cubes *cubes, struct mesh_err *err)
{
	struct mesh_shape shape;

	if (shape_parse(text, &shape, err))
		return -1;
	if (shape.ndims != mesh->ndims || shape.torus || shape.fold || shape.norotate ||
		*shape.type)
		return err_printf(err,
			"a side for each of the %d dimensions, and nothing but :chips",
			mesh->ndims);
	if (mesh->nnodes != mesh->nvertices * mesh->nodes_per_vertex)
		return err_printf(err, "the mesh has holes");
	for (int d = 0; d < mesh->ndims; d++) {
		int chips = mesh_shape_chips(mesh, &shape, d);

		if (!chips)
			return err_printf(
				err, "chips: topology.conf has no NodeShape= for the mesh");
		if (shape.side[d] % chips || mesh->side[d] % (shape.side[d] / chips))
			return err_printf(err, "the mesh does not consist of such cubes");
		cubes->side[d] = shape.side[d] / chips;
	}
	return 0;
}

static int volume_of(const struct mesh *mesh, const struct cubes *cubes)
{
	return (int)box_volume(mesh->ndims, cubes->side);
}

/* The cube of a vertex, and the vertex's place in it. */
static int cube_of(const struct mesh *mesh, const struct cubes *cubes, int vertex, int *inside)
{
	int cube = 0, ncubes = 1, nvertices = 1;

	*inside = 0;
	for (int d = 0; d < mesh->ndims; d++) {
		int side = cubes->side[d], at = mesh->coord[vertex][d];

		cube += at / side * ncubes;
		*inside += at % side * nvertices;
		ncubes *= mesh->side[d] / side;
		nvertices *= side;
	}
	return cube;
}

double cubes_lost(const struct mesh *mesh, const struct cubes *cubes, const struct nodeset *down)
{
	int count = mesh->nvertices / volume_of(mesh, cubes), lost = 0, inside;
	struct nodeset hit;

	need_done(nodeset_init(&hit, count));
	nodeset_each(node, down)
		nodeset_add(&hit, cube_of(mesh, cubes, mesh->vertex_of[node], &inside));
	lost = nodeset_count(&hit);
	nodeset_release(&hit);
	return (double)lost / count;
}

void cubes_draw(struct nodeset *down, double availability, uint64_t seed)
{
	uint64_t random = random_stream(seed, 5);

	for (int node = 0; node < down->n; node++)
		if (random_unit(&random) >= availability)
			nodeset_add(down, node);
}

/* --- memory ------------------------------------------------------------------------------- */

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct cubes_scratch *s = strategy->scratch = need_get(arena, 1, sizeof(*s));

	s->cubes = *(const struct cubes *)strategy->ops->preset;
	if (volume_of(mesh, &s->cubes) > MOST_VERTICES)
		return err_printf(err, "a cube has more than %d vertices", MOST_VERTICES);
	need_array(arena, s->box, MOST_BOXES);
	need_done(nodeset_get(&s->all, mesh->nnodes, arena));
	rooms_init(&s->rooms, mesh, s->cubes.side, arena);
	nodeset_set_all(&s->all);
	for (int v = 0; v < mesh->nvertices; v++) {
		int inside, cube = cube_of(mesh, &s->cubes, v, &inside);

		s->rooms.vertex[cube * s->rooms.volume + inside] = v;
	}
	return 0;
}

/* --- what a request needs ----------------------------------------------------------------- */

struct need {
	struct cubes_scratch *scratch;
	const struct mesh *mesh;
	const struct mesh_shape *shape;
	int given[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
	bool used[MESH_MAX_DIMS];
	bool whole; /* only whole cubes; the job gets what it does not fill, too */
	int nbox;
};

/* The least number of cubes for the current sides; INT_MAX: more than there are. */
static int cubes_for(const struct need *n)
{
	const struct rooms *rooms = &n->scratch->rooms;
	int cubes = 1;

	for (int d = 0; d < n->mesh->ndims && cubes <= rooms->count; d++)
		cubes *= (n->side[d] - 1) / rooms->side[d] + 1;
	return cubes <= rooms->count ? cubes : INT_MAX;
}

/*
 * Add a box of the current sides; of whole cubes around them if they take several cubes or fill
 * one.
 */
static void add_box(struct need *n)
{
	struct rooms_box box = {.cubes = cubes_for(n), .volume = 1, .whole = n->whole};
	const int *cube = n->scratch->rooms.side;
	int volume = 1;

	for (int d = 0; d < n->mesh->ndims && box.cubes < INT_MAX; d++) {
		box.side[d] = n->whole ? ((n->side[d] - 1) / cube[d] + 1) * cube[d] : n->side[d];
		box.volume *= box.side[d];
		box.length += box.side[d];
		volume *= n->side[d];
	}
	if (box.cubes < INT_MAX && n->nbox < MOST_BOXES &&
		(!n->whole || box.cubes > 1 || volume == box.volume))
		n->scratch->box[n->nbox++] = box;
}

/* Try each order of the sides, equal ones once. */
static void orient(struct need *n, int d)
{
	int ndims = n->mesh->ndims, last = 0;

	for (int i = 0; i < ndims && d < ndims; i++) {
		int chips = mesh_shape_chips(n->mesh, n->shape, d);

		if (n->used[i] || (n->shape->norotate && i != d) || !chips ||
			n->given[i] % chips || n->given[i] == last)
			continue;
		n->used[i] = true;
		n->side[d] = (last = n->given[i]) / chips;
		orient(n, d + 1);
		n->used[i] = false;
	}
	if (d == ndims)
		add_box(n);
}

/*
 * Can the shape be folded into the current sides? Sides that span cubes are rings, unless the box
 * is inside one cube.
 */
static bool folds_into(const struct need *n)
{
	struct fold_grid shape = {.ndims = n->mesh->ndims}, box = {.ndims = n->mesh->ndims};
	const struct rooms *rooms = &n->scratch->rooms;
	bool rings = cubes_for(n) > 1 || !memcmp(n->side, rooms->side, sizeof(n->side));

	for (int d = 0; d < n->mesh->ndims; d++) {
		shape.side[d] = n->given[d];
		shape.ring[d] = n->shape->torus;
		box.side[d] = n->side[d];
		box.ring[d] = rings && n->side[d] % rooms->side[d] == 0;
	}
	return fold_fits(&shape, &box);
}

/* Add each box of `left` vertices from dimension d on into which the shape can be folded. */
static void fold_boxes(struct need *n, int d, int left)
{
	int unit = n->whole ? n->scratch->rooms.side[d] : 1;

	if (d == n->mesh->ndims - 1) {
		n->side[d] = left;
		if (left % unit == 0 && cubes_for(n) < INT_MAX && folds_into(n))
			add_box(n);
		return;
	}
	for (int side = unit; side <= left; side += unit)
		if (left % side == 0) {
			n->side[d] = side;
			fold_boxes(n, d + 1, left / side);
		}
}

/* Take the sides that are not 1, as many as the machine has. */
static int take_sides(struct need *n, struct mesh_err *err)
{
	const struct mesh_shape *shape = n->shape;
	int ndims = n->mesh->ndims, sides = 0;

	if (shape->walk)
		return err_printf(err, "a %s is not a box", walk_name(shape->walk));
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		n->given[d] = n->side[d] = 1;
	for (int d = 0; d < shape->ndims; d++) {
		if (shape->side[d] == 1 && (shape->norotate ? d >= ndims : shape->ndims > ndims))
			continue;
		if (sides == ndims)
			return err_printf(
				err, "a shape of more dimensions than the machine's %d", ndims);
		n->given[sides++] = shape->side[d];
	}
	return 0;
}

static int by_cubes(const void *a, const void *b)
{
	const struct rooms_box *x = a, *y = b;

	if (x->cubes != y->cubes)
		return x->cubes - y->cubes;
	if (x->volume != y->volume)
		return x->volume - y->volume;
	return x->length != y->length ? x->length - y->length
				      : memcmp(x->side, y->side, sizeof(x->side));
}

static int vertices_of(const struct need *n)
{
	int64_t vertices = 1;

	for (int d = 0; d < n->mesh->ndims && vertices <= n->mesh->nvertices; d++)
		vertices *= n->given[d];
	return vertices <= n->mesh->nvertices ? (int)vertices : 0;
}

/* A torus: folded inside a cube, of whole cubes, or a single vertex. */
static void need_torus(struct need *n, int vertices)
{
	int cube = n->scratch->rooms.volume;
	bool fold = n->shape->fold && vertices;

	if (fold && vertices < cube)
		fold_boxes(n, 0, vertices);
	if (n->nbox)
		return;
	n->whole = true;
	orient(n, 0);
	if (fold && vertices % cube == 0)
		fold_boxes(n, 0, vertices);
	if (n->nbox)
		return;
	n->whole = false;
	orient(n, 0);
	if (n->nbox && n->scratch->box[0].volume > 1)
		n->nbox = 0;
}

/*
 * Fold also with a longest side that is up to a sixteenth longer, of which the shape is a part. A
 * side of 166 can be folded in few ways, 168 in many. The job also gets the nodes at the end.
 */
static void fold_longer(struct need *n)
{
	int longest = 0, side;

	for (int d = 1; d < n->mesh->ndims; d++)
		longest = n->given[d] > n->given[longest] ? d : longest;
	side = n->given[longest];
	for (int vertices; n->given[longest] <= side + side / 16; n->given[longest]++)
		if ((vertices = vertices_of(n)))
			fold_boxes(n, 0, vertices);
}

static int need_shape(struct need *n, struct mesh_err *err)
{
	int vertices;

	if (take_sides(n, err))
		return -1;
	vertices = vertices_of(n);
	if (n->shape->torus)
		need_torus(n, vertices);
	else if (n->shape->fold && vertices)
		fold_longer(n);
	else
		orient(n, 0);
	return n->nbox ? 0 : err_printf(err, "no such box of cubes, or torus inside of one");
}

/*
 * A number of vertices: whole cubes in a box as near to a cube as possible, or any box inside one.
 */
static void need_count(struct need *n, int count)
{
	const struct rooms *rooms = &n->scratch->rooms;
	int vertices = (count - 1) / n->mesh->nodes_per_vertex + 1, ndims = n->mesh->ndims;
	int at[MESH_MAX_DIMS] = {0};

	n->whole = vertices >= rooms->volume;
	if (n->whole) {
		comm_grid_sides((vertices - 1) / rooms->volume + 1, ndims, n->side);
		for (int d = 0; d < ndims; d++)
			n->side[d] *= rooms->side[d];
		add_box(n);
		return;
	}
	do {
		int volume = 1;

		for (int d = 0; d < ndims; d++)
			volume *= n->side[d] = at[d] + 1;
		if (volume >= vertices)
			add_box(n);
	} while (rooms_step(ndims, at, rooms->side));
}

/* --- places ------------------------------------------------------------------------------- */

/*
 * Find the place that opens the fewest cubes that are whole so far, and of equal ones the first
 * box. any: only see whether there is a place.
 */
static const struct rooms_box *find_place(struct need *n, const struct nodeset *set, bool any,
	int *best_at)
{
	struct rooms *rooms = &n->scratch->rooms;
	const struct rooms_box *best = NULL;
	int least = INT_MAX;

	rooms_load(rooms, set);
	for (int i = 0; i < n->nbox && least && !(any && best); i++) {
		const struct rooms_box *box = &n->scratch->box[i];
		int at[MESH_MAX_DIMS], opened = rooms_best(rooms, box, at);

		if (opened < 0 || opened >= least)
			continue;
		least = opened;
		best = box;
		memcpy(best_at, at, sizeof(at));
	}
	return best;
}

/* A box of several cubes, or a whole cube, has links of its own: rings where it spans cubes. */
static void note_slice(struct need *n, const struct rooms_box *box)
{
	struct cubes_scratch *s = n->scratch;

	s->sliced = box->cubes > 1 || box->volume == s->rooms.volume;
	s->slice = (struct slice){.ndims = n->mesh->ndims};
	for (int d = 0; d < n->mesh->ndims; d++) {
		s->slice.side[d] = box->side[d];
		s->slice.open[d] = box->side[d] % s->rooms.side[d] != 0;
	}
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct cubes_scratch *s = strategy->scratch;
	struct need need = {.scratch = s, .mesh = strategy->mesh, .shape = &request->shape};
	const struct rooms_box *box;
	int at[MESH_MAX_DIMS];

	if (request->required) {
		err_printf(&answer->err, "cubes cannot be told which nodes to take");
		return MESH_ERROR;
	}
	if (!request->shape.ndims)
		need_count(&need, request->count);
	else if (need_shape(&need, &answer->err))
		return MESH_NEVER;
	qsort(s->box, (size_t)need.nbox, sizeof(*s->box), by_cubes);
	if ((box = find_place(&need, state->free, false, at))) {
		rooms_take(&s->rooms, box, at, answer);
		if (!box->whole && !request->shape.fold && answer->count > request->count)
			answer->count = request->count;
		note_slice(&need, box);
		return MESH_OK;
	}
	if (find_place(&need, state->usable ? state->usable : &s->all, true, at))
		return MESH_NO_FIT;
	err_printf(&answer->err, "there are not so many whole cubes, or no such box in one");
	return MESH_NEVER;
}

const struct slice *cubes_slice(const struct strategy *strategy)
{
	const struct cubes_scratch *s = strategy->scratch;

	return s->sliced ? &s->slice : NULL;
}

struct strategy_ops cubes_strategy(const struct cubes *cubes)
{
	return (struct strategy_ops){
		.name = "cubes",
		.summary = "boxes of cubes joined by optical switches, folded if that helps",
		.source = "Jouppi et al. 2023",
		.time = "O(boxes * places in a cube * cubes)",
		.flags = STRATEGY_CONTIGUOUS | STRATEGY_NO_RUNS | STRATEGY_BLOCKS,
		.preset = cubes,
		.init = init,
		.decide = decide,
	};
}

bool cubes_is(const struct strategy_ops *ops)
{
	return ops->decide == decide;
}
