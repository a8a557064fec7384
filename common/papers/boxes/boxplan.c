/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/boxplan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/box.h"
#include "boxes/fold.h"
#include "geometry/legal.h"
#include "walk/walk.h"

#define MAX_ORIENTATIONS 720 /* 6! */

int boxplan_init(struct boxplan *plan, const struct mesh *mesh, struct arena *arena)
{
	plan->mesh = mesh;
	plan->count = 0;
	plan->made = false;
	/*
	 * The last side of a minimal box follows from the others: one row for each choice of them.
	 */
	plan->room = mesh->nvertices / mesh->side[mesh->ndims - 1];
	if (plan->room < MAX_ORIENTATIONS)
		plan->room = MAX_ORIENTATIONS;
	if (plan->room < mesh->nlegal)
		plan->room = mesh->nlegal;
	arena_array(arena, plan->row, plan->room);
	return arena_array(arena, plan->marginal, mesh_longest_side(mesh)) ? 0 : -1;
}

/*
 * The hops of the first `count` vertices along one dimension: `each` vertices at every coordinate,
 * `block` more at the first `full` coordinates, and `part` more at the next one. The snake may
 * fill these from the far end; the sum is the same.
 */
static int64_t layers_hops(const struct boxplan *plan, int d, int side, const int64_t *fill)
{
	int64_t each = fill[0], block = fill[1], full = fill[2], part = fill[3];
	const struct mesh *mesh = plan->mesh;
	int *marginal = plan->marginal;

	for (int c = 0; c < side; c++)
		marginal[c] = (int)(each + (c < full ? block : c == full ? part : 0));
	for (int c = side; c < mesh->side[d]; c++)
		marginal[c] = 0;
	return axis_pair_hops(marginal, mesh->side[d], mesh->wrap[d]);
}

int64_t boxplan_hops(const struct boxplan *plan, const int *side, int64_t count)
{
	int dim[MESH_MAX_DIMS], ndims = plan->mesh->ndims;
	int64_t below = 1, total = 0;

	axis_sort(ndims, side, dim);
	/* below: vertices for one coordinate of this dimension; a layer: for all of them. */
	for (int i = 0; i < ndims; i++) {
		int64_t layer = below * side[dim[i]], rest = count % layer;
		int64_t fill[4] = {count / layer * below, below, rest / below, rest % below};

		total += layers_hops(plan, dim[i], side[dim[i]], fill);
		below = layer;
	}
	return total;
}

/* A side of the shape along dimension d, in vertices; 0: the chips do not make whole nodes. */
static int side_along(const struct mesh *mesh, const struct mesh_shape *shape, int d, int side)
{
	int chips = mesh_shape_chips(mesh, shape, d);

	return side % chips ? 0 : side / chips;
}

static bool may_be_side(const struct mesh *mesh, const struct mesh_shape *shape, int d, int side)
{
	if (side > mesh->side[d])
		return false;
	return !shape->torus || !mesh->wrap[d] || side == 1 || side == mesh->side[d];
}

static void add_row(struct boxplan *plan, const int *side, int64_t count)
{
	struct boxplan_row *row = &plan->row[plan->count++];

	memset(row, 0, sizeof(*row));
	row->volume = 1;
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		row->side[d] = d < plan->mesh->ndims ? side[d] : 1;
		row->volume *= row->side[d];
	}
	row->hops = boxplan_hops(plan, row->side, count);
}

/* A search for sides: the given ones, or any that hold `need` vertices. */
struct search {
	struct boxplan *plan;
	const struct mesh_shape *shape;
	int given[MESH_MAX_DIMS];
	bool used[MESH_MAX_DIMS];
	int64_t need;
	const int *extent;
	int side[MESH_MAX_DIMS];
	bool fits; /* one was found that the machine has room for, legal or not */
};

/* Orientations: dimension d takes each given side that is not used yet, equal ones once. */
static void orient(struct search *s, int d)
{
	const struct mesh *mesh = s->plan->mesh;

	if (d == mesh->ndims) {
		s->fits = true;
		if (legal_sides(mesh, s->side))
			add_row(s->plan, s->side, s->need);
		return;
	}
	for (int i = 0; i < mesh->ndims; i++) {
		int side = side_along(mesh, s->shape, d, s->given[i]);
		bool again = s->used[i] || !side || !may_be_side(mesh, s->shape, d, side);

		for (int j = 0; j < i; j++)
			again |= !s->used[j] && s->given[j] == s->given[i];
		if (again || (s->shape->norotate && i != d))
			continue;
		s->used[i] = true;
		s->side[d] = side;
		orient(s, d + 1);
		s->used[i] = false;
	}
}

/* Is there a row with these sides? */
static bool is_planned(const struct search *s)
{
	for (int i = 0; i < s->plan->count; i++)
		if (!memcmp(s->plan->row[i].side, s->side,
			    (size_t)s->plan->mesh->ndims * sizeof(*s->side)))
			return true;
	return false;
}

/* All boxes on the mesh's list that hold that many nodes. */
static void enumerate_legal(struct search *s, int count)
{
	const struct mesh *mesh = s->plan->mesh;

	for (int i = 0; i < mesh->nlegal; i++) {
		int64_t volume = box_volume(mesh->ndims, mesh->legal[i].side);
		bool good = mesh->legal_exact ? volume * mesh->nodes_per_vertex == count
					      : volume >= s->need;

		for (int d = 0; d < mesh->ndims; d++)
			good &= mesh->legal[i].side[d] >= s->extent[d];
		memcpy(s->side, mesh->legal[i].side, sizeof(s->side));
		if (good && !is_planned(s))
			add_row(s->plan, s->side, s->need);
	}
}

static bool is_minimal(const struct search *s, int64_t volume)
{
	for (int d = 0; d < s->plan->mesh->ndims; d++)
		if (s->side[d] > s->extent[d] &&
			volume / s->side[d] * (s->side[d] - 1) >= s->need)
			return false;
	return true;
}

/* Minimal boxes: any sides for all dimensions but the last, whose side follows. */
static void enumerate(struct search *s, int d, int64_t volume)
{
	const struct mesh *mesh = s->plan->mesh;

	if (d == mesh->ndims - 1) {
		int64_t last = (s->need + volume - 1) / volume;

		last = last < s->extent[d] ? s->extent[d] : last;
		s->side[d] = last <= mesh->side[d] ? (int)last : 0;
		if (s->side[d] && is_minimal(s, volume * last))
			add_row(s->plan, s->side, s->need);
		return;
	}
	for (int side = s->extent[d]; side <= mesh->side[d]; side++) {
		if (side > s->extent[d] && volume * (side - 1) >= s->need)
			break;
		s->side[d] = side;
		enumerate(s, d + 1, volume * side);
	}
}

static int by_merit(const void *a, const void *b)
{
	const struct boxplan_row *p = a, *q = b;

	if (p->hops != q->hops)
		return p->hops < q->hops ? -1 : 1;
	if (p->volume != q->volume)
		return p->volume < q->volume ? -1 : 1;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		if (p->side[d] != q->side[d])
			return p->side[d] - q->side[d];
	return 0;
}

int boxplan_by_volume(const void *a, const void *b)
{
	const struct boxplan_row *p = a, *q = b;

	if (p->volume != q->volume)
		return p->volume < q->volume ? -1 : 1;
	return by_merit(a, b);
}

/* Sort the rows from `from` on; the rows before it are a group. */
static void sort_rows(struct boxplan *plan, int from, int (*order)(const void *, const void *))
{
	qsort(plan->row + from, (size_t)(plan->count - from), sizeof(*plan->row), order);
	if (from && from < plan->count)
		plan->row[from].group = 1;
	for (int i = from + 1; i < plan->count; i++) {
		const struct boxplan_row *row = &plan->row[i], *last = row - 1;

		plan->row[i].group =
			last->group + (row->hops != last->hops || row->volume != last->volume);
	}
}

/*
 * Convert the shape to one side for each dimension of the machine, by adding or removing sides of
 * 1.
 */
static int fit_dims(struct search *s, struct mesh_err *err)
{
	const struct mesh_shape *shape = s->shape;
	int ndims = s->plan->mesh->ndims, n = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		s->given[d] = 1;
	for (int d = 0; d < shape->ndims; d++) {
		/* Keep a side of 1 as long as there is room for all further sides. */
		if (shape->side[d] == 1 && (shape->norotate ? d >= ndims : shape->ndims > ndims))
			continue;
		if (n == ndims)
			return err_printf(err, "a shape of more dimensions than the machine's %d",
				ndims);
		s->given[n++] = shape->side[d];
	}
	return 0;
}

/* Try all sides with the shape's volume into which the shape can be folded. */
static void fold(struct search *s, const struct fold_grid *shape, int d, int64_t left)
{
	const struct mesh *mesh = s->plan->mesh;

	if (d == mesh->ndims) {
		struct fold_grid box = {.ndims = mesh->ndims};

		for (int e = 0; e < mesh->ndims; e++) {
			box.side[e] = s->side[e];
			box.ring[e] = mesh->wrap[e] && s->side[e] == mesh->side[e];
		}
		if (left == 1 && s->plan->count < s->plan->room && fold_fits(shape, &box) &&
			!is_planned(s)) {
			s->fits = true;
			if (legal_sides(mesh, s->side))
				add_row(s->plan, s->side, s->need);
		}
		return;
	}
	for (int side = 1; side <= mesh->side[d] && side <= left; side++)
		if (left % side == 0) {
			s->side[d] = side;
			fold(s, shape, d + 1, left / side);
		}
}

static int plan_fold(struct search *s, int count, struct mesh_err *err)
{
	struct fold_grid shape = {.ndims = s->shape->ndims};
	int plain;
	int64_t volume = box_volume(s->shape->ndims, s->shape->side);

	for (int d = 0; d < shape.ndims; d++) {
		shape.side[d] = s->shape->side[d];
		shape.ring[d] = s->shape->torus;
	}
	if (volume * s->plan->mesh->nodes_per_vertex < count)
		return err_printf(err, "the folded shape has fewer than %d nodes", count);
	if (volume > s->plan->mesh->nvertices)
		return err_printf(err, "the shape is larger than the machine");
	/* First the shape as it is, if it fits: with the most compact boxes first, jobs waited
	 * longer (doc/lab/ranks.md). */
	if (!shape.ring[0] && !fit_dims(s, err))
		orient(s, 0);
	plain = s->plan->count;
	fold(s, &shape, 0, volume);
	if (!s->plan->count && s->fits)
		return err_printf(err, "the shape can be folded into no box of Shapes=");
	if (!s->plan->count)
		return err_printf(err, "the shape can be folded into no box of the machine");
	sort_rows(s->plan, plain, by_merit);
	return 0;
}

/* Write AxBxC. */
static void shape_text(const struct mesh_shape *shape, char *text, size_t size)
{
	size_t at = 0;

	for (int d = 0; d < shape->ndims && at < size; d++)
		at += (size_t)snprintf(text + at, size - at, "%s%d", d ? "x" : "", shape->side[d]);
}

/* Write sides in nodes as the shape counts, nodes or chips. */
static void sides_text(const struct search *s, const int *side, char *text, size_t size)
{
	const struct mesh *mesh = s->plan->mesh;
	struct mesh_shape shape = {.ndims = mesh->ndims};

	for (int d = 0; d < mesh->ndims; d++)
		shape.side[d] = side[d] * mesh_shape_chips(mesh, s->shape, d);
	shape_text(&shape, text, size);
}

/* Text with the legal boxes: "; these are: 2x2x1, ..."; "" without a list. */
static const char *legal_text(const struct search *s, char text[MESH_ERR_SIZE])
{
	const struct mesh *mesh = s->plan->mesh;
	int at = 0;

	*text = '\0';
	for (int i = 0; i < mesh->nlegal && at < MESH_ERR_SIZE; i++) {
		char sides[64];

		sides_text(s, mesh->legal[i].side, sides, sizeof(sides));
		at += snprintf(text + at, (size_t)(MESH_ERR_SIZE - at), "%s%s",
			i ? ", " : "; these are: ", sides);
	}
	return text;
}

/* The legal boxes, or else the machine: ", which is 4x4". */
static const char *largest_text(const struct search *s, char text[MESH_ERR_SIZE])
{
	char sides[64];

	if (s->plan->mesh->nlegal)
		return legal_text(s, text);
	sides_text(s, s->plan->mesh->side, sides, sizeof(sides));
	snprintf(text, MESH_ERR_SIZE, ", which is %s", sides);
	return text;
}

/* Can the shape's chips make whole nodes in some position, whether or not the machine has room? */
static bool whole_nodes(struct search *s, int d)
{
	bool found = d == s->plan->mesh->ndims;

	for (int i = 0; i < s->plan->mesh->ndims && !found; i++) {
		if (s->used[i] || (s->shape->norotate && i != d) ||
			!side_along(s->plan->mesh, s->shape, d, s->given[i]))
			continue;
		s->used[i] = true;
		found = whole_nodes(s, d + 1);
		s->used[i] = false;
	}
	return found;
}

static int plan_shape(struct search *s, int count, struct mesh_err *err)
{
	const struct mesh *mesh = s->plan->mesh;
	char text[64], legal[MESH_ERR_SIZE];

	if (fit_dims(s, err))
		return -1;
	shape_text(s->shape, text, sizeof(text));
	if (!mesh_shape_chips(mesh, s->shape, 0))
		return err_printf(err, "chips: topology.conf has no NodeShape= for the mesh");
	if (mesh_shape_nodes(mesh, s->shape) < count)
		return err_printf(err, "a box of %s has fewer than %d nodes", text, count);
	orient(s, 0);
	if (!s->plan->count && s->fits)
		return err_printf(err, "a box of %s%s is not one of Shapes=%s", text,
			s->shape->norotate ? " (not turned)" : "", legal_text(s, legal));
	if (!s->plan->count && s->shape->chips && !whole_nodes(s, 0))
		return err_printf(err, "a box of %s chips is not one of whole nodes%s%s", text,
			s->shape->norotate ? " (and may not be turned)" : "",
			legal_text(s, legal));
	if (!s->plan->count)
		return err_printf(err, "a box of %s%s does not fit into the machine%s%s", text,
			s->shape->torus ? ", a torus itself," : "",
			s->shape->norotate ? " (and may not be turned)" : "",
			largest_text(s, legal));
	return 0;
}

/* Was the plan made for this request? A shape does not depend on the extent. */
static bool is_made(
	const struct boxplan *plan, const struct mesh_request *request, const int *extent)
{
	return plan->made && plan->made_count == request->count &&
		!memcmp(&plan->made_shape, &request->shape, sizeof(plan->made_shape)) &&
		(request->shape.ndims ||
			!memcmp(plan->made_extent, extent,
				(size_t)plan->mesh->ndims * sizeof(*extent)));
}

static int make(struct boxplan *plan, const struct mesh_request *request, const int *extent,
	struct mesh_err *err)
{
	int per_vertex = plan->mesh->nodes_per_vertex;
	struct search s = {.plan = plan,
		.shape = &request->shape,
		.extent = extent,
		.need = (request->count + (int64_t)per_vertex - 1) / per_vertex};

	plan->count = 0;
	if (!mesh_shape_suits(plan->mesh, &request->shape, err))
		return -1;
	if (request->shape.walk)
		return err_printf(err, "a %s is not a box", walk_name(request->shape.walk));
	if (request->shape.ndims && request->shape.fold)
		return plan_fold(&s, request->count, err);
	if (request->shape.ndims)
		return plan_shape(&s, request->count, err);
	if (plan->mesh->nlegal)
		enumerate_legal(&s, request->count);
	else
		enumerate(&s, 0, 1);
	if (!plan->count && plan->mesh->nlegal)
		return err_printf(err, "no box of Shapes= has %s%d nodes",
			plan->mesh->legal_exact ? "exactly " : "", request->count);
	if (!plan->count)
		return err_printf(err, "no box of the machine has %d nodes", request->count);
	sort_rows(plan, 0, plan->mesh->nlegal ? boxplan_by_volume : by_merit);
	return 0;
}

int boxplan_make(struct boxplan *plan, const struct mesh_request *request, const int *extent,
	struct mesh_err *err)
{
	if (is_made(plan, request, extent))
		return 0;
	plan->made = !make(plan, request, extent, err);
	plan->made_count = request->count;
	plan->made_shape = request->shape;
	if (extent)
		memcpy(plan->made_extent, extent, (size_t)plan->mesh->ndims * sizeof(*extent));
	return plan->made ? 0 : -1;
}

int boxplan_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape,
	struct mesh_err *err)
{
	struct mesh_request request = {.count = 1, .shape = *shape};
	struct boxplan plan = {0};
	struct arena arena = {0};
	int64_t nodes = 0;

	if (shape->walk)
		return mesh_shape_suits(mesh, shape, err) &&
			!walk_never(mesh, NULL, shape, err)
			? shape->side[0] : 0;
	if (boxplan_init(&plan, mesh, &arena))
		nodes = -1;
	else if (!boxplan_make(&plan, &request, NULL, err))
		nodes = plan.row[0].volume * mesh->nodes_per_vertex;
	arena_release(&arena);
	if (nodes <= mesh->nnodes)
		return (int)nodes;
	err_printf(err, "the mesh has fewer nodes than a box of that shape");
	return 0;
}

void boxplan_longest(const struct boxplan_row *row, int rows, int *longest)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		longest[d] = 1;
		for (int i = 0; i < rows; i++)
			longest[d] = row[i].side[d] > longest[d] ? row[i].side[d] : longest[d];
	}
}
