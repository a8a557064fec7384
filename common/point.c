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
	size_t n = (size_t)mesh->nvertices;

	for (int d = 0; d < mesh->ndims; d++) {
		size_t side = (size_t)mesh->side[d];

		point->fixed[d] = calloc(side, sizeof(int));
		point->count[d] = calloc(side, sizeof(int));
		point->far[d] = calloc(side, sizeof(int64_t));
		if (!point->fixed[d] || !point->count[d] || !point->far[d] ||
			nodeset_init(&point->used[d], mesh->side[d]))
			return false;
	}
	point->vertex = malloc(n * sizeof(int));
	point->cell = malloc(n * sizeof(*point->cell));
	point->bound = malloc(n * sizeof(*point->bound));
	point->least = calloc((size_t)mesh->nnodes + 1, sizeof(*point->least));
	return point->vertex && point->cell && point->bound && point->least;
}

int point_init(struct point *point, const struct mesh *mesh, struct mesh_err *err)
{
	memset(point, 0, sizeof(*point));
	point->mesh = mesh;
	if (ball_init(&point->space, mesh) || !allocate(point))
		return err_printf(err, "out of memory");
	fill_least(point);
	return 0;
}

void point_release(struct point *point)
{
	ball_release(&point->space);
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(point->fixed[d]);
		free(point->count[d]);
		free(point->far[d]);
		nodeset_release(&point->used[d]);
	}
	free(point->vertex);
	free(point->cell);
	free(point->bound);
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

static int make_heap(struct point *point, int nshell)
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
	return nshell;
}

/*
 * Choose `take` nodes of the last shell, greedily; what they add to the total, or more than
 * `limit` as soon as that is certain. Into node[] unless that is NULL.
 */
static int64_t greedy(struct point *point, int nshell, int take, int64_t limit, int *node)
{
	struct point_cell *heap = point->cell;
	int n = make_heap(point, nshell);
	int64_t added = 0;

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
	struct ball_space *space = &point->space;
	int64_t total = 0;

	ball_marginals(space, radius, x, 1);
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], first = ball_first_offset(space);

		for (int q = 0; q < side; q++) {
			int at = q;

			if (!d) {
				at = q - x + first;
				if (mesh->wrap[0])
					at = (at % side + side) % side;
			}
			point->count[d][q] = point->fixed[d][q] +
				space->marginal[d][at * BALL_LANES];
		}
		total += spread(point->count[d], side, mesh->wrap[d], point->far[d]);
	}
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

/* ---- all centres ---- */

static bool is_centre(const struct point *point, const struct point_search *search, int v)
{
	const struct mesh *mesh = point->mesh;

	if (search->free_only) {
		if (point->space.weight[v])
			return true;
		for (int i = mesh->first[v]; point->required && i < mesh->first[v + 1]; i++)
			if (nodeset_has(point->required, mesh->node_at[i]))
				return true;
		return false;
	}
	for (int d = 0; search->grid && d < mesh->ndims; d++)
		if (!nodeset_has(&point->used[d], mesh->coord[v][d]))
			return false;
	return true;
}

void point_best_hops(struct point *point, struct point_search *search)
{
	for (int v = 0; v < point->mesh->nvertices; v++) {
		if (!is_centre(point, search, v))
			continue;
		if (search->vertex >= 0 && (search->out_of_time = point_late(point)))
			return;
		int64_t total = evaluate(point, v, 1, search->total - 1, NULL);

		if (total >= search->total)
			continue;
		search->total = search->cost = total;
		search->vertex = v;
	}
}

/* Sum of the required nodes' shell numbers. */
static int64_t required_shells(const struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1)) {
		int shell = 0;

		for (int d = 0; d < mesh->ndims; d++) {
			int used = ball_axis(&point->space, d, mesh->coord[centre][d],
				mesh->coord[mesh->vertex_of[i]][d]);

			shell = used > shell ? used : shell;
		}
		sum += shell;
	}
	return sum;
}

/* Sum of shell numbers around x, or more than limit when it is. */
static int64_t shell_cost(struct point *point, int x, int64_t cost, int64_t limit)
{
	for (int radius = 0, count = 0; cost <= limit; radius++) {
		if (radius > point->space.cap)
			ball_row(&point->space, point->space.centre, 2 * radius + 3);
		ball_count(&point->space, radius, x, 1, &count);
		if (count >= point->wanted)
			break;
		cost += point->wanted - count;
	}
	return cost;
}

void point_best_boxes(struct point *point, struct point_search *search)
{
	for (int v = 0; v < point->mesh->nvertices; v++) {
		if (!is_centre(point, search, v))
			continue;
		if (search->vertex >= 0 && (search->out_of_time = point_late(point)))
			return;
		turn_to(point, v, 1);
		int64_t cost = shell_cost(point, point->mesh->coord[v][0],
			required_shells(point, v), search->cost), total;

		if (cost > search->cost)
			continue;
		total = evaluate(point, v, 1, INT64_MAX / 4, NULL);
		if (cost == search->cost && (total > search->total ||
			(total == search->total && v >= search->vertex)))
			continue;
		search->cost = cost;
		search->total = total;
		search->vertex = v;
	}
}
