/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/cubes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "config/shape.h"
#include "geometry/box.h"
#include "geometry/fold.h"
#include "sim/random.h"

enum { MOST_BOXES = 1 << 16 };

struct box {
	int side[MESH_MAX_DIMS];
	int volume, length; /* length: the sum of the sides */
};

struct room {
	int cube, nfree;
};

struct cubes_scratch {
	struct cubes cubes;
	int count, volume; /* cubes, and vertices of each */
	int *vertex;	   /* [count * volume] by cube, dimension 0 fastest */
	struct room *room; /* [count], fewest free nodes first */
	struct nodeset all;
	struct box *any; /* [nany] all boxes inside a cube, small and compact ones first */
	int nany;
};

/* --- the machine -------------------------------------------------------------------------- */

int cubes_parse(
	const char *text, const struct mesh *mesh, struct cubes *cubes, struct mesh_err *err)
{
	struct mesh_shape shape;

	if (shape_parse(text, &shape, err))
		return -1;
	if (shape.ndims != mesh->ndims || shape.torus || shape.fold || shape.norotate)
		return err_printf(err,
			"a side for each of the %d dimensions, and nothing but :chips",
			mesh->ndims);
	if (mesh->nnodes != mesh->nvertices * mesh->nodes_per_vertex)
		return err_printf(err, "the mesh has holes");
	for (int d = 0; d < mesh->ndims; d++) {
		int chips = shape.chips ? mesh->node_side[d] : 1;

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

int cubes_count(const struct mesh *mesh, const struct cubes *cubes)
{
	return mesh->nvertices / volume_of(mesh, cubes);
}

/* Which cube, and where in it. */
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
	int count = cubes_count(mesh, cubes), lost = 0, inside;
	struct nodeset hit;

	if (nodeset_init(&hit, count))
		return -1;
	nodeset_each(node, down)
		nodeset_add(&hit, cube_of(mesh, cubes, mesh->vertex_of[node], &inside));
	lost = nodeset_count(&hit);
	nodeset_release(&hit);
	return (double)lost / count;
}

void cubes_draw(struct nodeset *down, double availability, uint64_t seed)
{
	uint64_t random = sim_random_init(seed, 5);

	for (int node = 0; node < down->n; node++)
		if (random_unit(&random) >= availability)
			nodeset_add(down, node);
}

/* --- memory ------------------------------------------------------------------------------- */

/* The next of all at[] below limit[]; false after the last. */
static bool step(int ndims, int *at, const int *limit)
{
	for (int d = 0; d < ndims; d++) {
		if (++at[d] < limit[d])
			return true;
		at[d] = 0;
	}
	return false;
}

static struct box box_of(int ndims, const int *side)
{
	struct box box = {.volume = 1};

	for (int d = 0; d < ndims; d++) {
		box.side[d] = side[d];
		box.volume *= side[d];
		box.length += side[d];
	}
	return box;
}

static int by_size(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->volume != y->volume)
		return x->volume - y->volume;
	return x->length != y->length ? x->length - y->length
				      : memcmp(x->side, y->side, sizeof(x->side));
}

static void list_boxes(struct cubes_scratch *s, int ndims)
{
	int at[MESH_MAX_DIMS] = {0}, side[MESH_MAX_DIMS];

	do {
		for (int d = 0; d < ndims; d++)
			side[d] = at[d] + 1;
		s->any[s->nany++] = box_of(ndims, side);
	} while (step(ndims, at, s->cubes.side));
	qsort(s->any, (size_t)s->nany, sizeof(*s->any), by_size);
}

static void release(struct strategy *strategy)
{
	struct cubes_scratch *s = strategy->scratch;

	if (!s)
		return;
	nodeset_release(&s->all);
	free(s->vertex);
	free(s->room);
	free(s->any);
	free(s);
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct cubes_scratch *s = strategy->scratch = calloc(1, sizeof(*s));

	if (!s)
		return err_printf(err, "out of memory");
	s->cubes = *(const struct cubes *)strategy->ops->preset;
	s->volume = volume_of(mesh, &s->cubes);
	s->count = cubes_count(mesh, &s->cubes);
	if (s->volume > MOST_BOXES)
		return err_printf(err, "a cube has more than %d vertices", MOST_BOXES);
	s->vertex = malloc((size_t)mesh->nvertices * sizeof(*s->vertex));
	s->room = malloc((size_t)s->count * sizeof(*s->room));
	s->any = malloc((size_t)s->volume * sizeof(*s->any));
	if (!s->vertex || !s->room || !s->any || nodeset_init(&s->all, mesh->nnodes))
		return err_printf(err, "out of memory");
	nodeset_set_all(&s->all);
	for (int v = 0; v < mesh->nvertices; v++) {
		int inside, cube = cube_of(mesh, &s->cubes, v, &inside);

		s->vertex[cube * s->volume + inside] = v;
	}
	list_boxes(s, mesh->ndims);
	return 0;
}

/* --- what a request needs ----------------------------------------------------------------- */

struct need {
	const struct cubes_scratch *scratch;
	const struct mesh *mesh;
	const struct mesh_shape *shape;
	int given[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
	bool used[MESH_MAX_DIMS];
	int cubes;		/* whole ones; 0: a box inside one: */
	int slice[MESH_MAX_DIMS]; /* their sides, in vertices */
	struct box turned[720]; /* its positions, by the shape; 6! */
	const struct box *box;	/* [nbox] any of them */
	int nbox;
	const struct nodeset *set; /* out of these */
	int count;
};

/* Each order of the sides: the fewest cubes, or boxes that lie in one. */
static void orient(struct need *n, int d)
{
	const int *cube = n->scratch->cubes.side;
	int ndims = n->mesh->ndims, cubes = 1;

	for (int i = 0; i < ndims && d < ndims; i++) {
		int chips = n->shape->chips ? n->mesh->node_side[d] : 1;

		if (n->used[i] || (n->shape->norotate && i != d) || !chips || n->given[i] % chips)
			continue;
		n->used[i] = true;
		n->side[d] = n->given[i] / chips;
		orient(n, d + 1);
		n->used[i] = false;
	}
	if (d < ndims)
		return;
	for (int i = 0; i < ndims && cubes <= n->scratch->count; i++)
		cubes *= (n->side[i] - 1) / cube[i] + 1;
	if (cubes == 1)
		n->turned[n->nbox++] = box_of(ndims, n->side);
	if (cubes >= n->cubes)
		return;
	n->cubes = cubes;
	for (int i = 0; i < ndims; i++)
		n->slice[i] = ((n->side[i] - 1) / cube[i] + 1) * cube[i];
}

/* --- folded shapes --- */

static int chips_of(const struct need *n, int d)
{
	return n->shape->chips ? n->mesh->node_side[d] : 1;
}

/* The shape into a box of vertices, which is a torus of whole cubes or lies in one. */
static bool folds_into(const struct need *n, const int *side, bool torus)
{
	struct fold_grid shape = {.ndims = n->mesh->ndims}, box = {.ndims = n->mesh->ndims};

	for (int d = 0; d < n->mesh->ndims; d++) {
		shape.side[d] = n->given[d];
		shape.ring[d] = n->shape->torus;
		box.side[d] = side[d] * chips_of(n, d);
		box.ring[d] = torus;
	}
	return fold_fits(&shape, &box);
}

/* Of the boxes of so many cubes from dimension d on, the one nearest to a cube that will do. */
static void fold_cubes(struct need *n, int d, int left, int *side, int *best)
{
	const int *cube = n->scratch->cubes.side;
	int ndims = n->mesh->ndims, length = 0;

	for (int cubes = 1; d < ndims && cubes <= left; cubes++)
		if (left % cubes == 0 && (d < ndims - 1 || cubes == left)) {
			side[d] = cubes * cube[d];
			fold_cubes(n, d + 1, left / cubes, side, best);
		}
	for (int i = 0; i < ndims; i++)
		length += side[i];
	if (d < ndims || length >= *best || !folds_into(n, side, true))
		return;
	*best = length;
	memcpy(n->slice, side, (size_t)ndims * sizeof(*side));
}

/* Boxes inside a cube that it fills. */
static void fold_inside(struct need *n, int volume)
{
	const struct cubes_scratch *s = n->scratch;

	n->nbox = 0;
	for (int i = 0; i < s->nany && n->nbox < (int)(sizeof(n->turned) / sizeof(*n->turned)); i++)
		if (s->any[i].volume == volume && folds_into(n, s->any[i].side, false))
			n->turned[n->nbox++] = s->any[i];
	if (n->nbox)
		n->cubes = 1; /* of which it takes a part */
}

/* What it fills when it is folded, if that is less, or only so a torus. */
static void fold_shape(struct need *n)
{
	const struct cubes_scratch *s = n->scratch;
	int side[MESH_MAX_DIMS] = {0}, best = INT_MAX;
	int64_t chips = 1, node = 1, vertices;

	for (int d = 0; d < n->mesh->ndims; d++) {
		chips *= n->given[d];
		node *= chips_of(n, d);
		if (chips > INT_MAX)
			return;
	}
	if (!node || chips % node)
		return;
	vertices = chips / node;
	if (vertices < s->volume && (n->shape->torus || !n->nbox))
		fold_inside(n, (int)vertices);
	if (vertices % s->volume || vertices / s->volume >= n->cubes ||
		vertices / s->volume > s->count)
		return;
	fold_cubes(n, 0, (int)(vertices / s->volume), side, &best);
	if (best == INT_MAX)
		return;
	n->cubes = (int)(vertices / s->volume);
	if (n->cubes == 1)
		n->turned[n->nbox++] = box_of(n->mesh->ndims, s->cubes.side);
}

static int need_shape(struct need *n, struct mesh_err *err)
{
	const struct mesh_shape *shape = n->shape;
	int ndims = n->mesh->ndims, sides = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		n->given[d] = 1;
	if (shape->walk)
		return err_printf(err, "a %s is not a box", walk_name(shape->walk));
	for (int d = 0; d < shape->ndims; d++) {
		if (shape->side[d] == 1 && (shape->norotate ? d >= ndims : shape->ndims > ndims))
			continue;
		if (sides == ndims)
			return err_printf(
				err, "a shape of more dimensions than the machine's %d", ndims);
		n->given[sides++] = shape->side[d];
	}
	n->cubes = INT_MAX;
	orient(n, 0);
	if (shape->fold)
		fold_shape(n);
	if (n->cubes == INT_MAX)
		return err_printf(err, "the chips are not whole nodes");
	if (n->cubes > 1)
		return 0;
	n->box = n->turned;
	if (!n->nbox || n->box->volume < n->scratch->volume) {
		n->cubes = 0;
		if (shape->torus && !(n->nbox && (shape->fold || n->box->volume == 1)))
			return err_printf(err, "inside a cube there is no torus");
	}
	return 0;
}

static void need_count(struct need *n, int count)
{
	const struct cubes_scratch *s = n->scratch;
	int vertices = (count - 1) / n->mesh->nodes_per_vertex + 1, first = 0;

	n->cubes = vertices >= s->volume ? (vertices - 1) / s->volume + 1 : 0;
	while (s->any[first].volume < vertices && first < s->nany - 1)
		first++;
	n->box = s->any + first;
	n->nbox = s->nany - first;
}

bool cubes_slice(struct strategy *strategy, const struct mesh_request *request, struct slice *slice)
{
	struct cubes_scratch *s = strategy->scratch;
	struct need n = {.scratch = s, .mesh = strategy->mesh, .shape = &request->shape};
	struct mesh_err err;

	*slice = (struct slice){.ndims = strategy->mesh->ndims, .twisted = s->cubes.twist};
	if (!request->shape.ndims) {
		need_count(&n, request->count);
		comm_grid_sides(n.cubes > 0 ? n.cubes : 1, slice->ndims, n.slice);
		for (int d = 0; d < slice->ndims; d++)
			n.slice[d] *= s->cubes.side[d];
	} else if (need_shape(&n, &err)) {
		return false;
	}
	memcpy(slice->side, n.slice, sizeof(n.slice));
	return n.cubes > 0;
}

/* --- places ------------------------------------------------------------------------------- */

static void take_vertex(const struct mesh *mesh, int vertex, int most, struct mesh_answer *answer)
{
	for (int i = mesh->first[vertex]; i < mesh->first[vertex + 1] && answer->count < most; i++)
		answer->node[answer->count++] = mesh->node_at[i];
}

static bool vertex_free(const struct mesh *mesh, int vertex, const struct nodeset *set)
{
	for (int i = mesh->first[vertex]; i < mesh->first[vertex + 1]; i++)
		if (!nodeset_has(set, mesh->node_at[i]))
			return false;
	return true;
}

static int vertex_in(const struct need *n, int cube, const int *base, const int *at)
{
	const struct cubes_scratch *s = n->scratch;
	int inside = 0, below = 1;

	for (int d = 0; d < n->mesh->ndims; d++) {
		inside += (base[d] + at[d]) * below;
		below *= s->cubes.side[d];
	}
	return s->vertex[cube * s->volume + inside];
}

static bool box_free(const struct need *n, int cube, const int *base, const struct box *box)
{
	int at[MESH_MAX_DIMS] = {0};

	do {
		if (!vertex_free(n->mesh, vertex_in(n, cube, base, at), n->set))
			return false;
	} while (step(n->mesh->ndims, at, box->side));
	return true;
}

/* The first place of the box in this cube, into the answer. */
static bool place_box(
	const struct need *n, int cube, const struct box *box, struct mesh_answer *answer)
{
	int base[MESH_MAX_DIMS] = {0}, places[MESH_MAX_DIMS], at[MESH_MAX_DIMS] = {0};

	for (int d = 0; d < n->mesh->ndims; d++)
		places[d] = n->scratch->cubes.side[d] - box->side[d] + 1;
	while (!box_free(n, cube, base, box))
		if (!step(n->mesh->ndims, base, places))
			return false;
	do {
		take_vertex(n->mesh, vertex_in(n, cube, base, at), n->count, answer);
	} while (step(n->mesh->ndims, at, box->side));
	return true;
}

static int by_room(const void *a, const void *b)
{
	const struct room *x = a, *y = b;

	return x->nfree != y->nfree ? x->nfree - y->nfree : x->cube - y->cube;
}

static void count_rooms(struct cubes_scratch *s, const struct mesh *mesh, const struct nodeset *set)
{
	for (int c = 0; c < s->count; c++) {
		s->room[c] = (struct room){.cube = c};
		for (int i = 0; i < s->volume; i++) {
			int v = s->vertex[c * s->volume + i];

			for (int k = mesh->first[v]; k < mesh->first[v + 1]; k++)
				s->room[c].nfree += nodeset_has(set, mesh->node_at[k]);
		}
	}
	qsort(s->room, (size_t)s->count, sizeof(*s->room), by_room);
}

/* The last of the list are wholly free, by number. */
static bool place_cubes(const struct need *n, struct mesh_answer *answer)
{
	const struct cubes_scratch *s = n->scratch;
	int whole = s->volume * n->mesh->nodes_per_vertex, first = s->count;

	while (first && s->room[first - 1].nfree == whole)
		first--;
	if (s->count - first < n->cubes)
		return false;
	for (int i = 0; i < n->cubes; i++)
		for (int k = 0; k < s->volume; k++)
			take_vertex(n->mesh, s->vertex[s->room[first + i].cube * s->volume + k],
				n->mesh->nnodes, answer);
	return true;
}

static bool place(const struct need *n, struct cubes_scratch *s, struct mesh_answer *answer)
{
	answer->count = 0;
	count_rooms(s, n->mesh, n->set);
	if (n->cubes)
		return place_cubes(n, answer);
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < n->nbox && s->room[i].nfree >= n->count; k++)
			if (place_box(n, s->room[i].cube, &n->box[k], answer))
				return true;
	return false;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct cubes_scratch *s = strategy->scratch;
	struct need need = {.scratch = s, .mesh = strategy->mesh, .shape = &request->shape};

	if (request->required) {
		err_printf(&answer->err, "cubes cannot be told which nodes to take");
		return MESH_ERROR;
	}
	if (!request->shape.ndims)
		need_count(&need, request->count);
	else if (need_shape(&need, &answer->err))
		return MESH_NEVER;
	need.count = request->count;
	need.set = state->free;
	if (place(&need, s, answer))
		return MESH_OK;
	need.set = state->usable ? state->usable : &s->all;
	if (place(&need, s, answer))
		return MESH_NO_FIT;
	err_printf(&answer->err, "there are not so many whole cubes, or no such box in one");
	return MESH_NEVER;
}

struct strategy_ops cubes_strategy(const struct cubes *cubes)
{
	return (struct strategy_ops){
		.name = "cubes",
		.summary = "whole cubes joined by optical switches, small jobs inside one",
		.source = "Jouppi et al. 2023",
		.time = "O(nodes)",
		.flags = STRATEGY_CONTIGUOUS | STRATEGY_NO_RUNS,
		.preset = cubes,
		.init = init,
		.release = release,
		.decide = decide,
	};
}

bool cubes_is(const struct strategy_ops *ops)
{
	return ops->decide == decide;
}
