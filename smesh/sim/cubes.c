/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/cubes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "conf/shape.h"
#include "geometry/box.h"
#include "boxes/fold.h"
#include "sim/cubes_rooms.h"
#include "sim/need.h"
#include "sim/random.h"
#include "links/comm.h"

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

/* --- which boxes suit a request ----------------------------------------------------------- */

struct box_search {
	struct cubes_scratch *scratch;
	const struct mesh *mesh;
	const struct mesh_shape *shape;
	int given[MESH_MAX_DIMS]; /* the sides asked for, and 1 behind them */
	int side[MESH_MAX_DIMS];  /* of the box that is tried, in vertices */
	bool used[MESH_MAX_DIMS]; /* these of given[] are among its sides */
	bool whole; /* only whole cubes; the job gets what it does not fill, too */
	int nbox;   /* found so far, in scratch->box */
};

/* The least number of cubes for the current sides; INT_MAX: more than there are. */
static int cubes_for(const struct box_search *b)
{
	const struct rooms *rooms = &b->scratch->rooms;
	int cubes = 1;

	for (int d = 0; d < b->mesh->ndims && cubes <= rooms->count; d++)
		cubes *= (b->side[d] - 1) / rooms->side[d] + 1;
	return cubes <= rooms->count ? cubes : INT_MAX;
}

/*
 * Add a box of the current sides; of whole cubes around them if they take several cubes or fill
 * one.
 */
static void add_box(struct box_search *b)
{
	struct rooms_box box = {.cubes = cubes_for(b), .volume = 1, .whole = b->whole};
	const int *cube = b->scratch->rooms.side;
	int volume = 1;

	for (int d = 0; d < b->mesh->ndims && box.cubes < INT_MAX; d++) {
		box.side[d] = b->whole ? ((b->side[d] - 1) / cube[d] + 1) * cube[d] : b->side[d];
		box.volume *= box.side[d];
		box.length += box.side[d];
		volume *= b->side[d];
	}
	if (box.cubes < INT_MAX && b->nbox < MOST_BOXES &&
		(!b->whole || box.cubes > 1 || volume == box.volume))
		b->scratch->box[b->nbox++] = box;
}

/* Try each order of the sides, equal ones once. */
static void orient(struct box_search *b, int d)
{
	int ndims = b->mesh->ndims, last = 0;

	for (int i = 0; i < ndims && d < ndims; i++) {
		int chips = mesh_shape_chips(b->mesh, b->shape, d);

		if (b->used[i] || (b->shape->norotate && i != d) || !chips ||
			b->given[i] % chips || b->given[i] == last)
			continue;
		b->used[i] = true;
		b->side[d] = (last = b->given[i]) / chips;
		orient(b, d + 1);
		b->used[i] = false;
	}
	if (d == ndims)
		add_box(b);
}

/*
 * Can the shape be folded into the current sides? Sides that span cubes are rings, unless the box
 * is inside one cube.
 */
static bool folds_into(const struct box_search *b)
{
	struct fold_grid shape = {.ndims = b->mesh->ndims}, box = {.ndims = b->mesh->ndims};
	const struct rooms *rooms = &b->scratch->rooms;
	bool rings = cubes_for(b) > 1 || !memcmp(b->side, rooms->side, sizeof(b->side));

	for (int d = 0; d < b->mesh->ndims; d++) {
		shape.side[d] = b->given[d];
		shape.ring[d] = b->shape->torus;
		box.side[d] = b->side[d];
		box.ring[d] = rings && b->side[d] % rooms->side[d] == 0;
	}
	return fold_fits(&shape, &box);
}

/* Add each box of `left` vertices from dimension d on into which the shape can be folded. */
static void fold_boxes(struct box_search *b, int d, int left)
{
	int unit = b->whole ? b->scratch->rooms.side[d] : 1;

	if (d == b->mesh->ndims - 1) {
		b->side[d] = left;
		if (left % unit == 0 && cubes_for(b) < INT_MAX && folds_into(b))
			add_box(b);
		return;
	}
	for (int side = unit; side <= left; side += unit)
		if (left % side == 0) {
			b->side[d] = side;
			fold_boxes(b, d + 1, left / side);
		}
}

/* Take the sides that are not 1, as many as the machine has. */
static int take_sides(struct box_search *b, struct mesh_err *err)
{
	const struct mesh_shape *shape = b->shape;
	int ndims = b->mesh->ndims, sides = 0;

	if (shape->walk)
		return err_printf(err, "a %s is not a box", walk_name(shape->walk));
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		b->given[d] = b->side[d] = 1;
	for (int d = 0; d < shape->ndims; d++) {
		if (shape->side[d] == 1 && (shape->norotate ? d >= ndims : shape->ndims > ndims))
			continue;
		if (sides == ndims)
			return err_printf(
				err, "a shape of more dimensions than the machine's %d", ndims);
		b->given[sides++] = shape->side[d];
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

static int vertices_of(const struct box_search *b)
{
	int64_t vertices = 1;

	for (int d = 0; d < b->mesh->ndims && vertices <= b->mesh->nvertices; d++)
		vertices *= b->given[d];
	return vertices <= b->mesh->nvertices ? (int)vertices : 0;
}

/* A torus: folded inside a cube, of whole cubes, or a single vertex. */
static void find_torus(struct box_search *b, int vertices)
{
	int cube = b->scratch->rooms.volume;
	bool fold = b->shape->fold && vertices;

	if (fold && vertices < cube)
		fold_boxes(b, 0, vertices);
	if (b->nbox)
		return;
	b->whole = true;
	orient(b, 0);
	if (fold && vertices % cube == 0)
		fold_boxes(b, 0, vertices);
	if (b->nbox)
		return;
	b->whole = false;
	orient(b, 0);
	if (b->nbox && b->scratch->box[0].volume > 1)
		b->nbox = 0;
}

/*
 * Fold also with a longest side that is up to a sixteenth longer, of which the shape is a part. A
 * side of 166 can be folded in few ways, 168 in many. The job also gets the nodes at the end.
 */
static void fold_longer(struct box_search *b)
{
	int longest = 0, side;

	for (int d = 1; d < b->mesh->ndims; d++)
		longest = b->given[d] > b->given[longest] ? d : longest;
	side = b->given[longest];
	for (int vertices; b->given[longest] <= side + side / 16; b->given[longest]++)
		if ((vertices = vertices_of(b)))
			fold_boxes(b, 0, vertices);
}

static int find_shape(struct box_search *b, struct mesh_err *err)
{
	int vertices;

	if (take_sides(b, err))
		return -1;
	vertices = vertices_of(b);
	if (b->shape->torus)
		find_torus(b, vertices);
	else if (b->shape->fold && vertices)
		fold_longer(b);
	else
		orient(b, 0);
	return b->nbox ? 0 : err_printf(err, "no such box of cubes, or torus inside of one");
}

/*
 * A number of vertices: whole cubes in a box as near to a cube as possible, or any box inside one.
 */
static void find_count(struct box_search *b, int count)
{
	const struct rooms *rooms = &b->scratch->rooms;
	int vertices = (count - 1) / b->mesh->nodes_per_vertex + 1, ndims = b->mesh->ndims;
	int at[MESH_MAX_DIMS] = {0};

	b->whole = vertices >= rooms->volume;
	if (b->whole) {
		comm_grid_sides((vertices - 1) / rooms->volume + 1, ndims, b->side);
		for (int d = 0; d < ndims; d++)
			b->side[d] *= rooms->side[d];
		add_box(b);
		return;
	}
	do {
		int volume = 1;

		for (int d = 0; d < ndims; d++)
			volume *= b->side[d] = at[d] + 1;
		if (volume >= vertices)
			add_box(b);
	} while (box_next(ndims, rooms->side, at));
}

/* --- places ------------------------------------------------------------------------------- */

/*
 * Find the place that opens the fewest cubes that are whole so far, and of equal ones the first
 * box. any: only see whether there is a place.
 */
static const struct rooms_box *find_place(struct box_search *b, const struct nodeset *set, bool any,
	int *best_at)
{
	struct rooms *rooms = &b->scratch->rooms;
	const struct rooms_box *best = NULL;
	int least = INT_MAX;

	rooms_load(rooms, set);
	for (int i = 0; i < b->nbox && least && !(any && best); i++) {
		const struct rooms_box *box = &b->scratch->box[i];
		int at[MESH_MAX_DIMS], opened = rooms_best(rooms, box, at);

		if (opened < 0 || opened >= least)
			continue;
		least = opened;
		best = box;
		memcpy(best_at, at, sizeof(at));
	}
	return best;
}

/*
 * A box of several cubes, or a whole cube, has links of its own: rings where it spans cubes. Not so
 * for a job that has only a part of the box.
 */
static void note_slice(struct cubes_scratch *s, const struct mesh *mesh,
	const struct rooms_box *box, bool part)
{
	s->sliced = !part && (box->cubes > 1 || box->volume == s->rooms.volume);
	s->slice = (struct slice){.ndims = mesh->ndims};
	for (int d = 0; d < mesh->ndims; d++) {
		s->slice.side[d] = box->side[d];
		s->slice.open[d] = box->side[d] % s->rooms.side[d] != 0;
	}
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct cubes_scratch *s = strategy->scratch;
	struct box_search search = {.scratch = s, .mesh = strategy->mesh, .shape = &request->shape};
	const struct rooms_box *box;
	int at[MESH_MAX_DIMS];

	if (request->required) {
		err_printf(&answer->err, "cubes cannot be told which nodes to take");
		return MESH_ERROR;
	}
	if (!request->shape.ndims)
		find_count(&search, request->count);
	else if (find_shape(&search, &answer->err))
		return MESH_NEVER;
	qsort(s->box, (size_t)search.nbox, sizeof(*s->box), by_cubes);
	if ((box = find_place(&search, state->free, false, at))) {
		rooms_take(&s->rooms, box, at, answer);
		bool part = !box->whole && !request->shape.fold && answer->count > request->count;

		if (part)
			answer->count = request->count;
		note_slice(s, strategy->mesh, box, part);
		return MESH_OK;
	}
	if (find_place(&search, state->usable ? state->usable : &s->all, true, at))
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
