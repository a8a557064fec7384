/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/pacmap_center.h"

#include <float.h>
#include <stdlib.h>

/* Of pacmap_center_task(): pairs and tasks looked at. */
static const double most_looks = 4e6;
/* Of pacmap_center_node(): shells beyond the smallest ball. */
enum { BEYOND = 2 };

/* --- the middle task ------------------------------------------------------------------ */

struct search {
	const struct traffic *traffic;
	struct heap *heap;
	double *dist;
	double far; /* more than any way */
};

/* Dijkstra from one task, as long as the sum is below `limit`. */
static double sum_of_ways(struct search *s, int from, double limit)
{
	const struct traffic *t = s->traffic;
	double sum = 0;
	int reached = 0;

	for (int i = 0; i < t->n; i++)
		s->dist[i] = -1; /* not seen */
	s->heap->size = 0;
	s->dist[from] = 0;
	heap_push(s->heap, (struct heap_item){0, from, from});
	while (s->heap->size && sum < limit) {
		int task = heap_pop(s->heap).id;

		reached++;
		sum += s->dist[task];
		for (size_t e = t->start[task]; e < t->start[task + 1]; e++) {
			int to = t->to[e];
			double way = s->dist[task] + 1 / t->weight[e];

			if (s->dist[to] < 0) {
				s->dist[to] = way;
				heap_push(s->heap, (struct heap_item){way, to, to});
			} else if (way < s->dist[to]) {
				s->dist[to] = way;
				heap_rekey(s->heap, to, way);
			}
		}
	}
	return sum < limit ? sum + (t->n - reached) * s->far : limit;
}

int pacmap_center_task(const struct traffic *traffic, struct heap *heap, double *dist)
{
	struct search s = {traffic, heap, dist, 1};
	int n = traffic->n, best = 0;
	double least = DBL_MAX, looks = (double)traffic->start[n] + n;
	int tried = looks * n <= most_looks ? n : (int)(most_looks / looks);

	for (size_t e = 0; e < traffic->start[n]; e++)
		s.far += 1 / traffic->weight[e];
	tried = tried > 1 ? tried : 1;
	for (int i = 0; i < tried; i++) {
		int task = (int)((int64_t)n * i / tried);
		double sum = sum_of_ways(&s, task, least);

		if (sum < least) {
			least = sum;
			best = task;
		}
	}
	return best;
}

/* --- the middle node ------------------------------------------------------------------ */

/* Nodes at each distance from a vertex: dimension after dimension. */
static int count_shells(struct pacmap_room *room)
{
	const struct mesh *mesh = room->mesh;
	double *next;

	room->shells = 1;
	for (int d = 0; d < mesh->ndims; d++)
		room->shells += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	room->shell = calloc((size_t)room->shells, sizeof(double));
	next = calloc((size_t)room->shells, sizeof(double));
	if (room->shell && next)
		room->shell[0] = mesh->nodes_per_vertex;
	for (int d = 0; room->shell && next && d < mesh->ndims; d++) {
		int side = mesh->side[d], reach = mesh->wrap[d] ? side / 2 : side - 1;

		for (int r = 0; r < room->shells; r++) {
			next[r] = room->shell[r];
			for (int k = 1; k <= reach && k <= r; k++)
				next[r] += room->shell[r - k] *
					(mesh->wrap[d] && 2 * k == side ? 1 : 2);
		}
		for (int r = 0; r < room->shells; r++)
			room->shell[r] = next[r];
	}
	free(next);
	return room->shell && next ? 0 : -1;
}

int pacmap_room_init(struct pacmap_room *room, const struct mesh *mesh)
{
	*room = (struct pacmap_room){.mesh = mesh};
	room->weight = malloc((size_t)mesh->nvertices * sizeof(int));
	return !room->weight || count_shells(room) || ball_counts_init(&room->balls, mesh) ? -1 : 0;
}

void pacmap_room_release(struct pacmap_room *room)
{
	if (room->mesh)
		ball_counts_release(&room->balls);
	free(room->weight);
	free(room->shell);
}

/* Free nodes within a radius of a vertex. */
static int within(const struct pacmap_room *room, int radius, int vertex)
{
	const struct ball_counts_view *ball = &room->balls.ball;
	size_t side = (size_t)room->mesh->side[0], row = (size_t)vertex / side,
	       x = (size_t)vertex % side;

	return ball->at[(size_t)radius * ball->size + row * ball->pitch + x];
}

static double score(const struct pacmap_room *room, int vertex, int count, int radius)
{
	double sum = 0;
	int have = 0, inside = 0;

	for (int r = 0; r <= radius; r++) {
		int all = within(room, r, vertex), here = all - inside;

		inside = all;
		if (have >= count) {
			sum -= here / room->shell[r];
		} else if (have + here > count) { /* those needed, less those that are not */
			sum += (2 * (count - have) - here) / room->shell[r];
			have = count;
		} else {
			sum += here / room->shell[r];
			have += here;
		}
	}
	return sum;
}

/* The last shell that is looked at. */
static int last_shell(struct pacmap_room *room, int count)
{
	double ball = room->shell[0];
	int radius = 0;

	while (radius + 1 < room->shells && ball < count)
		ball += room->shell[++radius];
	radius += BEYOND;
	if (radius >= room->shells)
		radius = room->shells - 1;
	while (radius &&
		(!ball_counts_serve(&room->balls, radius) || radius >= room->balls.whole_to))
		radius--;
	return radius;
}

int pacmap_center_node(struct pacmap_room *room, const struct nodeset *free,
	const struct nodeset *from, int count, struct mesh_budget *budget)
{
	const struct mesh *mesh = room->mesh;
	int radius = last_shell(room, count), best = -1;
	double most = -DBL_MAX;

	for (int v = 0; v < mesh->nvertices; v++) {
		room->weight[v] = 0;
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			room->weight[v] += nodeset_has(free, mesh->node_at[i]);
	}
	ball_counts_load(&room->balls, room->weight);
	for (int r = 0; r <= radius; r++) {
		if (budget && mesh_budget_late(budget))
			return -1;
		ball_counts_extend(&room->balls, r);
	}
	nodeset_each(node, from) {
		double value = score(room, mesh->vertex_of[node], count, radius);

		if (value > most) {
			most = value;
			best = node;
		}
		if (!(node & 1023) && budget && mesh_budget_late(budget))
			return best;
	}
	return best;
}
