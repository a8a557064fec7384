/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "metrics.h"
#include "vector.h"

struct point_cell {
	/* (hops to all that was chosen when it was looked at) << NODE_BITS | next node: it can
	 * only grow, so the heap's top is right once it has been looked at again. */
	uint64_t key;
	int vertex;
	int next; /* of the vertex's nodes: index into mesh->node_at[] */
	int left; /* free nodes on the vertex not taken yet, that are not required */
};

/* MESH_MAX_NODES is 2^24, and no total of hops to all nodes reaches 2^40. */
#define NODE_BITS 24

/* ---- memory ---- */

/*
 * least[u]: around any one of u nodes, others fill the shells of an infinite mesh at best;
 * summed over all of them every pair counts twice.
 */
static void fill_least(struct point *point)
{
	const struct mesh *mesh = point->mesh;
	int dims = 0, radius = 0;
	double room, star = 0;

	for (int d = 0; d < mesh->ndims; d++)
		dims += mesh->side[d] > 1;
	room = mesh->nodes_per_vertex;
	for (int u = 1; u <= mesh->nnodes; u++, room--) {
		while (room < 1) {
			/* Vertices at exactly `radius` hops in `dims` dimensions. */
			radius++;
			double ways = 1, out = 0;

			for (int i = 1; i <= dims && i <= radius; i++) {
				/* choose i dimensions, signs, and a way to split the radius */
				ways = ways * (dims - i + 1) / i;
				double split = 1;

				for (int j = 1; j < i; j++)
					split = split * (radius - j) / j;
				out += ways * (double)(1 << i) * split;
			}
			room += out * mesh->nodes_per_vertex;
			if (!dims)
				room = 1;
		}
		star += radius;
		point->least[u] = (float)(star * u / 2 * 0.999999);
	}
}

static bool allocate(struct point *point)
{
	const struct mesh *mesh = point->mesh;
	size_t n = (size_t)mesh->nvertices, longest = 2 * (size_t)mesh->side[0];

	for (int d = 0; d < mesh->ndims; d++) {
		size_t side = (size_t)mesh->side[d];

		longest = side > longest ? side : longest;

		point->fixed[d] = calloc(side, sizeof(int));
		point->count[d] = calloc(side, sizeof(int));
		point->far[d] = calloc(side, sizeof(int64_t));
		size_t places = d ? side : (size_t)ball_offsets(&point->space);

		point->lane_far[d] = calloc(places * BALL_LANES, sizeof(float));
		if (!point->fixed[d] || !point->count[d] || !point->far[d] || !point->lane_far[d] ||
			nodeset_init(&point->used[d], mesh->side[d]))
			return false;
	}
	point->vertex = malloc(n * sizeof(int));
	point->cell = malloc(n * sizeof(*point->cell));
	point->bound = malloc(n * sizeof(*point->bound));
	point->least = calloc((size_t)mesh->nnodes + 1, sizeof(*point->least));
	point->away = malloc(longest * sizeof(float));
	return point->away && point->vertex && point->cell && point->bound && point->least;
}

int point_init(struct point *point, const struct mesh *mesh, bool boxes, struct mesh_err *err)
{
	memset(point, 0, sizeof(*point));
	point->mesh = mesh;
	if (ball_init(&point->space, mesh, boxes) || !allocate(point))
		return err_printf(err, "out of memory");
	fill_least(point);
	return 0;
}

void point_release(struct point *point)
{
	ball_release(&point->space);
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(point->fixed[d]);
		free(point->lane_far[d]);
		free(point->count[d]);
		free(point->far[d]);
		nodeset_release(&point->used[d]);
	}
	free(point->vertex);
	free(point->cell);
	free(point->bound);
	free(point->away);
	free(point->least);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool point_late(const struct point *point)
{
	return point->deadline && now() >= point->deadline;
}

void point_load(struct point *point, const struct mesh_state *state,
	const struct mesh_request *request)
{
	const struct mesh *mesh = point->mesh;

	point->free = state->free;
	point->required = request->required;
	point->nrequired = request->required ? nodeset_count(request->required) : 0;
	point->wanted = request->count - point->nrequired;
	point->deadline = request->budget_ns > 0 ? now() + request->budget_ns : 0;
	ball_load(&point->space, state->free, request->required);
	for (int d = 0; d < mesh->ndims; d++) {
		memset(point->fixed[d], 0, (size_t)mesh->side[d] * sizeof(int));
		nodeset_clear_all(&point->used[d]);
	}
	for (int v = 0; v < mesh->nvertices; v++)
		if (point->space.weight[v])
			for (int d = 0; d < mesh->ndims; d++)
				nodeset_add(&point->used[d], mesh->coord[v][d]);
	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1))
		for (int d = 0; d < mesh->ndims; d++) {
			int q = mesh->coord[mesh->vertex_of[i]][d];

			point->fixed[d][q]++;
			nodeset_add(&point->used[d], q);
		}
}

/* ---- one centre ---- */

/* far[q] = hops from q to all nodes counted, along one dimension; half of sum(count*far). */
static int64_t spread(const int *count, int side, bool wrap, int64_t *far)
{
	int64_t n = 0, below = 0, twice = 0, ahead = 0;
	int half = side / 2;

	far[0] = 0;
	for (int q = 0; q < side; q++) {
		int hops = wrap && 2 * q > side ? side - q : q;

		n += count[q];
		far[0] += (int64_t)hops * count[q];
		ahead += q && q <= half ? count[q] : 0;
	}
	for (int q = 0; q < side; q++) {
		twice += count[q] * far[q];
		below += count[q];
		if (q + 1 == side)
			break;
		if (!wrap) {
			far[q + 1] = far[q] + 2 * below - n;
			continue;
		}
		/* Ahead up to half the ring comes nearer; with an odd side one stays. */
		int stays = side % 2 ? count[(q + half + 1) % side] : 0;

		far[q + 1] = far[q] + n - 2 * ahead - stays;
		ahead += count[(q + 1 + half) % side] - count[q + 1];
	}
	return twice / 2;
}

static int64_t far_sum(const struct point *point, int v)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += point->far[d][mesh->coord[v][d]];
	return sum;
}

/* One more node is chosen, at coordinate c: everything is that much farther from all. */
static void add_far(const struct point *point, int v)
{
	const struct mesh *mesh = point->mesh;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d];
		int64_t *far = point->far[d];

		if (mesh->wrap[d])
			for (int q = 0; q < side; q++)
				far[q] += mesh_axis_hops(mesh, d, c, q);
		else
			for (int q = 0; q < side; q++)
				far[q] += q < c ? c - q : q - c;
	}
}

/* The next free node of the cell's vertex that is not required. */
static int next_node(const struct point *point, int from)
{
	const int *node = point->mesh->node_at;

	while (!nodeset_has(point->free, node[from]) ||
		(point->required && nodeset_has(point->required, node[from])))
		from++;
	return from;
}

static void set_key(const struct point *point, struct point_cell *cell)
{
	cell->key = (uint64_t)far_sum(point, cell->vertex) << NODE_BITS |
		(uint64_t)point->mesh->node_at[cell->next];
}

static void sift(struct point_cell *heap, int n, int i)
{
	struct point_cell moving = heap[i];

	for (int child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && heap[child + 1].key < heap[child].key;
		if (heap[child].key >= moving.key)
			break;
		heap[i] = heap[child];
	}
	heap[i] = moving;
}

static void make_heap(struct point *point, int nshell)
{
	for (int i = 0; i < nshell; i++) {
		struct point_cell *cell = &point->cell[i];

		cell->vertex = point->vertex[i];
		cell->next = next_node(point, point->mesh->first[cell->vertex]);
		cell->left = point->space.weight[cell->vertex];
		set_key(point, cell);
	}
	for (int i = nshell / 2 - 1; i >= 0; i--)
		sift(point->cell, nshell, i);
}

/* ---- bounds from the last shell ---- */

#define BUCKETS 64

/* Nodes by their hops to all chosen: bucket i holds those in low + i*step .. low + (i+1)*step-1. */
struct buckets {
	int64_t low, step;
	int count[BUCKETS];
};

static void fill_buckets(const struct point *point, int nshell, struct buckets *b)
{
	int64_t high = INT64_MIN;

	memset(b, 0, sizeof(*b));
	b->low = INT64_MAX;
	for (int i = 0; i < nshell; i++) {
		int64_t far = far_sum(point, point->vertex[i]);

		b->low = far < b->low ? far : b->low;
		high = far > high ? far : high;
	}
	b->step = (high - b->low) / BUCKETS + 1;
	for (int i = 0; i < nshell; i++)
		b->count[(far_sum(point, point->vertex[i]) - b->low) / b->step] +=
			point->space.weight[point->vertex[i]];
}

/* The nearest n of them add at least, the farthest n at most, this much. */
static int64_t nearest_sum(const struct buckets *b, int n)
{
	int64_t sum = 0;

	for (int i = 0; n > 0; i++) {
		int here = b->count[i] < n ? b->count[i] : n;

		sum += here * (b->low + i * b->step);
		n -= here;
	}
	return sum;
}

static int64_t farthest_sum(const struct buckets *b, int n)
{
	int64_t sum = 0;

	for (int i = BUCKETS - 1; n > 0; i--) {
		int here = b->count[i] < n ? b->count[i] : n;

		sum += here * (b->low + (i + 1) * b->step - 1);
		n -= here;
	}
	return sum;
}

/*
 * A lower bound of the total of the ball B, of `inside` total, with `take` nodes X of the shell
 * Y: total(B) + hops(B, X) + least(take), or
 * total(B+Y) - hops(B+Y, Y-X) + least(Y-X), whichever is more. far[] is as before afterwards.
 */
static bool may_reach(struct point *point, int nshell, int take, int64_t inside, int64_t limit)
{
	const struct mesh *mesh = point->mesh;
	struct buckets b;
	int64_t all = 0;
	int nodes = 0;
	bool fine;

	fill_buckets(point, nshell, &b);
	if (inside + nearest_sum(&b, take) + (int64_t)point->least[take] > limit)
		return false;
	for (int i = 0; i < nshell; i++) {
		int v = point->vertex[i], here = point->space.weight[v];

		nodes += here;
		for (int d = 0; d < mesh->ndims; d++)
			point->count[d][mesh->coord[v][d]] += here;
	}
	for (int d = 0; d < mesh->ndims; d++)
		all += spread(point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	fill_buckets(point, nshell, &b);
	fine = all - farthest_sum(&b, nodes - take) + (int64_t)point->least[nodes - take] <= limit;
	for (int i = 0; fine && i < nshell; i++)
		for (int d = 0; d < mesh->ndims; d++)
			point->count[d][mesh->coord[point->vertex[i]][d]] -=
				point->space.weight[point->vertex[i]];
	for (int d = 0; fine && d < mesh->ndims; d++)
		spread(point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	return fine;
}

/*
 * Choose `take` nodes of the last shell, greedily; what they add to the total, or more than
 * `limit` as soon as that is certain. Into node[] unless that is NULL.
 */
static int64_t greedy(struct point *point, int nshell, int take, int64_t limit, int *node)
{
	struct point_cell *heap = point->cell;
	int n = nshell;
	int64_t added = 0;

	make_heap(point, nshell);

	while (take > 0) {
		uint64_t stale = heap[0].key;

		set_key(point, &heap[0]);
		if (heap[0].key != stale) {
			sift(heap, n, 0);
			continue;
		}
		int64_t sum = (int64_t)(stale >> NODE_BITS);

		/* All that come later are no nearer. */
		if (added + sum * take > limit)
			return limit + 1;
		added += sum;
		if (node)
			*node++ = point->mesh->node_at[heap[0].next];
		add_far(point, heap[0].vertex);
		take--;
		if (--heap[0].left)
			heap[0].next = next_node(point, heap[0].next + 1);
		else
			heap[0] = heap[--n];
		if (n && take) {
			set_key(point, &heap[0]);
			sift(heap, n, 0);
		}
	}
	return added;
}

/* The last whole shell's radius (-1: none) and how many nodes are inside. */
static int fill_radius(struct point *point, int x, int guess, int *inside)
{
	struct ball_space *space = &point->space;
	int radius = guess, count, next;

	if (radius >= 0)
		ball_count(space, radius, x, 1, &count);
	else
		count = 0;
	while (radius >= 0 && count > point->wanted) {
		radius--;
		count = 0;
		if (radius >= 0)
			ball_count(space, radius, x, 1, &count);
	}
	while (count < point->wanted) {
		/* The lists of near rows go as far as was asked for. */
		if (radius + 1 > space->cap)
			ball_row(space, space->centre, 2 * radius + 3);
		ball_count(space, radius + 1, x, 1, &next);
		if (next > point->wanted)
			break;
		count = next;
		radius++;
	}
	*inside = count;
	return radius;
}

/* Marginals of ball and required nodes around x, and far[]; the total. */
static int64_t measure(struct point *point, int radius, int x)
{
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++)
		memcpy(point->count[d], point->fixed[d], (size_t)mesh->side[d] * sizeof(int));
	ball_add_marginals(&point->space, radius, x, point->count);
	for (int d = 0; d < mesh->ndims; d++)
		total += spread(point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	return total;
}

static void turn_to(struct point *point, int centre, int guess)
{
	int coord[MESH_MAX_DIMS];

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		coord[d] = d < point->mesh->ndims ? point->mesh->coord[centre][d] : 0;
	ball_row(&point->space, coord, guess + 2);
}

/* The total around a centre, or more than limit when it is. */
static int64_t evaluate(struct point *point, int centre, int guess, int64_t limit, int *node)
{
	int x = point->mesh->coord[centre][0], inside, radius, n = 0;
	int64_t total;

	turn_to(point, centre, guess);
	radius = fill_radius(point, x, guess, &inside);
	total = measure(point, radius, x);
	if (inside < point->wanted && total <= limit) {
		n = ball_shell(&point->space, radius + 1, x, point->vertex);
		if (!may_reach(point, n, point->wanted - inside, total, limit))
			return limit + 1;
		total += greedy(point, n, point->wanted - inside, limit - total, node);
	}
	return total;
}

int point_take(struct point *point, int centre, int *node, int64_t *total)
{
	const struct mesh *mesh = point->mesh;
	int x = mesh->coord[centre][0], inside, radius, n, got = 0;

	turn_to(point, centre, 0);
	radius = fill_radius(point, x, 0, &inside);
	*total = evaluate(point, centre, radius, INT64_MAX / 4, node);
	got = point->wanted - inside;
	n = radius < 0 ? 0 : ball_inside(&point->space, radius, x, point->vertex);
	for (int i = 0; i < n; i++)
		for (int at = mesh->first[point->vertex[i]], left = point->space.weight[point->vertex[i]];
			left; left--, at++) {
			at = next_node(point, at);
			node[got++] = mesh->node_at[at];
		}
	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1))
		node[got++] = i;
	return got;
}

int64_t point_total(struct point *point, int centre, int guess, int64_t limit)
{
	return evaluate(point, centre, guess, limit, NULL);
}
