/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A mesh or torus is made a list of cables between nodes with shuffled names, some of them lost;
 * it must be found again.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/linkgraph.h"
#include "base/sort.h"
#include "conf/topoconf.h"
#include "import/import.h"
#include "base/hostlist.h"

struct machine {
	struct mesh *mesh;
	int *name; /* [nvertices] the number in the name of the node there; -1: lost */
	struct cables cables;
	bool extra; /* it is to have a cable too much */
	int lost; /* nodes, and cables between those that are there */
};

static int vertex(struct machine *m, int v)
{
	char name[16];

	snprintf(name, sizeof(name), "n%d", m->name[v]);
	return cables_host(&m->cables, name, NULL);
}

static void add_cable(struct machine *m, int v, int d, bool lose)
{
	int at[MESH_MAX_DIMS], u;

	for (int i = 0; i < MESH_MAX_DIMS; i++)
		at[i] = m->mesh->coord[v][i];
	if (++at[d] == m->mesh->side[d]) {
		if (!m->mesh->wrap[d] || m->mesh->side[d] < 3)
			return;
		at[d] = 0;
	}
	u = mesh_vertex(m->mesh, at);
	if (m->name[v] < 0 || m->name[u] < 0)
		return;
	m->lost += lose;
	if (!lose)
		cables_add(&m->cables,
			(struct cable_end[]){{vertex(m, v), 0}, {vertex(m, u), 0}}, 1);
}

/* In per mille: the nodes and the cables that are lost. */
static void make_machine(struct machine *m, uint64_t *seed, int nodes, int cables)
{
	int n = m->mesh->nvertices;

	m->name = malloc((size_t)n * sizeof(int));
	assert_non_null(m->name);
	for (int v = 0; v < n; v++) {
		int other = random_int(seed, 0, v);

		m->name[v] = m->name[other];
		m->name[other] = v;
	}
	for (int v = 0; v < n; v++)
		if (n > 1 && random_int(seed, 1, 1000) <= nodes) {
			m->name[v] = -1;
			m->lost++;
		} else {
			assert_true(vertex(m, v) >= 0);
		}
	for (int v = 0; v < n; v++)
		for (int d = 0; d < m->mesh->ndims; d++)
			add_cable(m, v, d, random_int(seed, 1, 1000) <= cables);
	if (!m->cables.nnodes)
		cables_host(&m->cables, "n0", NULL);
	if (m->extra)
		cables_add(&m->cables, (struct cable_end[]){{vertex(m, random_int(seed, 0, n - 1)),
			0}, {vertex(m, random_int(seed, 0, n - 1)), 0}}, 1);
	assert_int_equal(cables_finish(&m->cables, NULL), 0);
}

static void release(struct machine *m, struct grids *grids)
{
	arena_release(&grids->arena);
	cables_release(&m->cables);
	free(m->name);
	mesh_free(m->mesh);
}

/* Every vertex has a cell of its own. How many cables are a grid's. */
static int check_grids(struct grids *grids, const struct cables *c)
{
	int inside = 0;

	for (int i = 0; i < grids->ngrids; i++) {
		int *cell = grids_cells(grids, i, &grids->arena);

		assert_non_null(cell);
		for (int v = 0; v < c->nvertices; v++)
			if (grids->grid_of[v] == i) {
				for (int d = 0; d < grids->grid[i].ndims; d++)
					assert_in_range(grids->at[v][d], 0,
						grids->grid[i].side[d] - 1);
				assert_int_equal(cell[grid_cell(&grids->grid[i], grids->at[v])], v);
			}
	}
	for (int v = 0; v < c->nvertices; v++)
		assert_in_range(grids->grid_of[v], 0, grids->ngrids - 1);
	for (int i = 0; i < c->ncables; i++)
		inside += grids_along(grids, c->cable[i][0], c->cable[i][1]) >= 0;
	return inside;
}

/* Sides with those of 1 left out, rings as negative numbers, a ring of four as two sides of 2. */
static int sorted_sides(const int *side, const bool *wrap, int ndims, int *sorted)
{
	int n = 0;

	for (int d = 0; d < ndims; d++) {
		bool ring = wrap[d] && side[d] > 2;

		if (ring && side[d] == 4)
			sorted[n++] = 2;
		if (side[d] > 1)
			sorted[n++] = ring && side[d] == 4 ? 2 : ring ? -side[d] : side[d];
	}
	sort_ints(sorted, n);
	return n;
}

static struct mesh *some_mesh(uint64_t *seed, int most)
{
	int side[MESH_MAX_DIMS], ndims = random_int(seed, 1, MESH_MAX_DIMS), n = 1;

	for (int d = 0; d < ndims; d++) {
		side[d] = random_int(seed, 1, ndims == 1 ? 200 : ndims == 2 ? 30 : 8);
		if (n * side[d] > most)
			side[d] = 1;
		n *= side[d];
	}
	return make_mesh(ndims, side, (unsigned)random_int(seed, 0, 63), 1);
}

/* Nothing is lost: the sides and rings are found, whatever they are. */
static void test_whole(void **state)
{
	(void)state;
	for (struct rounds r = rounds(11, 100); rounds_next(&r);) {
		struct machine m = {.mesh = some_mesh(&r.seed, 3000)};
		struct grids grids;
		struct mesh_err err = {{0}};
		int want[2 * MESH_MAX_DIMS], got[2 * MESH_MAX_DIMS], n;

		make_machine(&m, &r.seed, 0, 0);
		assert_int_equal(grids_find(&grids, &m.cables, &err), 0);
		assert_int_equal(grids.ngrids, 1);
		assert_int_equal(check_grids(&grids, &m.cables), m.cables.ncables);
		n = sorted_sides(m.mesh->side, m.mesh->wrap, m.mesh->ndims, want);
		assert_int_equal(sorted_sides(grids.grid->side, grids.grid->wrap,
					 grids.grid->ndims, got), n);
		assert_memory_equal(want, got, (size_t)n * sizeof(int));
		release(&m, &grids);
	}
}

/* Some nodes and cables are lost: hardly any cable is in no grid. A machine of few rows may fall in
 * pieces, with a cable beside the grids for each that is lost. */
static void test_damaged(void **state)
{
	(void)state;
	for (struct rounds r = rounds(12, 100); rounds_next(&r);) {
		struct machine m = {.mesh = some_mesh(&r.seed, 3000)};
		struct grids grids;
		struct mesh_err err = {{0}};

		make_machine(&m, &r.seed, 10, 20);
		assert_int_equal(grids_find(&grids, &m.cables, &err), 0);
		assert_in_range(m.cables.ncables - check_grids(&grids, &m.cables), 0,
			m.cables.ncables / 20 + 3 * m.lost);
		release(&m, &grids);
	}
}

/* One cable is too much: it alone is in no grid, and none is missing. */
static void test_extra(void **state)
{
	(void)state;
	for (struct rounds r = rounds(14, 100); rounds_next(&r);) {
		struct machine m = {.mesh = some_mesh(&r.seed, 1000), .extra = true};
		struct grids grids;
		struct parts parts;
		struct mesh_err err = {{0}};

		make_machine(&m, &r.seed, 0, 0);
		assert_int_equal(grids_find(&grids, &m.cables, &err), 0);
		parts_judge(&parts, &grids, &m.cables, false);
		int wrong = m.cables.ncables - check_grids(&grids, &m.cables);
		for (int i = 0; i < parts.nparts; i++)
			wrong += parts.part[i].missing;
		assert_in_range(wrong, 0, 1);
		arena_release(&parts.arena);
		release(&m, &grids);
	}
}

/* --- as topology.conf and back --------------------------------------------------------------- */

static struct topoconf *write_and_read(const struct machine *m, const struct grids *grids)
{
	struct import import = {.cables = m->cables, .grids = *grids};
	struct mesh_err err = {{0}};
	struct topoconf *conf;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	import_list(&import);
	import_write(&import, "m", &hostlist_libslurm, to);
	arena_release(&import.parts.arena);
	fclose(to);
	conf = topoconf_parse(text, size, "import", &hostlist_libslurm, &err);
	assert_string_equal(err.text, "");
	assert_non_null(conf);
	free(text);
	return conf;
}

/* Where each vertex of the cables is: which mesh, and the vertex there. */
static void find_places(const struct cables *c, const struct topoconf *conf, int (*place)[2])
{
	int found = 0;

	for (int m = 0; m < conf->nmeshes; m++) {
		for (int i = 0; i < c->nnodes; i++) {
			int node = mesh_node(conf->mesh[m], c->node_name[i]);

			if (node < 0)
				continue;
			place[c->vertex_of[i]][0] = m;
			place[c->vertex_of[i]][1] = conf->mesh[m]->vertex_of[node];
			found++;
		}
	}
	assert_int_equal(found, c->nnodes);
}

/* Those between two holes do not count: no way leads there. */
static bool is_link(const struct mesh *mesh, int v, int d)
{
	int up = mesh_up(mesh, v, d);

	return up >= 0 && !mesh_is_down(mesh, v, d) &&
		(mesh_nodes_on(mesh, v) || mesh_nodes_on(mesh, up));
}

static int count_links(const struct topoconf *conf)
{
	int n = 0;

	for (int m = 0; m < conf->nmeshes; m++) {
		const struct mesh *mesh = conf->mesh[m];

		for (int v = 0; v < mesh->nvertices; v++)
			for (int d = 0; d < mesh->ndims; d++)
				n += is_link(mesh, v, d);
		if (mesh->graph && !mesh->graph_first)
			n += mesh->graph->ncables;
	}
	return n;
}

static int map_hops(const struct topoconf *conf, const int *a, const int *b)
{
	const struct mesh *x = conf->mesh[a[0]], *y = conf->mesh[b[0]];

	if (a[0] == b[0])
		return linkgraph_mesh_hops(x, a[1], b[1]);
	if (!x->graph || x->graph != y->graph)
		return LINKGRAPH_CUT;
	return linkgraph_hops(x->graph, x->graph_first + a[1], y->graph_first + b[1]);
}

/* Hops over the cables from one vertex to all. */
static void walk(const struct cables *c, int from, int *hops, int *queue)
{
	int head = 0, tail = 0;

	for (int v = 0; v < c->nvertices; v++)
		hops[v] = LINKGRAPH_CUT;
	hops[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		int v = queue[head++];

		for (int i = c->first[v]; i < c->first[v + 1]; i++)
			if (hops[c->to[i]] == LINKGRAPH_CUT) {
				hops[c->to[i]] = hops[v] + 1;
				queue[tail++] = c->to[i];
			}
	}
}

/* Whatever is lost, the map that is written has all cables, no others, and the same distances. */
static void test_round_trip(void **state)
{
	(void)state;
	for (struct rounds r = rounds(15, 60); rounds_next(&r);) {
		struct machine m = {.mesh = some_mesh(&r.seed, 500)};
		const struct cables *c = &m.cables;
		struct grids grids;
		struct mesh_err err = {{0}};

		make_machine(&m, &r.seed, random_int(&r.seed, 0, 30), random_int(&r.seed, 0, 40));
		assert_int_equal(grids_find(&grids, c, &err), 0);

		struct topoconf *conf = write_and_read(&m, &grids);
		int (*place)[2] = malloc((size_t)c->nvertices * sizeof(*place));
		int *hops = malloc(2 * (size_t)c->nvertices * sizeof(*hops));

		assert_true(place && hops);
		find_places(c, conf, place);
		for (int i = 0; i < c->ncables; i++)
			assert_int_equal(
				map_hops(conf, place[c->cable[i][0]], place[c->cable[i][1]]), 1);
		assert_int_equal(count_links(conf), c->ncables);
		for (int i = 0; i < 3; i++) {
			int from = random_int(&r.seed, 0, c->nvertices - 1);

			walk(c, from, hops, hops + c->nvertices);
			for (int v = 0; v < c->nvertices; v++)
				assert_int_equal(map_hops(conf, place[from], place[v]), hops[v]);
		}
		free(place);
		free(hops);
		topoconf_free(conf);
		release(&m, &grids);
	}
}

/* The machines of today, with every size of damage that they have. */
static void test_machines(void **state)
{
	static const struct {
		int ndims, side[MESH_MAX_DIMS];
		unsigned wrap;
	} all[] = {
		{2, {8, 4}, 0}, {2, {16, 16}, 3}, {3, {4, 4, 4}, 7}, {3, {8, 8, 16}, 7},
		{3, {27, 27, 27}, 7}, {2, {141, 141}, 0}, {6, {4, 4, 4, 2, 3, 2}, 0x17},
		{5, {4, 4, 4, 4, 2}, 31}, {3, {24, 24, 24}, 3}, {1, {40}, 1},
	};

	(void)state;
	for (struct rounds r = rounds(13, 2); rounds_next(&r);)
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
			struct machine m = {.mesh = make_mesh(all[i].ndims, all[i].side,
						    all[i].wrap, 1)};
			struct grids grids;
			struct mesh_err err = {{0}};

			make_machine(&m, &r.seed, i % 2 ? 10 : 0, 10);
			assert_int_equal(grids_find(&grids, &m.cables, &err), 0);
			assert_true(check_grids(&grids, &m.cables) * 100 >= m.cables.ncables * 99);
			release(&m, &grids);
		}
}

/* What is no grid is a graph, and soon. */
static void test_no_grid(void **state)
{
	(void)state;
	for (struct rounds r = rounds(14, 10); rounds_next(&r);) {
		int n = random_int(&r.seed, 100, 2000);
		struct machine m = {.cables = {.nvertices = 0}};
		struct grids grids;
		struct parts parts;
		struct mesh_err err = {{0}};
		char name[16];
		int none;

		for (int i = 0; i < 4 * n; i++) {
			int end[2];

			for (int e = 0; e < 2; e++) {
				snprintf(name, sizeof(name), "n%d", random_int(&r.seed, 0, n - 1));
				end[e] = cables_host(&m.cables, name, NULL);
			}
			cables_add(&m.cables, (struct cable_end[]){{end[0], 0}, {end[1], 0}}, 1);
		}
		assert_int_equal(cables_finish(&m.cables, NULL), 0);
		none = grids_find(&grids, &m.cables, &err);
		assert_in_range(none, 0, 1);
		parts_judge(&parts, &grids, &m.cables, none);
		for (int i = 0; i < m.cables.ncables; i++)
			assert_true(parts.part[parts.of[m.cables.cable[i][0]]].graph);
		if (none)
			assert_non_null(strstr(err.text, "far from any grid"));
		arena_release(&parts.arena);
		release(&m, &grids);
	}
}

/* --- parts ----------------------------------------------------------------------------------- */

/* from, to: a host's name and a digit, the port. */
static void add(struct cables *c, const char from[3], const char to[3], int lanes)
{
	const char a[] = {from[0], '\0'}, b[] = {to[0], '\0'};

	cables_add(c, (struct cable_end[]){{cables_host(c, a, NULL), (uint64_t)(from[1] - '0')},
		{cables_host(c, b, NULL), (uint64_t)(to[1] - '0')}}, lanes);
}

/*
 * A cable of known ports is one; others count by direction, and the direction with more, also where
 * each end knows its own port.
 */
static void test_lanes(void **state)
{
	static const int lanes[] = {4, 6, 3, 2};
	struct cables c = {.nvertices = 0};

	(void)state;
	add(&c, "a1", "b2", 4);
	add(&c, "b2", "a1", 4);
	add(&c, "b0", "c0", 2);
	add(&c, "c0", "b0", 3);
	add(&c, "c0", "b0", 3);
	add(&c, "c1", "d1", 1);
	add(&c, "d1", "c1", 1);
	add(&c, "d2", "c2", 2);
	add(&c, "e1", "f0", 1);
	add(&c, "e2", "f0", 1);
	add(&c, "f1", "e0", 1);
	add(&c, "f2", "e0", 1);
	assert_int_equal(cables_finish(&c, NULL), 0);
	assert_int_equal(c.ncables, 4);
	assert_memory_equal(c.lanes, lanes, sizeof(lanes));
	cables_release(&c);
}

/* A side of two has no ring; of two places that differ in two dimensions none is along one. */
static void test_next(void **state)
{
	const struct grid grid = {.ndims = 3, .side = {2, 3, 4}, .wrap = {true, true, false}};

	(void)state;
	assert_int_equal(grid_next(&grid, 0, 0, 1), 1);
	assert_int_equal(grid_next(&grid, 0, 1, 1), -1);
	assert_int_equal(grid_next(&grid, 1, 2, 1), 0);
	assert_int_equal(grid_next(&grid, 1, 0, -1), 2);
	assert_int_equal(grid_next(&grid, 2, 3, 1), -1);
	assert_int_equal(grid_along(&grid, (int[]){0, 0, 1}, (int[]){0, 2, 1}), 1);
	assert_int_equal(grid_along(&grid, (int[]){0, 0, 1}, (int[]){1, 1, 1}), -1);
	assert_int_equal(grid_along(&grid, (int[]){0, 0, 0}, (int[]){0, 0, 3}), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_extra),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_no_grid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
