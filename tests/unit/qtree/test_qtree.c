/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The worked examples of Srisawat and Alexandridis: rows are dimension 0, and their addresses
 * count from 1.
 */
#include <stdlib.h>
#include <string.h>

#include "qtree/qtree.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* <(r1,c1),(r2,c2)> */
static struct mesh_box at(int r1, int c1, int r2, int c2)
{
	return box_at(2, (int[]){r1 - 1, c1 - 1}, (int[]){r2 - r1 + 1, c2 - c1 + 1});
}

struct plane {
	struct mesh *mesh;
	struct qtree tree;
};

static void open_plane(struct plane *p, int rows, int columns)
{
	p->mesh = make_mesh(2, (int[]){rows, columns}, 0, 1);
	assert_int_equal(qtree_init(&p->tree, p->mesh, &arena), 0);
}

static void close_plane(struct plane *p)
{
	arena_release(&arena);
	mesh_free(p->mesh);
}

static void take(struct plane *p, struct mesh_box box)
{
	qtree_take(&p->tree, &box);
}

static void same(const struct mesh_box *box, struct mesh_box wanted)
{
	for (int d = 0; d < 2; d++) {
		assert_int_equal(box->base[d], wanted.base[d]);
		assert_int_equal(box->side[d], wanted.side[d]);
	}
}

static void largest(struct plane *p, struct mesh_box wanted)
{
	struct mesh_box box;

	assert_int_equal(qtree_largest(&p->tree, &box), box_volume(2, wanted.side));
	same(&box, wanted);
}

/* A task of r x c or c x r goes there, and is taken. */
static void place(struct plane *p, int r, int c, struct mesh_box wanted)
{
	const struct boxplan_row rotation[] = {{.side = {r, c}}, {.side = {c, r}}};
	struct mesh_box most, box;

	assert_true(qtree_largest(&p->tree, &most));
	assert_true(qtree_place(&p->tree, &most, rotation, 2, &box));
	same(&box, wanted);
	take(p, box);
}

static bool places(struct plane *p, int r, int c)
{
	const struct boxplan_row rotation = {.side = {r, c}};
	struct mesh_box most, box;

	return qtree_largest(&p->tree, &most) &&
	       qtree_place(&p->tree, &most, &rotation, 1, &box);
}

/*
 * Figure 2: 4x4, 2x3 and 2x4 on 8x10. The first goes to the corner; what keeps the largest
 * free box (8x6 on the right) is the 4x4 below it, of which 2x3 takes the corner with the least
 * to combine, and 2x4 fits the two sub-buddies above it exactly.
 */
static void figure_2(void **state)
{
	struct plane p;

	(void)state;
	open_plane(&p, 8, 10);
	place(&p, 4, 4, at(1, 1, 4, 4));
	assert_int_equal(p.tree.node[0].status, QTREE_PARTLY);
	same(&p.tree.node[p.tree.node[0].child + 0].box, at(1, 1, 4, 4));
	same(&p.tree.node[p.tree.node[0].child + 1].box, at(5, 1, 8, 4));
	same(&p.tree.node[p.tree.node[0].child + 2].box, at(1, 5, 4, 10));
	same(&p.tree.node[p.tree.node[0].child + 3].box, at(5, 5, 8, 10));
	largest(&p, at(1, 5, 8, 10));
	place(&p, 2, 3, at(7, 1, 8, 3));
	largest(&p, at(1, 5, 8, 10));
	place(&p, 2, 4, at(5, 1, 6, 4));
	largest(&p, at(1, 5, 8, 10));
	close_plane(&p);
}

/* Section 3.3: 4x4, 4x4 and 2x2 on 8x10; 5x6 fits no buddy but the 6x6 combined of two. */
static void expanding(void **state)
{
	struct plane p;
	struct mesh_box box;

	(void)state;
	open_plane(&p, 8, 10);
	take(&p, at(1, 1, 4, 4));
	take(&p, at(5, 1, 8, 4));
	take(&p, at(1, 5, 2, 6));
	largest(&p, at(3, 5, 8, 10));
	assert_true(places(&p, 5, 6));
	assert_false(places(&p, 7, 6));
	/* All but the row that has least to combine with: the lower five. */
	place(&p, 5, 6, at(4, 5, 8, 10));
	/* It is the expanded buddy's; the row above is what is left of that. */
	assert_int_equal(qtree_largest(&p.tree, &box), 2 * 4);
	assert_true(places(&p, 1, 6));
	assert_false(places(&p, 3, 1) && places(&p, 3, 5));
	close_plane(&p);
}

/* Definition 3. */
static void overlaps(void **state)
{
	struct mesh_box s1 = at(1, 5, 6, 10), s2 = at(5, 1, 8, 4), s3 = at(5, 7, 6, 10),
			s4 = at(5, 5, 8, 6);

	(void)state;
	assert_int_equal(qtree_overlap(2, &s1, &s2), QTREE_DISJOINT);
	assert_int_equal(qtree_overlap(2, &s1, &s3), QTREE_SUBSET);
	assert_int_equal(qtree_overlap(2, &s1, &s4), QTREE_INTERSECT);
}

/* Definition 4: 5x10 in 10x20 is placed as 10x5; section 3.5: the first 4x2 in 8x10 as it is. */
static void rotation(void **state)
{
	struct mesh_box box = at(1, 1, 10, 20);
	struct qtree_fit fit;
	struct plane p;

	(void)state;
	assert_true(qtree_fit(2, &box, (int[]){10, 5}, &fit));
	assert_int_equal(fit.different, 1);
	assert_int_equal(fit.free_after, 150);
	assert_true(qtree_fit(2, &box, (int[]){5, 10}, &fit));
	assert_int_equal(fit.different, 2);
	assert_int_equal(fit.free_after, 100);
	assert_false(qtree_fit(2, &box, (int[]){11, 5}, &fit));
	open_plane(&p, 10, 20);
	place(&p, 5, 10, at(1, 1, 10, 5));
	close_plane(&p);
	open_plane(&p, 8, 10);
	place(&p, 4, 2, at(1, 1, 4, 2));
	close_plane(&p);
}

/* Figure 3: 4x4 and 3x5 on 10x10; 3x4 goes into the lower half of the 6x4 at the left. */
static void figure_3(void **state)
{
	struct mesh_box first = at(5, 1, 7, 4), second = at(8, 1, 10, 4);
	struct plane p;

	(void)state;
	open_plane(&p, 10, 10);
	take(&p, at(1, 1, 4, 4));
	take(&p, at(8, 6, 10, 10));
	largest(&p, at(1, 5, 7, 10));
	/* 2 1/4 and 2. */
	assert_int_equal(qtree_combining(&p.tree, &first), 9);
	assert_int_equal(qtree_combining(&p.tree, &second), 8);
	place(&p, 3, 4, second);
	largest(&p, at(1, 5, 7, 10));
	close_plane(&p);
}

/* Figure 4: then 3x5 ends. Its four buddies combine, and with the one above to 10x6. */
static void figure_4(void **state)
{
	const struct qtree_node *corner;
	struct plane p;

	(void)state;
	open_plane(&p, 10, 10);
	take(&p, at(1, 1, 4, 4));
	take(&p, at(8, 1, 10, 4));
	corner = &p.tree.node[p.tree.node[0].child + 3];
	assert_int_equal(corner->status, QTREE_FREE);
	same(&corner->box, at(5, 5, 10, 10));
	largest(&p, at(1, 5, 10, 10));
	close_plane(&p);
}

/* The same through the strategy: figure 3 with jobs, then without the second. */
static void as_strategy(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){10, 10}, 0, 1);
	int first[16], second[15], node[12], n = 0, m = 0;
	struct mesh_run run[] = {{.node = first, .count = 16}, {.node = second, .count = 15}};
	struct mesh_request request = {.shape = {.ndims = 2, .side = {3, 4, 1, 1, 1, 1}}};
	struct mesh_answer answer = {.node = node};
	struct nodeset free_set;
	struct mesh_err err;
	struct strategy *s = strategy_new(strategy_find("qtree"), mesh, &err);

	(void)state;
	nodeset_init(&free_set, 100);
	nodeset_set_all(&free_set);
	for (int v = 0; v < 100; v++) {
		int row = v % 10 + 1, column = v / 10 + 1;

		if (row <= 4 && column <= 4)
			first[n++] = v;
		if (row >= 8 && column >= 6)
			second[m++] = v;
		if ((row <= 4 && column <= 4) || (row >= 8 && column >= 6))
			nodeset_del(&free_set, v);
	}
	struct mesh_state machine = {.free = &free_set, .run = run, .nruns = 2};

	assert_int_equal(strategy_decide(s, &machine, &request, &answer), MESH_OK);
	/* <(8,1),(10,4)> */
	assert_int_equal(node[0], 7);
	assert_int_equal(node[11], 39);
	strategy_free(s);
	nodeset_release(&free_set);
	mesh_free(mesh);
}

/* ---- any state ---- */

struct watch {
	const struct nodeset *free;
	const struct mesh *mesh;
	int boxes;
};

static void all_free(struct watch *w, const struct mesh_box *box)
{
	w->boxes++;
	for (int v = 0; v < w->mesh->nvertices; v++) {
		bool in = true;

		for (int d = 0; d < w->mesh->ndims; d++)
			in &= w->mesh->coord[v][d] >= box->base[d] &&
				w->mesh->coord[v][d] < box_end(box, d);
		assert_true(!in || nodeset_has(w->free, v));
	}
}

/*
 * Random boxes taken where they are free: the tree's busy part is exactly theirs, and every
 * free box it tells of is free.
 */
static void one_state(uint64_t *seed, int ndims, const int *side)
{
	struct mesh *mesh = make_mesh(ndims, side, 0, 1);
	struct nodeset free_set;
	struct qtree tree;
	struct watch watch = {&free_set, mesh, 0};

	nodeset_init(&free_set, mesh->nnodes);
	nodeset_set_all(&free_set);
	assert_int_equal(qtree_init(&tree, mesh, &arena), 0);
	for (int step = 0; step < 12; step++) {
		struct mesh_box box = {{0}, {0}};
		bool taken = false;

		for (int d = 0; d < ndims; d++) {
			box.base[d] = random_int(seed, 0, side[d] - 1);
			box.side[d] = random_int(seed, 1, side[d] - box.base[d]);
		}
		for (int pass = 0; pass < 2 && !taken; pass++)
			for (int v = 0; v < mesh->nvertices; v++) {
				bool in = true;

				for (int d = 0; d < ndims; d++)
					in &= mesh->coord[v][d] >= box.base[d] &&
						mesh->coord[v][d] < box_end(&box, d);
				if (in && !pass)
					taken |= !nodeset_has(&free_set, v);
				else if (in)
					nodeset_del(&free_set, v);
			}
		if (!taken)
			qtree_take(&tree, &box);
		qtree_largest(&tree, &box);
		for (int i = 0; i < tree.nboxes; i++)
			all_free(&watch, &tree.box[i]);
		for (int v = 0; v < mesh->nvertices; v++) {
			/* The factor of a vertex counts what is busy beside it. */
			struct mesh_box one = {{0}, {0}};
			int factor = 0;

			for (int d = 0; d < ndims; d++) {
				int c = mesh->coord[v][d];

				one.base[d] = c;
				one.side[d] = 1;
				for (int s = -1; s <= 1; s += 2)
					if (c + s >= 0 && c + s < side[d])
						factor += nodeset_has(&free_set,
							v + s * mesh->stride[d]) ? 4 : 1;
			}
			assert_int_equal(qtree_combining(&tree, &one), factor);
		}
	}
	assert_true(watch.boxes > 0);
	arena_release(&arena);
	nodeset_release(&free_set);
	mesh_free(mesh);
}

static void sound(void **state)
{
	(void)state;
	for (struct rounds r = rounds(31, 300); rounds_next(&r);) {
		one_state(&r.seed, 2, (int[]){9, 11});
		one_state(&r.seed, 3, (int[]){5, 4, 6});
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_2),
		cmocka_unit_test(expanding),
		cmocka_unit_test(overlaps),
		cmocka_unit_test(rotation),
		cmocka_unit_test(figure_3),
		cmocka_unit_test(figure_4),
		cmocka_unit_test(as_strategy),
		cmocka_unit_test(sound),
	};

	return cmocka_run_group_tests_name("qtree", tests, NULL, NULL);
}
