/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * torus3d: what topology/torus3d of Slurm 26.05 does, node for node, from its documentation
 * (topology.yaml(5)) and behaviour; in any number of dimensions, on meshes too.
 *
 * A job of k nodes gets a box of exactly k nodes of the list of placements (Shapes= of
 * topology.conf), at one of the places of its grid. Placements of one size are tried in the order
 * of the list. Of the first one that is free anywhere it takes the place that costs the fewest
 * free places of the next larger size on the list; of equal ones the first, the last dimension
 * fastest. Other sizes are refused.
 *
 * Without Shapes= the list has one box for every power of two, as compact as possible, each in a
 * grid of its own, as the examples of Slurm's documentation have.
 *
 * O(n/64 log side) for a placement, O(2^d) for each place.
 */
#include <stdlib.h>
#include <string.h>

#include "boxes/contiguous.h"
#include "boxes/largebox.h"
#include "geometry/legal.h"
#include "geometry/metrics.h"
#include "conf/strategies.h"

enum {
	DOUBLINGS = 32, /* MESH_MAX_VERTICES has fewer */
	CHECK = 1024,	/* places between two looks at the clock */
};

struct torus3d {
	const struct mesh *mesh;
	const struct mesh_placement **list; /* [count] smallest first */
	int count;
	struct mesh_placement doubled[DOUBLINGS]; /* if the mesh has no list */
	struct boxplan plan; /* for a shape */
	struct bitbox bits;
	struct largebox next; /* the next larger size */
	struct nodeset left, taken;
	struct mesh_budget budget;
	bool late; /* the budget is used up: the best so far counts */
};

static int64_t size_of(const struct torus3d *t, const struct mesh_placement *placement)
{
	return box_volume(t->mesh->ndims, placement->side) * t->mesh->nodes_per_vertex;
}

/* ---- the list ---- */

/* Double the shortest side for which there is room; false: there is none. */
static bool double_side(const struct mesh *mesh, int *side)
{
	int shortest = -1;

	for (int d = 0; d < mesh->ndims; d++)
		if (2 * side[d] <= mesh->side[d] && (shortest < 0 || side[d] < side[shortest]))
			shortest = d;
	if (shortest >= 0)
		side[shortest] *= 2;
	return shortest >= 0;
}

static int powers_of_two(struct torus3d *t)
{
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, n = 0;

	do {
		memcpy(t->doubled[n].side, side, sizeof(side));
		memcpy(t->doubled[n++].step, side, sizeof(side));
	} while (n < DOUBLINGS && double_side(t->mesh, side));
	return n;
}

/* Insert by size; equal ones stay in the order of the list. */
static void sort_in(struct torus3d *t, const struct mesh_placement *placement)
{
	int at = t->count++;

	for (; at && size_of(t, t->list[at - 1]) > size_of(t, placement); at--)
		t->list[at] = t->list[at - 1];
	t->list[at] = placement;
}

static int make_list(struct torus3d *t, struct arena *arena)
{
	const struct mesh_placement *from = t->mesh->nlegal ? t->mesh->legal : t->doubled;
	int n = t->mesh->nlegal ? t->mesh->nlegal : powers_of_two(t);

	if (!arena_array(arena, t->list, n))
		return -1;
	for (int i = 0; i < n; i++)
		sort_in(t, &from[i]);
	return 0;
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	struct arena *arena = &strategy->arena;
	struct torus3d *t = strategy->scratch = arena_get(arena, 1, sizeof(*t));
	int n = strategy->mesh->nnodes;

	(void)err;
	if (!t)
		return -1;
	t->mesh = strategy->mesh;
	return make_list(t, arena) || boxplan_init(&t->plan, t->mesh, arena) ||
		bitbox_init(&t->bits, t->mesh, arena) || largebox_init(&t->next, t->mesh, arena) ||
		nodeset_get(&t->left, n, arena) || nodeset_get(&t->taken, n, arena) ? -1 : 0;
}

/* ---- one box ---- */

/* What the box must be: of a size, or of a shape, which may hold more nodes. */
struct want {
	int64_t size; /* 0: of the shape, by t->plan */
	const struct nodeset *required;
};

static bool suits(const struct torus3d *t, const struct mesh_placement *placement,
	const struct want *want)
{
	size_t sides = (size_t)t->mesh->ndims * sizeof(int);

	if (want->size)
		return size_of(t, placement) == want->size;
	for (int i = 0; i < t->plan.count; i++)
		if (!memcmp(t->plan.row[i].side, placement->side, sides))
			return true;
	return false;
}

/* Load the places of the next larger placement that are free now; false: there is none. */
static bool load_next(struct torus3d *t, int at)
{
	const struct mesh_placement *next = NULL;
	struct nodeset grid;

	for (int i = at + 1; i < t->count && !next; i++)
		if (size_of(t, t->list[i]) > size_of(t, t->list[at]))
			next = t->list[i];
	if (!next)
		return false;
	bitbox_bases(&t->bits, next->side);
	grid = (struct nodeset){t->bits.words * 64, t->bits.spare};
	nodeset_clear_all(&grid);
	for (struct legal_walk w = legal_walk(t->mesh, next); !w.done; legal_next(&w))
		nodeset_add(&grid, bitbox_bit(&t->bits, w.base));
	for (int w = 0; w < t->bits.words; w++)
		t->bits.base[w] &= grid.word[w];
	largebox_load(&t->next, &t->bits, next->side, t->next.mesh->side);
	return true;
}

static bool best_place(struct torus3d *t, int at, struct mesh_box *box)
{
	const struct mesh_placement *placement = t->list[at];
	bool larger = load_next(t, at), found = false;
	uint32_t least = 0;
	int seen = 0;

	bitbox_places(&t->bits, placement->side);
	for (struct legal_walk w = legal_walk(t->mesh, placement); !w.done; legal_next(&w)) {
		struct mesh_box here = box_at(t->mesh->ndims, w.base, placement->side);
		uint32_t lost;

		if (++seen % CHECK == 0 && (t->late |= mesh_budget_late(&t->budget)))
			break;
		if (!bitbox_is_base(&t->bits, bitbox_bit(&t->bits, w.base)))
			continue;
		lost = larger ? largebox_lost(&t->next, &here) : 0;
		if (found && lost >= least)
			continue;
		found = true;
		least = lost;
		*box = here;
	}
	return found;
}

static bool find_box(struct torus3d *t, const struct nodeset *free_nodes, const struct want *want,
	struct mesh_box *box)
{
	bitbox_load(&t->bits, free_nodes);
	bitbox_require(&t->bits, want->required);
	for (int i = 0; i < t->count && !t->late; i++)
		if (suits(t, t->list[i], want) && best_place(t, i, box))
			return true;
	return false;
}

/* ---- a job: one box, or one for each segment, the next where the last has left room ---- */

static bool find_all(struct torus3d *t, const struct mesh_request *request, const struct want *want)
{
	int parts = request->segment ? request->count / request->segment : 1;
	int nodes = request->count / parts;
	struct want one = *want;

	/* As in torus3d: segments that must hold certain nodes consist of these nodes. */
	if (parts > 1)
		one.required = NULL;
	if (parts > 1 && want->required)
		nodeset_and(&t->left, want->required);
	nodeset_clear_all(&t->taken);
	while (parts--) {
		struct mesh_box box;

		if (!find_box(t, &t->left, &one, &box))
			return false;
		box_take(t->mesh, &box, nodes, one.required, &t->taken);
		nodeset_remove(&t->left, &t->taken);
	}
	return true;
}

static bool fits_idle(struct torus3d *t, const struct mesh_state *state,
	const struct mesh_request *request, const struct want *want)
{
	if (state->usable)
		nodeset_copy(&t->left, state->usable);
	else
		nodeset_set_all(&t->left);
	return find_all(t, request, want);
}

static bool on_list(const struct torus3d *t, const struct want *want)
{
	for (int i = 0; i < t->count; i++)
		if (suits(t, t->list[i], want))
			return true;
	return false;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct torus3d *t = strategy->scratch;
	struct want want = {.required = request->required};
	struct mesh_request job = *request, part = *request;

	if (job.segment >= job.count)
		job.segment = 0;
	part.count = job.segment ? job.segment : job.count;
	want.size = job.shape.ndims ? 0 : part.count;
	bitbox_require(&t->bits, want.required);
	if (job.segment && job.count % job.segment) {
		err_printf(&answer->err, "segments of %d nodes do not make %d", job.segment,
			job.count);
		return MESH_NEVER;
	}
	if (job.shape.ndims && boxplan_make(&t->plan, &part, t->bits.extent, &answer->err))
		return MESH_NEVER;
	if (!on_list(t, &want)) {
		err_printf(&answer->err, "no box of %d nodes is on the list of placements",
			part.count);
		return MESH_NEVER;
	}
	nodeset_copy(&t->left, state->free);
	mesh_budget_start(&t->budget, request->budget_ns);
	t->late = false;
	if (!find_all(t, &job, &want))
		return t->late || fits_idle(t, state, &job, &want) || t->late ? MESH_NO_FIT
									      : MESH_NEVER;
	answer->out_of_time = t->late;
	answer->count = nodeset_members(&t->taken, answer->node);
	answer->cost = (double)mesh_pairwise_hops(t->mesh, answer->node, answer->count);
	return MESH_OK;
}

/* Needed for rows that give boxes, see contiguous.h: torus3d knows only boxes of its list. */
static const struct contiguous_ops listed = {.legal = true};

const struct strategy_ops strategy_torus3d_family[] = {
	{
		.name = "torus3d",
		.summary = "contiguous, a box off a list: as topology/torus3d of Slurm 26.05",
		.source = "Slurm 26.05, topology.yaml(5)",
		.time = "O(n) a box",
		.flags = STRATEGY_CONTIGUOUS | STRATEGY_NO_RUNS | STRATEGY_SEGMENTS |
			 STRATEGY_STUDY,
		.preset = &listed,
		.init = init,
		.decide = decide,
	},
	{0},
};
