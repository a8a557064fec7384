/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The busy list, prohibited regions, and the worked examples of Bani-Mohammad et al.
 */
#include <stdlib.h>
#include <string.h>

#include "tbl/busylist.h"
#include "tbl/prohibited.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* A machine with its jobs. */
struct machine {
	struct mesh *mesh;
	struct nodeset free;
	struct mesh_run run[16];
	struct mesh_state state;
};

static void open_machine(struct machine *m, int ndims, const int *side, unsigned wrap)
{
	memset(m, 0, sizeof(*m));
	m->mesh = make_mesh(ndims, side, wrap, 1);
	nodeset_init(&m->free, m->mesh->nnodes);
	nodeset_set_all(&m->free);
	m->state = (struct mesh_state){.free = &m->free, .run = m->run};
}

static void close_machine(struct machine *m)
{
	for (int i = 0; i < m->state.nruns; i++)
		free((void *)(uintptr_t)m->run[i].node);
	nodeset_release(&m->free);
	mesh_free(m->mesh);
}

static void start(struct machine *m, const int *node, int count)
{
	int *mine = malloc((size_t)count * sizeof(int));

	assert_non_null(mine);
	memcpy(mine, node, (size_t)count * sizeof(int));
	for (int i = 0; i < count; i++)
		nodeset_del(&m->free, node[i]);
	m->run[m->state.nruns++] = (struct mesh_run){.node = mine, .count = count};
}

static struct mesh_request shaped(int a, int b, int c)
{
	return (struct mesh_request){.shape = {.ndims = 3, .side = {a, b, c, 1, 1, 1}}};
}

/* The strategy's box for a x b x c has these corners; the job starts. */
static void expect(struct machine *m, const char *name, struct mesh_request request,
	const int *low, const int *high)
{
	struct mesh_err err;
	struct strategy *s = strategy_new(strategy_find(name), m->mesh, &err);
	int node[128];
	struct mesh_answer answer = {.node = node};

	assert_int_equal(strategy_decide(s, &m->state, &request, &answer), MESH_OK);
	assert_int_equal(node[0], mesh_vertex(m->mesh, low));
	assert_int_equal(node[answer.count - 1], mesh_vertex(m->mesh, high));
	start(m, node, answer.count);
	strategy_free(s);
}

/* Section IV, figure 5: 4x4x4 with 2x4x4, 2x1x2 and 1x2x1 in this order. */
static void figure_5(void **state)
{
	struct machine m;

	(void)state;
	open_machine(&m, 3, (int[]){4, 4, 4}, 0);
	expect(&m, "tbl", shaped(2, 4, 4), (int[]){0, 0, 0}, (int[]){1, 3, 3});
	expect(&m, "tbl", shaped(2, 1, 2), (int[]){2, 0, 0}, (int[]){3, 0, 1});
	/* The text does not say where; case 2.14 leaves this piece first. */
	expect(&m, "tbl", shaped(1, 2, 1), (int[]){2, 1, 0}, (int[]){2, 2, 0});
	close_machine(&m);
}

/* Section IV: on 3x3x2, 2x3x2 is there and 3x2x1 fits only as 1x3x2. */
static void turning(void **state)
{
	static const char *const name[] = {"tbl", "ff", "bf"};
	struct mesh_request request = shaped(3, 2, 1);

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct machine m;
		struct mesh_err err;
		int node[18];
		struct mesh_answer answer = {.node = node};

		open_machine(&m, 3, (int[]){3, 3, 2}, 0);
		expect(&m, name[i], shaped(2, 3, 2), (int[]){0, 0, 0}, (int[]){1, 2, 1});
		struct strategy *s = strategy_new(strategy_find(name[i]), m.mesh, &err);

		request.shape.norotate = true;
		assert_int_equal(strategy_decide(s, &m.state, &request, &answer), MESH_NO_FIT);
		strategy_free(s);
		request.shape.norotate = false;
		expect(&m, name[i], request, (int[]){2, 0, 0}, (int[]){2, 2, 1});
		close_machine(&m);
	}
}

static void same_box(const struct mesh_box *box, const int *low, const int *high)
{
	for (int d = 0; d < 3; d++) {
		assert_int_equal(box->base[d], low[d]);
		assert_int_equal(box_end(box, d) - 1, high[d]);
	}
}

/*
 * Section IV: the prohibited region of 2x2x2 with respect to (1,1,0,2,2,1) is (0,0,0,2,2,1).
 * The planes of figure 5: the edge's less b1 is nothing, b1's own is (2,0,0,2,3,2).
 */
static void regions(void **state)
{
	struct mesh_box plane[1 << MESH_MAX_DIMS], piece;
	struct prohibited p;
	struct busylist list;
	struct bitbox bits;
	struct machine m;
	int job[4], n = 0;

	(void)state;
	open_machine(&m, 3, (int[]){4, 4, 4}, 0);
	for (int v = 0; v < 64; v++) {
		const int16_t *c = m.mesh->coord[v];

		if (c[0] >= 1 && c[0] <= 2 && c[1] == 2 && c[2] <= 1)
			job[n++] = v;
	}
	start(&m, job, n);
	assert_int_equal(bitbox_init(&bits, m.mesh, &arena), 0);
	assert_int_equal(busylist_init(&list, &bits, &arena), 0);
	assert_int_equal(prohibited_init(&p, &list, &arena), 0);
	bitbox_load(&bits, &m.free);
	busylist_load(&list, &m.state);
	assert_int_equal(list.count, 1);
	list.box[0] = (struct mesh_box){{1, 1, 0}, {2, 2, 2}};
	assert_true(prohibited_make(&p, (int[]){2, 2, 2, 1, 1, 1}));
	assert_int_equal(p.count, 1);
	same_box(&p.region[0], (int[]){0, 0, 0}, (int[]){2, 2, 1});
	list.box[0] = (struct mesh_box){{0, 0, 0}, {2, 4, 4}};
	assert_true(prohibited_make(&p, (int[]){2, 1, 2, 1, 1, 1}));
	assert_int_equal(prohibited_plane(&p, -1, plane), 1);
	same_box(plane, (int[]){0, 0, 0}, (int[]){0, 3, 2});
	assert_false(prohibited_subtract(&p, plane, &piece));
	assert_int_equal(prohibited_plane(&p, 0, plane), 1);
	assert_true(prohibited_subtract(&p, plane, &piece));
	same_box(&piece, (int[]){2, 0, 0}, (int[]){2, 3, 2});
	arena_release(&arena);
	close_machine(&m);
}

/* Jobs that are boxes are one entry each, in start order; one that wraps is split. */
static void lists(void **state)
{
	struct busylist list;
	struct bitbox bits;
	struct machine m;

	(void)state;
	open_machine(&m, 2, (int[]){6, 4}, 1);
	start(&m, (int[]){14, 15, 20, 21}, 4);
	start(&m, (int[]){0, 5, 6, 11}, 4);
	nodeset_del(&m.free, 2);
	nodeset_del(&m.free, 3);
	assert_int_equal(bitbox_init(&bits, m.mesh, &arena), 0);
	assert_int_equal(busylist_init(&list, &bits, &arena), 0);
	bitbox_load(&bits, &m.free);
	busylist_load(&list, &m.state);
	assert_int_equal(list.count, 4);
	same_box(&list.box[0], (int[]){2, 2, 0}, (int[]){3, 3, 0});
	same_box(&list.box[1], (int[]){0, 0, 0}, (int[]){0, 1, 0});
	same_box(&list.box[2], (int[]){5, 0, 0}, (int[]){5, 1, 0});
	same_box(&list.box[3], (int[]){2, 0, 0}, (int[]){3, 0, 0});
	arena_release(&arena);
	close_machine(&m);
}

/* Whatever the jobs and the noise: the boxes are disjoint and cover what is busy. */
static void cover(void **state)
{
	(void)state;
	for (struct rounds r = rounds(21, 500); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 200);
		struct busylist list;
		struct bitbox bits;
		struct nodeset free_set, job;
		int node[900], count;

		nodeset_init(&free_set, mesh->nnodes);
		nodeset_init(&job, mesh->nnodes);
		random_set(&r.seed, &free_set, random_int(&r.seed, 0, 100));
		random_set(&r.seed, &job, 20);
		nodeset_remove(&job, &free_set);
		count = nodeset_members(&job, node);
		struct mesh_run run = {.node = node, .count = count};
		struct mesh_state s = {.free = &free_set, .run = &run, .nruns = 1};

		assert_int_equal(bitbox_init(&bits, mesh, &arena), 0);
		assert_int_equal(busylist_init(&list, &bits, &arena), 0);
		bitbox_load(&bits, &free_set);
		busylist_load(&list, &s);
		assert_false(list.full);
		for (int v = 0; v < mesh->nvertices; v++) {
			int coord[MESH_MAX_DIMS], boxes = 0, bit;

			for (int d = 0; d < mesh->ndims; d++)
				coord[d] = mesh->coord[v][d];
			bit = bitbox_bit(&bits, coord);
			for (int i = 0; i < list.count; i++) {
				bool in = true;

				for (int d = 0; d < mesh->ndims; d++)
					in &= coord[d] >= list.box[i].base[d] &&
						coord[d] < box_end(&list.box[i], d);
				boxes += in;
			}
			assert_int_equal(boxes, !(bits.free[bit >> 6] >> (bit & 63) & 1));
		}
		arena_release(&arena);
		nodeset_release(&free_set);
		nodeset_release(&job);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_5),
		cmocka_unit_test(turning),
		cmocka_unit_test(regions),
		cmocka_unit_test(lists),
		cmocka_unit_test(cover),
	};

	return cmocka_run_group_tests_name("busylist", tests, NULL, NULL);
}
