/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/pacmap.h"

#include <stdlib.h>
#include <string.h>

#include "ranks/drb.h"
#include "study/pacmap_center.h"

struct pacmap {
	const struct mesh *mesh;
	struct pacmap_room room;
	struct nodeset free; /* and not taken */
	/* The frame: free nodes nearest to each that is taken. */
	int *frame, nframe;
	bool *in_frame;	 /* [nnodes]; false between calls */
	int64_t *to_all; /* [nnodes] of those in it, where all talk alike: hops to the taken ones */
	int *taken, ntaken;
	int center;
	int left; /* required nodes that are not taken */
	/* Tasks that talk to placed ones, by how much. */
	struct heap heap;
	bool *listed; /* [nnodes] of tasks: in the heap, now or before */
	double *dist;
	const struct pacmap_tasks *tasks;
	int *node; /* of tasks; -1: not placed */
	double hop_bytes; /* of those that are placed */
};

void pacmap_free(struct pacmap *map)
{
	if (!map)
		return;
	pacmap_room_release(&map->room);
	nodeset_release(&map->free);
	free(map->frame);
	free(map->in_frame);
	free(map->to_all);
	free(map->taken);
	free(map->heap.item);
	free(map->heap.place);
	free(map->listed);
	free(map->dist);
	free(map);
}

struct pacmap *pacmap_new(const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nnodes;
	struct pacmap *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->mesh = mesh;
	map->frame = malloc(n * sizeof(int));
	map->in_frame = calloc(n, sizeof(bool));
	map->to_all = malloc(n * sizeof(int64_t));
	map->taken = malloc(n * sizeof(int));
	map->heap.item = malloc(n * sizeof(struct heap_item));
	map->heap.place = malloc(n * sizeof(int));
	map->listed = malloc(n * sizeof(bool));
	map->dist = malloc(n * sizeof(double));
	if (!pacmap_room_init(&map->room, mesh) && !nodeset_init(&map->free, mesh->nnodes) &&
		map->frame && map->in_frame && map->to_all && map->taken && map->heap.item &&
		map->heap.place && map->listed && map->dist)
		return map;
	pacmap_free(map);
	return NULL;
}

static int hops(const struct pacmap *map, int a, int b)
{
	return mesh_hops(map->mesh, map->mesh->vertex_of[a], map->mesh->vertex_of[b]);
}

static bool late(const struct pacmap *map)
{
	return map->tasks->budget && mesh_budget_late(map->tasks->budget);
}

/* --- the frame ------------------------------------------------------------------------ */

/* The coordinates k hops from c along dimension d, into at[2]; how many. */
static int along(const struct mesh *mesh, int d, int c, int k, int *at)
{
	int side = mesh->side[d], n = 0;
	bool ring = mesh->wrap[d];

	if (ring && 2 * k > side)
		return 0;
	if (ring || c + k < side)
		at[n++] = (c + k) % side;
	if (k && (ring ? 2 * k < side : c >= k))
		at[n++] = (c - k + side) % side;
	return n;
}

static void into_frame(struct pacmap *map, int node)
{
	if (!nodeset_has(&map->free, node) || map->in_frame[node])
		return;
	map->in_frame[node] = true;
	map->frame[map->nframe++] = node;
	map->to_all[node] = 0;
	for (int i = 0; !map->tasks->traffic && i < map->ntaken; i++)
		map->to_all[node] += hops(map, node, map->taken[i]);
}

/* The free nodes `radius` hops from `center`, from dimension d on, at vertex so far; how many. */
static int take_shell(struct pacmap *map, int center, int d, int radius, int vertex)
{
	const struct mesh *mesh = map->mesh;
	int found = 0, first = d == mesh->ndims - 1 ? radius : 0;

	for (int k = first; k <= radius; k++) {
		int at[2], c = mesh->coord[center][d], n = along(mesh, d, c, k, at);

		for (int i = 0; i < n; i++) {
			int next = vertex + at[i] * mesh->stride[d];

			if (d < mesh->ndims - 1) {
				found += take_shell(map, center, d + 1, radius - k, next);
				continue;
			}
			for (int j = mesh->first[next]; j < mesh->first[next + 1]; j++) {
				found += nodeset_has(&map->free, mesh->node_at[j]);
				into_frame(map, mesh->node_at[j]);
			}
		}
	}
	return found;
}

static void drop_from_frame(struct pacmap *map, int node)
{
	map->in_frame[node] = false;
	for (int i = 0; i < map->nframe; i++)
		if (map->frame[i] == node)
			map->frame[i] = map->frame[--map->nframe];
}

/* A node is taken: the free ones nearest to it are in the frame now. */
static void grow_frame(struct pacmap *map, int node)
{
	if (map->in_frame[node])
		drop_from_frame(map, node);
	for (int i = 0; !map->tasks->traffic && i < map->nframe; i++)
		map->to_all[map->frame[i]] += hops(map, node, map->frame[i]);
	for (int r = 0; r < map->room.shells && !late(map); r++)
		if (take_shell(map, map->mesh->vertex_of[node], 0, r, 0))
			return;
}

/* --- tasks ---------------------------------------------------------------------------- */

/* The one that talks most to those that are placed; where nobody does, the lowest. */
static int next_task(struct pacmap *map, int *lowest)
{
	if (map->heap.size)
		return heap_pop(&map->heap).id;
	while (map->node[*lowest] >= 0)
		++*lowest;
	map->listed[*lowest] = true;
	return *lowest;
}

/* Keys are what is sent to placed tasks, less than 0. */
static void list_partners(struct pacmap *map, int task)
{
	const struct traffic *t = map->tasks->traffic;

	for (size_t e = t ? t->start[task] : 0; t && e < t->start[task + 1]; e++) {
		int other = t->to[e];

		if (!map->listed[other]) {
			map->listed[other] = true;
			heap_push(&map->heap, (struct heap_item){-t->weight[e], other, other});
		} else if (map->node[other] < 0) {
			heap_rekey(&map->heap, other,
				map->heap.item[map->heap.place[other]].key - t->weight[e]);
		}
	}
}

/* Hop-bytes of the task's messages to those that are placed, if it were on this node. */
static double cost(const struct pacmap *map, int task, int node)
{
	const struct traffic *t = map->tasks->traffic;
	double sum = 0;

	if (!t && map->in_frame[node])
		return (double)map->to_all[node];
	for (int i = 0; !t && i < map->ntaken; i++)
		sum += hops(map, node, map->taken[i]);
	for (size_t e = t ? t->start[task] : 0; t && e < t->start[task + 1]; e++)
		if (map->node[t->to[e]] >= 0)
			sum += t->weight[e] * hops(map, node, map->node[t->to[e]]);
	return sum;
}

struct choice {
	int node, to_center;
	double cost;
};

static void consider(const struct pacmap *map, int task, int node, struct choice *best)
{
	struct choice c = {node, hops(map, node, map->center), cost(map, task, node)};

	if (best->node < 0 || c.cost < best->cost || (c.cost <= best->cost &&
			(c.to_center < best->to_center ||
				(c.to_center == best->to_center && node < best->node))))
		*best = c;
}

static struct choice best_node(const struct pacmap *map, int task)
{
	struct choice best = {.node = -1};

	if (map->left == map->tasks->count - map->ntaken && map->left) {
		nodeset_each(node, map->tasks->required)
			if (nodeset_has(&map->free, node))
				consider(map, task, node, &best);
		return best;
	}
	for (int i = 0; i < map->nframe; i++)
		consider(map, task, map->frame[i], &best);
	return best;
}

static void put_task(struct pacmap *map, int task, int node)
{
	map->node[task] = node;
	map->taken[map->ntaken++] = node;
	nodeset_del(&map->free, node);
	map->left -= map->tasks->required && nodeset_has(map->tasks->required, node);
}

/* The tasks that are left, from number *task on, to what is free of these nodes, from the
 * lowest. */
static void place_lowest(struct pacmap *map, const struct nodeset *nodes, int *task)
{
	for (int node = nodeset_next(nodes, 0); node >= 0 && map->ntaken < map->tasks->count;
		node = nodeset_next(nodes, node + 1)) {
		while (map->node[*task] >= 0)
			++*task;
		if (nodeset_has(&map->free, node))
			put_task(map, *task, node);
	}
}

/* No time is left. */
static void place_rest(struct pacmap *map)
{
	int task = 0;

	if (map->left)
		place_lowest(map, map->tasks->required, &task);
	place_lowest(map, map->tasks->free, &task);
}

static bool place_all(struct pacmap *map)
{
	const struct pacmap_tasks *in = map->tasks;
	int lowest = 0, task = in->center;

	map->center = pacmap_center_node(
		&map->room, in->free, map->left ? in->required : in->free, in->count, in->budget);
	if (map->center < 0)
		return false;
	if (task < 0)
		task = in->traffic ? pacmap_center_task(in->traffic, &map->heap, map->dist) : 0;
	map->heap.size = 0;
	map->listed[task] = true;
	for (struct choice best = {.node = map->center}; !late(map); best = best_node(map, task)) {
		if (best.node < 0) /* the walk to the nearest free node was cut short */
			return false;
		put_task(map, task, best.node);
		map->hop_bytes += best.cost;
		if (map->ntaken == in->count)
			return true;
		grow_frame(map, best.node);
		list_partners(map, task);
		task = next_task(map, &lowest);
	}
	return false;
}

bool pacmap_place(
	struct pacmap *map, const struct pacmap_tasks *tasks, int *node, double *hop_bytes)
{
	bool done;

	map->hop_bytes = 0;
	map->tasks = tasks;
	map->node = node;
	map->nframe = map->ntaken = map->heap.size = 0;
	map->left = tasks->required ? nodeset_count(tasks->required) : 0;
	nodeset_copy(&map->free, tasks->free);
	for (int i = 0; i < tasks->count; i++) {
		node[i] = -1;
		map->listed[i] = false;
	}
	done = place_all(map);
	if (!done)
		place_rest(map);
	for (int i = 0; i < map->nframe; i++)
		map->in_frame[map->frame[i]] = false;
	*hop_bytes = map->hop_bytes;
	return done;
}

/* --- ranks ---------------------------------------------------------------------------- */

/* Groups of per_node ranks that send little to each other, and the traffic among them. */
static int make_groups(const struct pacmap_job *job, int *group, struct traffic *traffic)
{
	struct drb_input in = {.traffic = job->traffic,
		.parts = job->nnodes,
		.per_node = job->per_node,
		.effort = {8, 8},
		.seed = job->seed};

	for (int i = 0; i < job->traffic->n; i++)
		group[i] = i;
	if (job->per_node > 1 && drb_map(&in, group))
		return -1;
	return traffic_init_groups(traffic, job->traffic, group, job->nnodes, NULL);
}

/* site[group] is a node: node[] ascending, and ranks by their index there. */
static void number_nodes(
	struct pacmap *map, const struct pacmap_job *job, const int *site, int *node, int *place)
{
	int n;

	nodeset_clear_all(&map->free);
	for (int i = 0; i < job->nnodes; i++)
		nodeset_add(&map->free, site[i]);
	n = nodeset_members(&map->free, node);
	/* to_all[] by node: where it stands in node[] */
	for (int i = 0; i < n; i++)
		map->to_all[node[i]] = i;
	for (int rank = 0; rank < job->traffic->n; rank++)
		place[rank] = (int)map->to_all[site[place[rank]]];
}

int pacmap_solve(struct pacmap *map, const struct pacmap_job *job, int *node, int *place,
	struct mesh_err *err)
{
	int free_nodes = nodeset_count(job->free), bad;
	struct traffic traffic = {0};
	struct pacmap_tasks tasks = {.count = job->nnodes, .traffic = &traffic, .center = -1,
		.free = job->free};
	double hop_bytes;
	int *site;

	if (job->nnodes < 1 || job->per_node < 1 ||
		(int64_t)job->nnodes * job->per_node != job->traffic->n)
		return err_printf(err, "%d nodes with %d ranks each do not make %d ranks",
			job->nnodes, job->per_node, job->traffic->n);
	if (job->nnodes > free_nodes)
		return err_printf(err, "%d nodes wanted, %d are free", job->nnodes, free_nodes);
	site = malloc((size_t)job->nnodes * sizeof(int));
	bad = !site || make_groups(job, place, &traffic);
	if (!bad) {
		pacmap_place(map, &tasks, site, &hop_bytes);
		number_nodes(map, job, site, node, place);
	}
	traffic_release(&traffic);
	free(site);
	return bad ? err_printf(err, "out of memory") : 0;
}
