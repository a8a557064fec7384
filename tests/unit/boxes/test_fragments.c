/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/fragments.h"
#include "support.h"

static uint64_t without(const struct mesh *mesh, int a, int b)
{
	struct nodeset free;
	uint64_t score;

	assert_false(nodeset_init(&free, mesh->nnodes));
	nodeset_set_all(&free);
	if (a >= 0)
		nodeset_del(&free, a);
	if (b >= 0)
		nodeset_del(&free, b);
	score = fragments(mesh, &free);
	nodeset_release(&free);
	return score;
}

static void test_fragments(void **unused)
{
	struct mesh *mesh = make_mesh(2, (const int[]){4, 4}, 0, 1);
	struct mesh *odd = make_mesh(3, (const int[]){5, 3, 1}, 7, 2);

	(void)unused;
	assert_int_equal(without(mesh, -1, -1), 0);
	assert_int_equal(without(mesh, 0, -1), 1 + 4 + 16);
	assert_int_equal(without(mesh, 0, 1), 2 + 4 + 16);
	assert_int_equal(without(mesh, 0, 2), 2 + 8 + 16);
	assert_int_equal(without(odd, -1, -1), 0);
	/* Both nodes of one vertex, or one of them: 1, 2x2, 4x3, 5x3. */
	assert_int_equal(without(odd, 0, 1), 1 + 4 + 12 + 15);
	assert_int_equal(without(odd, 0, -1), 1 + 4 + 12 + 15);
	mesh_free(mesh);
	mesh_free(odd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_fragments)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
