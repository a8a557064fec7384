/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The buddies against the textbook: lists of free blocks that are split when a job comes and
 * merged when it goes. What is rebuilt from the free set has to be the same, job after job.
 */
#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

enum { AXES = MESH_MAX_DIMS + 1, MOST = 256, JOBS = 40 };

struct block {
	int at[AXES], side[AXES];
	int size, first; /* nodes, and how many nodes are before it in the tree */
	int half[2];	 /* -1: a single node */
	bool legal;
	bool listed; /* in the list of free blocks */
};

/* The tree of halvings; leaves are nodes. Blocks are in the order of the tree. */
struct buddies {
	const struct mesh *mesh;
	bool cubes;
	struct block block[4 * MOST];
	int nblocks, nodes;
	int root[MOST], nroots;
};

static bool is_legal(const struct buddies *b, const struct block *block)
{
	int side = 0, flat = 1;

	if (!b->cubes)
		return true;
	for (int d = 0; d < b->mesh->ndims; d++) {
		if (b->mesh->side[d] == 1)
			continue;
		flat = block->side[d + 1] > flat ? block->side[d + 1] : flat;
		if (side && block->side[d + 1] != side)
			return false;
		side = block->side[d + 1];
	}
	/* Nodes of one vertex, or squares of whole vertices. */
	return flat == 1 || block->side[0] == 1 << (31 - __builtin_clz((unsigned)block->side[0]));
}

static int grow(struct buddies *b, const int *at, const int *side)
{
	int i = b->nblocks++, cut = 0;
	struct block *block = &b->block[i];

	memcpy(block->at, at, sizeof(block->at));
	memcpy(block->side, side, sizeof(block->side));
	block->size = 1;
	block->first = b->nodes;
	block->half[0] = block->half[1] = -1;
	block->listed = false;
	block->legal = is_legal(b, block);
	for (int a = 0; a < AXES; a++)
		block->size *= side[a];
	for (int a = 1; a < AXES; a++)
		if (side[a] > 1 && (!cut || side[a] >= side[cut]))
			cut = a;
	if (block->size == 1) {
		b->nodes++;
		return i;
	}
	for (int h = 0; h < 2; h++) {
		int half_at[AXES], half_side[AXES];

		memcpy(half_at, at, sizeof(half_at));
		memcpy(half_side, side, sizeof(half_side));
		half_side[cut] /= 2;
		half_at[cut] += h * half_side[cut];
		b->block[i].half[h] = grow(b, half_at, half_side);
	}
	return i;
}

/* Cells of one size, from the whole box cut at the bits of its sides, in order. */
static void plant(struct buddies *b, int size, int axis, int *at, int *side)
{
	int whole = axis < 0 ? 0
		: axis       ? b->mesh->side[axis - 1]
			     : b->mesh->nodes_per_vertex,
	    from = 0;
	int product = 1;

	if (axis >= 0) {
		for (int bit = 30; bit >= 0; bit--)
			if (whole >> bit & 1) {
				at[axis] = from;
				side[axis] = 1 << bit;
				plant(b, size, axis - 1, at, side);
				from += 1 << bit;
			}
		return;
	}
	for (int a = 0; a < AXES; a++)
		product *= side[a];
	if (product == size)
		b->root[b->nroots++] = grow(b, at, side);
}

/* List the largest legal blocks in a block. */
static void list(struct buddies *b, int i)
{
	if (b->block[i].legal)
		b->block[i].listed = true;
	else
		for (int h = 0; h < 2; h++)
			list(b, b->block[i].half[h]);
}

/* A listed block is listed no more, its parts are. */
static void split(struct buddies *b, int i)
{
	b->block[i].listed = false;
	for (int h = 0; h < 2; h++)
		list(b, b->block[i].half[h]);
}

/* Buddies that are listed become one. Is all of the block free? */
static bool merge(struct buddies *b, int i)
{
	struct block *block = &b->block[i];

	bool halves[2];

	if (block->listed)
		return true;
	if (block->size == 1)
		return false;
	/* Both, whatever the first one says. */
	for (int h = 0; h < 2; h++)
		halves[h] = merge(b, block->half[h]);
	if (!halves[0] || !halves[1])
		return false;
	if (block->legal) {
		for (int j = i + 1;
			j < b->nblocks && b->block[j].first < block->first + block->size; j++)
			b->block[j].listed = false;
		block->listed = true;
	}
	return true;
}

/* Has a block a legal one of that size in it? They are all alike, so the first halves will do. */
static bool holds(const struct buddies *b, int i, int size)
{
	while (b->block[i].size > size)
		i = b->block[i].half[0];
	return b->block[i].legal;
}

/* The first listed block of a size that has a legal one of size `part` in it, or -1. */
static int listed(const struct buddies *b, int size, int part)
{
	for (int i = 0; i < b->nblocks; i++)
		if (b->block[i].listed && b->block[i].size == size && holds(b, i, part))
			return i;
	return -1;
}

static bool size_exists(const struct buddies *b, int size)
{
	for (int i = 0; i < b->nblocks; i++)
		if (b->block[i].legal && b->block[i].size == size)
			return true;
	return false;
}

static int node_of(const struct buddies *b, const struct block *leaf)
{
	int v = mesh_vertex(b->mesh, leaf->at + 1);

	return leaf->at[0] < mesh_nodes_on(b->mesh, v)
		? b->mesh->node_at[b->mesh->first[v] + leaf->at[0]] : -1;
}

/* A block is allocated: its nodes into set. */
static void hand_out(struct buddies *b, int i, struct nodeset *set)
{
	b->block[i].listed = false;
	for (int j = i; j < b->nblocks && b->block[j].first < b->block[i].first + b->block[i].size;
		j++)
		if (b->block[j].size == 1)
			nodeset_add(set, node_of(b, &b->block[j]));
}

static void allocate(struct buddies *b, int k, struct nodeset *set)
{
	int wanted = 0;

	for (int size = 1 << 20; size; size /= 2) {
		wanted *= 2;
		while (k >= size && size_exists(b, size)) {
			wanted++;
			k -= size;
		}
		while (wanted && size_exists(b, size)) {
			int i = listed(b, size, size), larger = 2 * size;

			if (i >= 0) {
				hand_out(b, i, set);
				wanted--;
				continue;
			}
			while (larger <= 1 << 20 && (i = listed(b, larger, size)) < 0)
				larger *= 2;
			if (i < 0)
				break;
			split(b, i);
		}
	}
}

static void give_back(struct buddies *b, const struct nodeset *set)
{
	for (int i = 0; i < b->nblocks; i++)
		if (b->block[i].size == 1) {
			int node = node_of(b, &b->block[i]);

			b->block[i].listed |= node >= 0 && nodeset_has(set, node);
		}
	for (int i = 0; i < b->nroots; i++)
		merge(b, b->root[i]);
}

static void same_job_after_job(const char *name, struct buddies *b, uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, 60);
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), mesh, &err);
	struct nodeset free_set, job[JOBS];
	int at[AXES], side[AXES], node[MOST];

	assert_non_null(strategy);
	memset(b, 0, sizeof(*b));
	b->mesh = mesh;
	b->cubes = !strcmp(name, "mbs");
	for (int size = 1 << 20; size; size /= 2)
		plant(b, size, AXES - 1, at, side);
	nodeset_init(&free_set, mesh->nnodes);
	nodeset_set_all(&free_set);
	give_back(b, &free_set);
	for (int i = 0; i < JOBS; i++)
		nodeset_init(&job[i], mesh->nnodes);
	for (int round = 0; round < 150; round++) {
		struct nodeset *one = &job[random_int(seed, 0, JOBS - 1)];
		struct mesh_answer answer = {.node = node};
		struct mesh_request request = {.count = random_int(seed, 1, mesh->nnodes / 4 + 1)};

		if (nodeset_count(one)) {
			nodeset_or(&free_set, one);
			give_back(b, one);
			nodeset_clear_all(one);
			continue;
		}
		if (request.count > nodeset_count(&free_set))
			continue;
		allocate(b, request.count, one);
		assert_int_equal(nodeset_count(one), request.count);
		assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &free_set},
			&request, &answer), MESH_OK);
		for (int i = 0; i < answer.count; i++)
			assert_true(nodeset_has(one, node[i]));
		nodeset_remove(&free_set, one);
	}
	for (int i = 0; i < JOBS; i++)
		nodeset_release(&job[i]);
	nodeset_release(&free_set);
	strategy_free(strategy);
	mesh_free(mesh);
}

static void textbook(void **state)
{
	static struct buddies b;

	(void)state;
	for (struct rounds r = rounds(21, 60); rounds_next(&r);) {
		same_job_after_job("mbs", &b, &r.seed);
		same_job_after_job("gmbs", &b, &r.seed);
	}
}

/* The paper's blocks: 5 = 4 + 1 on an idle square. */
static void squares(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 0, 1);
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find("mbs"), mesh, &err);
	struct nodeset all;
	int node[64];
	struct mesh_answer answer = {.node = node};
	static const int wanted[] = {0, 1, 2, 8, 9};

	(void)state;
	nodeset_init(&all, 64);
	nodeset_set_all(&all);
	assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &all},
		&(struct mesh_request){.count = 5}, &answer), MESH_OK);
	assert_int_equal(answer.count, 5);
	assert_memory_equal(node, wanted, sizeof(wanted));
	assert_true(answer.cost == 2);
	nodeset_release(&all);
	strategy_free(strategy);
	mesh_free(mesh);
}

/* Ranks are for as many nodes as the fullest vertex has, on each vertex. */
static void too_large(void **state)
{
	int vertex_of[33] = {0};
	const struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {2048, 1024}, .nnodes = 33,
		.vertex_of = vertex_of};
	struct mesh *mesh = mesh_new(&spec, NULL);
	struct mesh_err err;

	(void)state;
	assert_null(strategy_new(strategy_find("gmbs"), mesh, &err));
	assert_string_equal(err.text, "gmbs: 2097152 vertices of up to 33 nodes are too many");
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(textbook),
		cmocka_unit_test(squares),
		cmocka_unit_test(too_large),
	};

	return cmocka_run_group_tests_name("strategy_buddy", tests, NULL, NULL);
}
