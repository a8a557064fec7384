/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boxes and broken links, against looking at every link of every box.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "graph/linkgraph.h"
#include "boxes/contiguous.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static bool inside(const struct mesh *mesh, int v, const int *base, const int *side)
{
	for (int d = 0; d < mesh->ndims; d++) {
		int at = mesh->coord[v][d] - base[d];

		if ((at < 0 ? at + mesh->side[d] : at) >= side[d])
			return false;
	}
	return true;
}

/* Does the box have both ends of a broken link? */
static bool has_broken(const struct mesh *mesh, const int *base, const int *side)
{
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (mesh_is_down(mesh, v, d) && inside(mesh, v, base, side) &&
				inside(mesh, mesh_up(mesh, v, d), base, side))
				return true;
	return false;
}

static void check_bases(struct bitbox *bits, const int *side, const uint64_t *free_bases)
{
	const struct mesh *mesh = bits->mesh;

	for (int v = 0; v < mesh->nvertices; v++) {
		int base[MESH_MAX_DIMS], bit = bitbox_vertex(bits, v);
		bool was_free = free_bases[bit >> 6] >> (bit & 63) & 1;

		bitbox_coord(bits, bit, base);
		assert_int_equal(bitbox_is_base(bits, bit),
			was_free && !has_broken(mesh, base, side));
	}
}

static void test_bases(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 300); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		/* Rows of many words, too. */
		const int long_side[] = {random_int(&seed, 65, 140), random_int(&seed, 1, 3)};
		struct mesh *mesh = random_int(&seed, 0, 3) ? random_mesh(&seed, 4, 200)
							    : make_mesh(2, long_side, 3, 1);
		struct bitbox bits;
		struct nodeset set;
		int side[MESH_MAX_DIMS];
		uint64_t *free_bases;

		random_links(&seed, mesh, random_int(&seed, 1, 10), 0);
		assert_int_equal(
			bitbox_init(&bits, mesh, &arena) | nodeset_init(&set, mesh->nnodes), 0);
		free_bases = malloc((size_t)bits.words * sizeof(*free_bases));
		assert_non_null(free_bases);
		random_set(&seed, &set, random_int(&seed, 60, 100));
		bitbox_load(&bits, &set);
		bitbox_require(&bits, NULL);
		for (int i = 0; i < 8; i++) {
			for (int d = 0; d < MESH_MAX_DIMS; d++)
				side[d] = random_int(
					&seed, 1, mesh->side[d] < 4 ? mesh->side[d] : 4);
			if (i > 5)
				side[0] = mesh->side[0];
			bitbox_bases(&bits, side);
			memcpy(free_bases, bits.base, (size_t)bits.words * sizeof(*free_bases));
			bitbox_restrict(&bits, side);
			check_bases(&bits, side, free_bases);
			/* By what is known of these sides now. */
			memset(bits.base, 0xff, (size_t)bits.words * sizeof(*bits.base));
			bitbox_places(&bits, side);
			check_bases(&bits, side, free_bases);
			bits.any_links = true;
			bitbox_bases(&bits, side);
			bitbox_restrict(&bits, side);
			assert_memory_equal(bits.base, free_bases,
				(size_t)bits.words * sizeof(*free_bases));
			bits.any_links = false;
		}
		free(free_bases);
		arena_release(&arena);
		nodeset_release(&set);
		mesh_free(mesh);
	}
}

/* Is there a free box of these sides or turned, without a broken link? By enumeration. */
static bool exists(const struct mesh *mesh, const struct nodeset *set, const int *side)
{
	for (int v = 0; v < mesh->nvertices; v++) {
		int base[MESH_MAX_DIMS];
		bool good = true;

		for (int d = 0; d < mesh->ndims; d++) {
			base[d] = mesh->coord[v][d];
			good &= mesh->wrap[d] || base[d] + side[d] <= mesh->side[d];
		}
		for (int w = 0; w < mesh->nvertices && good; w++)
			if (inside(mesh, w, base, side))
				good = nodeset_has(set, mesh->node_at[mesh->first[w]]);
		if (good && !has_broken(mesh, base, side))
			return true;
	}
	return false;
}

/* Do these nodes lie in a box of the sides without a broken link? */
static bool is_sound(const struct mesh *mesh, const struct mesh_answer *answer, const int *side)
{
	for (int v = 0; v < mesh->nvertices; v++) {
		int base[MESH_MAX_DIMS];
		bool good = true;

		for (int d = 0; d < mesh->ndims; d++)
			base[d] = mesh->coord[v][d];
		for (int i = 0; i < answer->count && good; i++)
			good = inside(mesh, mesh->vertex_of[answer->node[i]], base, side);
		if (good && !has_broken(mesh, base, side))
			return true;
	}
	return false;
}

static void ask(const struct strategy_ops *ops, const struct mesh *mesh, const struct nodeset *set,
	const struct mesh_shape *shape)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(ops, mesh, &err);
	struct mesh_state state = {.free = set};
	struct mesh_request request = {.shape = *shape};
	struct mesh_answer answer = {.node = malloc((size_t)mesh->nnodes * sizeof(int))};
	enum mesh_result result;

	assert_non_null(strategy);
	result = strategy_decide(strategy, &state, &request, &answer);
	if (result == MESH_OK)
		assert_true(is_sound(mesh, &answer, shape->side));
	else
		assert_int_equal(result, MESH_NO_FIT);
	if (ops->flags & STRATEGY_COMPLETE)
		assert_int_equal(result == MESH_OK, exists(mesh, set, shape->side));
	request.shape.any_links = true;
	if (result == MESH_OK && ops->flags & STRATEGY_COMPLETE)
		assert_int_equal(strategy_decide(strategy, &state, &request, &answer), MESH_OK);
	free(answer.node);
	strategy_free(strategy);
}

/* Every contiguous strategy; and a link that is broken is no reason to say never. */
static void test_strategies(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 40); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		const int sides[] = {random_int(&seed, 2, 6), random_int(&seed, 2, 6),
			random_int(&seed, 1, 4)};
		struct mesh *mesh =
			make_mesh(random_int(&seed, 2, 3), sides,
				(unsigned)random_next(&seed) & 7, 1);
		struct mesh_shape shape = {.ndims = mesh->ndims, .norotate = true};
		struct nodeset set;

		random_links(&seed, mesh, random_int(&seed, 2, 20), 0);
		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		random_set(&seed, &set, random_int(&seed, 70, 100));
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			shape.side[d] =
				random_int(&seed, 1, mesh->side[d] < 3 ? mesh->side[d] : 3);
		while (nodeset_count(&set) < shape.side[0] * shape.side[1] * shape.side[2])
			random_set(&seed, &set, 90);
		for (int i = 0; strategy_at(i); i++)
			if ((strategy_at(i)->flags & (STRATEGY_CONTIGUOUS | STRATEGY_STUDY)) ==
				STRATEGY_CONTIGUOUS) {
				r.what = strategy_at(i)->name;
				ask(strategy_at(i), mesh, &set, &shape);
			}
		nodeset_release(&set);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bases),
		cmocka_unit_test(test_strategies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
