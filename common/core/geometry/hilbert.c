/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A Hilbert curve for boxes of any number of dimensions and any sides, one hop a step.
 *
 * As in Hilbert's construction a box is cut across its long dimensions into 2^m parts. The curve
 * goes through the parts in the order of a Gray code, in each part from one corner to another. But
 * sides need not be equal or even: a search finds where to cut, and at which corners to enter and
 * leave each part, so that each part has a Hamiltonian path between its two corners.
 *
 * When does a path exist? Colour the vertices like a chess board. A path changes colour at each
 * step. So a path from a corner to the corner opposite to it in the dimensions of a set E needs:
 * with an odd number of vertices a non-empty E; with an even number an odd number of even sides in
 * E. That is enough, too: every such box can be cut into two such boxes (parity_is_enough in the
 * unit test checks the finitely many cases). So no box is ever left without a path.
 *
 * Boxes of the same sides and ends have the same curve: one rule is computed for each. There are
 * O(log side) different sides per dimension. Then O(1) per vertex.
 */
#include "geometry/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	CORNERS = 1 << MESH_MAX_DIMS, /* a corner: bit d = the far end of dimension d */
	NOWHERE = INT32_MAX / 4,      /* cost of what is impossible */
	TRIALS = 96,		      /* curves to compare where none is perfect */
};

/* A box entered at corner 0 and left at corner `ends`. */
struct box {
	int side[MESH_MAX_DIMS];
	int ends;
};

/* One part of a box: where it lies (bit d = beyond the cut) and its corners. */
struct part {
	int place, entry, exit;
	int rule; /* index, -1 = not known yet */
};

struct rule {
	struct box box;
	int cut[MESH_MAX_DIMS]; /* length on the near side; 0 = not cut */
	int nparts;
	struct part *part;
};

/* The cheapest way to enter part i at corner c, and the corners of the part before it. */
struct reached {
	int cost;
	uint8_t from_entry, from_exit;
};

struct hilbert {
	struct arena arena;
	const struct mesh *mesh;
	struct rule *rule;
	int nrules;
	int *order;
	int done;
	/* The search: the best parts so far, and room for one trial. */
	struct reached reached[CORNERS + 1][CORNERS];
	struct part trial[CORNERS], best[CORNERS];
	int best_cost, best_parts, best_cut[MESH_MAX_DIMS];
	int trials;
	bool closed; /* the last part must lead back into the first */
};

/* The dimensions with more than one vertex, as bits. */
static int extended(const int *side)
{
	int bits = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		bits |= (side[d] > 1) << d;
	return bits;
}

static int even_sides(const int *side)
{
	int bits = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		bits |= (side[d] % 2 == 0) << d;
	return bits;
}

/* Is there a path through all of the box between corners that differ in `ends`? */
static bool possible(const int *side, int ends)
{
	int even = even_sides(side);

	if (!extended(side))
		return !ends;
	return ends && (!even || __builtin_popcount((unsigned)(even & ends)) % 2);
}

/*
 * How bad the ends are. Hilbert's curve goes along one long edge. A diagonal or a short edge is
 * possible, but has less locality.
 */
static int cost_of_ends(const int *side, int ends)
{
	int longest = 1, along = 1, cost;

	if (!possible(side, ends))
		return NOWHERE;
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		longest = side[d] > longest ? side[d] : longest;
		along = (ends >> d & 1) && side[d] > along ? side[d] : along;
	}
	if (longest == 1)
		return 0;
	cost = 4 * (__builtin_popcount((unsigned)ends) - 1);
	for (; 2 * along <= longest; along *= 2)
		cost += 4;
	return cost;
}

/* Compute the sides of the part at a place. */
static void part_sides(const int *side, const int *cut, int place, int *out)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		out[d] = side[d];
		if (cut[d])
			out[d] = place >> d & 1 ? side[d] - cut[d] : cut[d];
	}
}

/*
 * Order the 2^m places, one bit changing at a time, from `from` to `to`, which differ in an odd
 * number of the dims: over one half of them, one step in dimension c, over the other half. For to
 * = from ^ one bit this is the reflected Gray code. dims[] has the fast bits first. O(2^m).
 */
static void gray_walk(const int *dims, int m, int from, int to, struct part *part)
{
	int rest[MESH_MAX_DIMS], n = 0, c = -1, turn;

	part[0].place = from;
	if (!m)
		return;
	for (int i = m - 1; c < 0; i--)
		if ((from ^ to) >> dims[i] & 1)
			c = dims[i];
	for (int i = 0; i < m; i++)
		if (dims[i] != c)
			rest[n++] = dims[i];
	turn = n ? from ^ 1 << rest[n - 1] : from;
	gray_walk(rest, n, from, turn, part);
	gray_walk(rest, n, turn ^ 1 << c, to, part + (1 << n));
}

/* The step from one part to the next, or out of the box. */
struct step {
	int bit; /* 1 << dimension, 0 = none */
	bool up;
	int exit; /* the corner where the curve ends, if it ends */
	int next_place;
};

/* Can the curve leave a part with these extended dimensions at `exit` for that step? */
static bool leads_on(const struct step *step, int bits, int exit)
{
	if (!step->bit)
		return exit == (step->exit & bits);
	return (exit & step->bit) == (step->up ? step->bit & bits : 0);
}

/* Extend all ways through part i: from the corners where it can be entered to those of the next. */
static void extend(struct hilbert *h, const struct box *box, const int *cut, int i,
	const struct step *step)
{
	int side[MESH_MAX_DIMS], next_side[MESH_MAX_DIMS], cost[CORNERS], bits, enter;
	struct reached *now = h->reached[i], *next = h->reached[i + 1];

	part_sides(box->side, cut, h->trial[i].place, side);
	part_sides(box->side, cut, step->next_place, next_side);
	bits = extended(side);
	enter = step->up ? 0 : step->bit & extended(next_side);
	for (int c = 0; c < CORNERS; c++) {
		next[c].cost = NOWHERE;
		cost[c] = c & ~bits ? NOWHERE : cost_of_ends(side, c);
	}
	for (int exit = 0; exit < CORNERS; exit++)
		for (int entry = 0;
			!(exit & ~bits) && leads_on(step, bits, exit) && entry < CORNERS; entry++) {
			struct reached *to = &next[(exit & ~step->bit) | enter];

			if (now[entry].cost + cost[entry ^ exit] < to->cost)
				*to = (struct reached){now[entry].cost + cost[entry ^ exit],
					(uint8_t)entry, (uint8_t)exit};
		}
}

/* The step between places that differ in one bit. */
static struct step step_between(int place, int next)
{
	return (struct step){.bit = place ^ next, .up = next & (place ^ next), .next_place = next};
}

/*
 * Find the cheapest corners for the parts in h->trial, beginning at corner `first` of the first
 * part. Keep them in h->best if they are better.
 */
static void try_corners(struct hilbert *h, const struct box *box, const int *cut, int n, int first)
{
	struct step last = {.exit = box->ends, .next_place = h->trial[n - 1].place};
	int at = 0;

	h->trials++;
	if (h->closed)
		last = step_between(h->trial[n - 1].place, h->trial[0].place);
	for (int c = 0; c < CORNERS; c++)
		h->reached[0][c].cost = c == first ? 0 : NOWHERE;
	for (int i = 0; i < n; i++) {
		struct step step = i == n - 1 ? last
			: step_between(h->trial[i].place, h->trial[i + 1].place);

		extend(h, box, cut, i, &step);
	}
	if (h->closed)
		at = first;
	else
		for (int c = 0; c < CORNERS; c++)
			if (h->reached[n][c].cost < h->reached[n][at].cost)
				at = c;
	if (h->reached[n][at].cost >= h->best_cost)
		return;
	h->best_cost = h->reached[n][at].cost;
	h->best_parts = n;
	memcpy(h->best_cut, cut, sizeof(h->best_cut));
	for (int i = n; i > 0; i--) {
		const struct reached *r = &h->reached[i][at];

		h->best[i - 1] =
			(struct part){h->trial[i - 1].place, r->from_entry, r->from_exit, -1};
		at = r->from_entry;
	}
}

/* Is the best one perfect, or has the search tried enough? */
static bool content(const struct hilbert *h)
{
	return !h->best_cost || (h->trials >= TRIALS && h->best_cost < NOWHERE);
}

/* Try one way to cut: all orders of the fast dimensions, and for a ring all first corners. */
static void try_cut(struct hilbert *h, const struct box *box, const int *cut)
{
	int dims[MESH_MAX_DIMS], m = 0, bits = 0, side[MESH_MAX_DIMS];

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		if (cut[d]) {
			dims[m++] = d;
			bits |= 1 << d;
		}
	part_sides(box->side, cut, 0, side);
	for (int turn = 0; turn < m && !content(h); turn++) {
		int first = dims[0];

		if (!h->closed) {
			gray_walk(dims, m, 0, box->ends & bits, h->trial);
			try_corners(h, box, cut, 1 << m, 0);
		} else {
			gray_walk(dims, m, 0, 1 << dims[m - 1], h->trial);
			for (int c = 0; c < CORNERS && !content(h); c++)
				if (!(c & ~extended(side)))
					try_corners(h, box, cut, 1 << m, c);
		}
		memmove(dims, dims + 1, (size_t)(m - 1) * sizeof(*dims));
		dims[m - 1] = first;
	}
}

/*
 * The i-th cut of a side, the best first: near the middle with an even near side, as leaves of two
 * are better than leaves of three; then a cut that changes the parity of the parts. 0 past the
 * last.
 */
static int nth_cut(int side, int i)
{
	static const struct {
		int n, off[3];
	} cuts[] = {{3, {0, -1, 1}}, {2, {0, 1}}, {3, {-1, 1, 0}}, {2, {1, 0}}};

	if (side == 2)
		return i == 0;
	return i < cuts[side % 4].n ? side / 2 + cuts[side % 4].off[i] : 0;
}

/* Try all cuts across the dimensions of a set. */
static void try_dims(struct hilbert *h, const struct box *box, int set)
{
	int choice[MESH_MAX_DIMS] = {0}, cut[MESH_MAX_DIMS], d = 0;

	if (!h->closed && __builtin_popcount((unsigned)(box->ends & set)) % 2 == 0)
		return;
	while (d < MESH_MAX_DIMS && !content(h)) {
		for (d = 0; d < MESH_MAX_DIMS; d++)
			cut[d] = set >> d & 1 ? nth_cut(box->side[d], choice[d]) : 0;
		try_cut(h, box, cut);
		for (d = 0; d < MESH_MAX_DIMS; d++) {
			if ((set >> d & 1) && nth_cut(box->side[d], choice[d] + 1)) {
				choice[d]++;
				break;
			}
			choice[d] = 0;
		}
	}
}

/* Find the best cut and order for a box, in h->best. */
static void search(struct hilbert *h, const struct box *box)
{
	int all = extended(box->side), large = 0, longest = 1;

	h->best_cost = NOWHERE;
	h->trials = 0;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		longest = box->side[d] > longest ? box->side[d] : longest;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		large |= (2 * box->side[d] > longest) << d;
	try_dims(h, box, large);
	for (int d = 0; d < MESH_MAX_DIMS && !content(h); d++)
		if ((all & ~large) >> d & 1)
			try_dims(h, box, large | 1 << d);
	for (int d = 0; d < MESH_MAX_DIMS && !content(h); d++)
		if (large >> d & 1)
			try_dims(h, box, large & ~(1 << d));
	try_dims(h, box, all);
	/* One cut is always enough, and has not been needed in any box that was tried. */
	for (int d = 0; d < MESH_MAX_DIMS && h->best_cost >= NOWHERE; d++)
		try_dims(h, box, all & 1 << d);
}

/* Add a rule for a box. Its index; -1: memory is out, or the box has no path. */
static int add_rule(struct hilbert *h, const struct box *box)
{
	struct rule *rule;

	search(h, box);
	if (h->best_cost >= NOWHERE ||
		!(rule = arena_grow(&h->arena, &h->rule, h->nrules, sizeof(*rule))))
		return -1;
	rule->box = *box;
	memcpy(rule->cut, h->best_cut, sizeof(rule->cut));
	rule->nparts = h->best_parts;
	if (!arena_array(&h->arena, rule->part, rule->nparts))
		return -1;
	memcpy(rule->part, h->best, (size_t)rule->nparts * sizeof(*rule->part));
	return h->nrules++;
}

static int find_rule(struct hilbert *h, const struct box *box)
{
	for (int i = 0; i < h->nrules; i++)
		if (!memcmp(&h->rule[i].box, box, sizeof(*box)))
			return i;
	return add_rule(h, box);
}

/*
 * Write the curve of a box by its rule. v is the box's lowest vertex; mirror has the dimensions
 * that run from the far end. Recursion is as deep as sides can be halved.
 */
static int walk(struct hilbert *h, int at, int v, int mirror)
{
	for (int i = 0; i < h->rule[at].nparts; i++) {
		/* the array of rules may move while one is added */
		const struct rule *rule = &h->rule[at];
		const struct part *part = &rule->part[i];
		struct box box = {.ends = part->entry ^ part->exit};
		int low = v, next = part->rule;

		part_sides(rule->box.side, rule->cut, part->place, box.side);
		for (int d = 0; d < h->mesh->ndims; d++) {
			int off = part->place >> d & 1 ? rule->cut[d] : 0;

			if (mirror >> d & 1)
				off = rule->box.side[d] - off - box.side[d];
			low += off * h->mesh->stride[d];
		}
		if (!extended(box.side)) {
			h->order[h->done++] = low;
			continue;
		}
		if (next < 0 && (next = find_rule(h, &box)) < 0)
			return -1;
		h->rule[at].part[i].rule = next;
		if (walk(h, next, low, mirror ^ h->rule[at].part[i].entry))
			return -1;
	}
	return 0;
}

/* The cheapest end. A dimension that wraps is better: its ends are neighbours. */
static int best_ends(const struct mesh *mesh)
{
	int best = 0, least = NOWHERE, all = extended(mesh->side);

	for (int ends = 1; ends < CORNERS; ends++) {
		int cost = cost_of_ends(mesh->side, ends) * 2, d = __builtin_ctz((unsigned)ends);

		if (ends & ~all)
			continue;
		cost += !(ends == 1 << d && mesh->wrap[d]);
		if (cost < least) {
			least = cost;
			best = ends;
		}
	}
	return best;
}

/* The end of a ring: along a dimension that wraps, or 0 for a cycle inside the box. */
static int ring_ends(const struct mesh *mesh)
{
	int best = 0, least = NOWHERE;

	for (int d = 0; d < mesh->ndims; d++) {
		int cost = mesh->side[d] > 1 && mesh->wrap[d] ? cost_of_ends(mesh->side, 1 << d)
							       : NOWHERE;

		if (cost < least) {
			least = cost;
			best = 1 << d;
		}
	}
	return best;
}

/* Add the first rule, for the whole machine. Its index, or -1. */
static int whole(struct hilbert *h, bool ring)
{
	struct box box = {.ends = ring ? ring_ends(h->mesh) : best_ends(h->mesh)};
	int big = extended(h->mesh->side), first;

	memcpy(box.side, h->mesh->side, sizeof(box.side));
	if (ring && !box.ends) {
		/* A cycle needs as many black vertices as white ones, and two dimensions. */
		h->closed = even_sides(box.side) && (big & (big - 1));
		if (!h->closed)
			box.ends = best_ends(h->mesh);
	}
	first = add_rule(h, &box);
	h->closed = false;
	return first;
}

int curve_hilbert(const struct mesh *mesh, bool ring, int *order)
{
	struct hilbert *h = calloc(1, sizeof(*h));
	int result = -1, first;

	if (!h)
		return -1;
	h->mesh = mesh;
	h->order = order;
	order[0] = 0;
	if (mesh->nvertices == 1)
		result = 0;
	else if ((first = whole(h, ring)) >= 0)
		result = walk(h, first, 0, 0);
	arena_release(&h->arena);
	free(h);
	return result;
}
