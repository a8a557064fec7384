/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support.h"

#include "graph/linkgraph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int random_int(uint64_t *seed, int low, int high)
{
	return low + (int)(random_next(seed) % (uint64_t)(high - low + 1));
}

/* Where the round at hand began, of all properties of the program. */
static uint64_t round_seed;
static const char *round_what;
static bool in_round;

/* Still in a round when the program ends, or the next property begins: it failed. */
static void tell_round(void)
{
	if (in_round)
		fprintf(stderr, "# failed%s%s: PROPERTY_SEED=%" PRIu64 " PROPERTY_SECONDS=0\n",
			round_what ? " with " : "", round_what ? round_what : "", round_seed);
	in_round = false;
}

static const char *property(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

struct rounds rounds(uint64_t seed, int n)
{
	static bool told;
	const char *from = property("PROPERTY_SEED");

	if (!told)
		atexit(tell_round);
	told = true;
	tell_round();
	if (!property("PROPERTY_SECONDS"))
		return (struct rounds){seed, n, NULL};
	return (struct rounds){
		from ? strtoull(from, NULL, 10) : (uint64_t)time(NULL) * 1000, INT32_MAX, NULL};
}

bool rounds_next(struct rounds *r)
{
	static clock_t begin;
	bool first = !in_round;

	begin = first ? clock() : begin;
	if (r->left < INT32_MAX)
		in_round = r->left-- > 0;
	else
		in_round = first ||
			(double)(clock() - begin) / CLOCKS_PER_SEC <
				atof(property("PROPERTY_SECONDS"));
	round_seed = r->seed;
	round_what = r->what;
	return in_round;
}

static struct mesh *make(const struct mesh_spec *spec)
{
	struct mesh_err err = {{0}};
	struct mesh *mesh = mesh_new(spec, &err);

	if (!mesh)
		fail_msg("%s", err.text);
	return mesh;
}

struct mesh *make_mesh(int ndims, const int *side, unsigned wrap, int nodes_per_vertex)
{
	struct mesh_spec spec = {.name = "m", .ndims = ndims, .nodes_per_vertex = nodes_per_vertex};

	spec.nnodes = nodes_per_vertex;
	for (int d = 0; d < ndims; d++) {
		spec.side[d] = side[d];
		spec.wrap[d] = wrap >> d & 1;
		spec.nnodes *= side[d];
	}
	return make(&spec);
}

static void shuffle(uint64_t *seed, int *value, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int j = random_int(seed, 0, i), swap = value[i];

		value[i] = value[j];
		value[j] = swap;
	}
}

struct mesh *random_mesh(uint64_t *seed, int max_dims, int max_vertices)
{
	struct mesh_spec spec = {.name = "random"};
	int per_vertex = random_int(seed, 1, 4) == 1 ? random_int(seed, 2, 4) : 1;
	int holes = random_int(seed, 1, 3) == 1 ? random_int(seed, 0, 30) : 0;
	int nvertices = 1;
	struct mesh *mesh;
	int *vertex_of;

	spec.ndims = random_int(seed, 1, max_dims);
	for (int d = 0; d < spec.ndims; d++) {
		int room = max_vertices / nvertices;

		spec.side[d] = random_int(seed, 1, room < 12 ? room : 12);
		spec.wrap[d] = random_next(seed) & 1;
		nvertices *= spec.side[d];
	}
	vertex_of = malloc((size_t)(nvertices * per_vertex) * sizeof(int));
	assert_non_null(vertex_of);
	for (int v = 0; v < nvertices; v++)
		for (int i = 0; i < per_vertex; i++)
			if (random_int(seed, 0, 99) >= holes)
				vertex_of[spec.nnodes++] = v;
	if (!spec.nnodes)
		vertex_of[spec.nnodes++] = 0;
	if (random_int(seed, 1, 4) == 1)
		shuffle(seed, vertex_of, spec.nnodes);
	spec.vertex_of = vertex_of;
	mesh = make(&spec);
	free(vertex_of);
	return mesh;
}

struct mesh *random_cables(uint64_t *seed, int most)
{
	int n = random_int(seed, 1, most), group = random_int(seed, 1, 6), ncables = 0;
	int wide = random_int(seed, 1, 3) == 1, thin = random_int(seed, 2, 8);
	struct mesh *mesh = make(&(struct mesh_spec){.name = "cables", .ndims = 1, .side = {n},
		.nnodes = n, .nodes_per_vertex = 1, .cabled = true});
	struct linkgraph_cable *cable = calloc((size_t)(n * 8), sizeof(*cable));
	struct mesh_err err = {{0}};

	assert_non_null(cable);
	for (int v = 0; v < n; v++) {
		int first = v / group * group;

		for (int w = v + 1; w < first + group && w < n; w++)
			if (wide || w == v + 1 || v == first)
				cable[ncables++] = (struct linkgraph_cable){
					.vertex = {v, w}, .weight = 1, .lanes = thin};
		for (int i = random_int(seed, 0, 2); i > 0; i--)
			cable[ncables++] = (struct linkgraph_cable){
				.vertex = {v, random_int(seed, 0, n - 1)},
				.weight = thin, .lanes = 1};
	}
	if (linkgraph_join(&mesh, 1, cable, ncables, &err))
		fail_msg("%s", err.text);
	free(cable);
	return mesh;
}

static bool shorter(int *hops, int v, int w, int weight)
{
	int before = hops[v] + hops[w];

	if (hops[v] + weight < hops[w])
		hops[w] = hops[v] + weight;
	if (hops[w] + weight < hops[v])
		hops[v] = hops[w] + weight;
	return hops[v] + hops[w] < before;
}

void random_links(uint64_t *seed, struct mesh *mesh, int percent, int cables)
{
	struct linkgraph_cable *cable = calloc((size_t)cables + 1, sizeof(*cable));
	struct mesh_err err = {{0}};

	assert_non_null(cable);
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (random_int(seed, 0, 99) < percent && mesh_up(mesh, v, d) >= 0)
				assert_int_equal(mesh_break(mesh, v, d), 0);
	for (int i = 0; i < cables; i++) {
		cable[i].vertex[0] = random_int(seed, 0, mesh->nvertices - 1);
		cable[i].vertex[1] = random_int(seed, 0, mesh->nvertices - 1);
		cable[i].weight = random_int(seed, 1, 3);
	}
	if (linkgraph_join(&mesh, 1, cable, cables, &err))
		fail_msg("%s", err.text);
	free(cable);
}

/* Shorter ways are looked for along every link, until there are none (Bellman and Ford). */
void plain_graph_hops(const struct mesh *mesh, int from, int *hops)
{
	bool found = true;

	for (int v = 0; v < mesh->nvertices; v++)
		hops[v] = v == from ? 0 : LINKGRAPH_CUT;
	while (found) {
		found = false;
		for (int v = 0; v < mesh->nvertices; v++)
			for (int d = 0; d < mesh->ndims; d++) {
				int w = mesh_up(mesh, v, d);

				if (w >= 0 && !mesh_is_down(mesh, v, d))
					found |= shorter(hops, v, w, 1);
			}
		for (int i = 0; i < mesh->graph->ncables; i++) {
			const struct linkgraph_cable *cable = &mesh->graph->cable[i];

			found |= shorter(hops, cable->vertex[0], cable->vertex[1], cable->weight);
		}
	}
}

void random_set(uint64_t *seed, struct nodeset *set, int percent)
{
	nodeset_clear_all(set);
	for (int i = 0; i < set->n; i++)
		if (random_int(seed, 0, 99) < percent)
			nodeset_add(set, i);
}

int64_t plain_pairwise_hops(const struct mesh *mesh, const int *node, int count)
{
	int64_t total = 0;

	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			total += mesh_hops(mesh, mesh->vertex_of[node[i]],
				mesh->vertex_of[node[j]]);
	return total;
}

uint32_t plain_box_sum(const struct mesh *mesh, const uint32_t *value, const int *base,
	const int *side)
{
	int offset[MESH_MAX_DIMS] = {0}, d;
	uint32_t sum = 0;

	do {
		bool inside = true;
		int v = 0;

		for (d = 0; d < mesh->ndims; d++) {
			int c = base[d] + offset[d];

			if (mesh->wrap[d])
				c = (c + mesh->side[d]) % mesh->side[d];
			inside = inside && c >= 0 && c < mesh->side[d];
			v += c * mesh->stride[d];
		}
		sum += inside ? value[v] : 0;
		for (d = 0; d < mesh->ndims && ++offset[d] == side[d]; d++)
			offset[d] = 0;
	} while (d < mesh->ndims);
	return sum;
}

uint32_t plain_box_faces(
	const struct mesh *mesh, const uint32_t *value, const int *base, const int *side)
{
	uint32_t sum = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int at[MESH_MAX_DIMS], layer[MESH_MAX_DIMS];

		if (mesh->wrap[d] && side[d] == mesh->side[d])
			continue;
		memcpy(at, base, sizeof(at));
		memcpy(layer, side, sizeof(layer));
		layer[d] = 1;
		at[d] = base[d] - 1;
		sum += plain_box_sum(mesh, value, at, layer);
		at[d] = base[d] + side[d];
		sum += plain_box_sum(mesh, value, at, layer);
	}
	return sum;
}

static char folder[] = "/tmp/mesh-test-XXXXXX";

int enter_folder(void **state)
{
	(void)state;
	return !mkdtemp(folder) || chdir(folder);
}

int leave_folder(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

void put_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}
