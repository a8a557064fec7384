/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a machine, a state and a request from bytes, for every strategy in the table.
 * Whatever they are, the answer is one of the four kinds, a placement keeps its promises, an
 * error has text, and a second question gets the same answer.
 *
 * Bytes: dimensions and wraps, sides, nodes per vertex, vertices left out, legal boxes, k, shape,
 * required nodes, then one bit a node for the free set (repeated when they run out).
 */
#include <string.h>

#include "fuzz.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

enum { MAX_VERTICES = 48, MAX_PER_VERTEX = 3, MAX_NODES = MAX_VERTICES * MAX_PER_VERTEX };

struct bytes {
	const uint8_t *data;
	size_t size, at;
};

/* The next byte; from the start again at the end, 0 when there is none. */
static int take(struct bytes *b)
{
	return b->size ? b->data[b->at++ % b->size] : 0;
}

/* Legal boxes, of half the machines. */
static void take_legal(
	struct bytes *b, struct mesh_spec *spec, struct mesh_placement *legal, int room)
{
	int kind = take(b);

	spec->nlegal = kind & 1 ? 1 + take(b) % room : 0;
	spec->legal = legal;
	spec->legal_exact = kind & 2;
	for (int i = 0; i < spec->nlegal; i++)
		for (int d = 0; d < spec->ndims; d++) {
			int all = spec->side[d];

			legal[i].side[d] = 1 + take(b) % all;
			legal[i].step[d] = 1 + take(b) % all;
			legal[i].seed[d] =
				take(b) % (spec->wrap[d] ? all : all - legal[i].side[d] + 1);
			spec->node_side[d] = kind & 4 ? 1 + kind % 3 : 0;
		}
}

static struct mesh *take_mesh(struct bytes *b)
{
	struct mesh_placement legal[5] = {{{0}, {0}, {0}}};
	struct mesh_spec spec = {.name = "fuzz", .ndims = 1 + take(b) % MESH_MAX_DIMS};
	int wraps = take(b), per_vertex, holes, vertices = 1, vertex_of[MAX_NODES];
	struct mesh_err err;

	for (int d = 0; d < spec.ndims; d++) {
		int room = MAX_VERTICES / vertices;

		spec.side[d] = 1 + take(b) % (room < 9 ? room : 9);
		spec.wrap[d] = wraps >> d & 1;
		vertices *= spec.side[d];
	}
	per_vertex = take(b) % 4 ? 1 : MAX_PER_VERTEX;
	holes = take(b);
	for (int v = 0; v < vertices; v++)
		for (int i = 0; i < per_vertex; i++)
			if (holes < 128 || take(b) % 4)
				vertex_of[spec.nnodes++] = v;
	spec.vertex_of = vertex_of;
	take_legal(b, &spec, legal, 5);
	return spec.nnodes ? mesh_new(&spec, &err) : NULL;
}

static void take_set(struct bytes *b, struct nodeset *set, bool sparse)
{
	for (int i = 0; i < set->n; i += 8)
		for (int bits = take(b) & (sparse ? take(b) & take(b) : 255), j = 0; j < 8; j++)
			if (bits >> j & 1 && i + j < set->n)
				nodeset_add(set, i + j);
}

static void take_request(struct bytes *b, const struct mesh *mesh, struct mesh_request *request)
{
	int kind = take(b);

	request->count = take(b) % (mesh->nnodes + 4) - 1;
	request->budget_steps = 300;
	request->seed = (uint64_t)take(b);
	request->hint = (enum mesh_hint)(take(b) % 3);
	request->pattern = (enum comm_pattern)(take(b) % COMM_PATTERNS);
	if (kind & 1) {
		request->shape.ndims = take(b) % (MESH_MAX_DIMS + 2);
		request->shape.norotate = kind & 2;
		request->shape.torus = kind & 4;
		request->shape.chips = kind & 16;
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			request->shape.side[d] = take(b) % 5;
	}
	if (!(kind & 8))
		request->required = NULL;
}

static void check_placement(const struct mesh_state *state, const struct mesh_request *request,
	const struct mesh_answer *answer)
{
	int required = 0;

	fuzz_require(answer->count >= 1);
	fuzz_require(!request->count || answer->count == request->count);
	for (int i = 0; i < answer->count; i++) {
		fuzz_require(answer->node[i] >= 0 && answer->node[i] < state->free->n);
		fuzz_require(nodeset_has(state->free, answer->node[i]));
		fuzz_require(!i || answer->node[i - 1] < answer->node[i]);
		required += request->required && nodeset_has(request->required, answer->node[i]);
	}
	fuzz_require(!request->required || required == nodeset_count(request->required));
}

static void ask(const struct strategy_ops *ops, const struct mesh *mesh,
	const struct mesh_state *state, const struct mesh_request *request)
{
	static const char *const kinds = "onne";
	int node[MAX_NODES], again[MAX_NODES];
	struct mesh_err err;
	struct strategy *strategy = strategy_new(ops, mesh, &err);
	struct mesh_answer answer = {.node = node}, second = {.node = again};
	enum mesh_result result;

	if (!strategy)
		return;
	result = strategy_decide(strategy, state, request, &answer);
	fuzz_require(mesh_result_name(result)[0] == kinds[result]);
	fuzz_require(result != MESH_ERROR || *answer.err.text);
	fuzz_require(result == MESH_OK || answer.count == 0);
	if (result == MESH_OK)
		check_placement(state, request, &answer);
	fuzz_require(strategy_decide(strategy, state, request, &second) == result);
	fuzz_require(second.count == answer.count);
	fuzz_require(!memcmp(node, again, (size_t)answer.count * sizeof(*node)));
	strategy_free(strategy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {.data = data, .size = size};
	struct mesh *mesh = take_mesh(&b);
	struct nodeset free_set = {0}, required = {0};
	struct mesh_state state = {.free = &free_set};
	struct mesh_request request = {.required = &required};
	const struct strategy_ops *ops;

	if (!mesh)
		return 0;
	if (!nodeset_init(&free_set, mesh->nnodes) && !nodeset_init(&required, mesh->nnodes)) {
		take_request(&b, mesh, &request);
		take_set(&b, &required, true);
		take_set(&b, &free_set, false);
		/* Else the answer is mostly that a required node is busy. */
		if (take(&b) % 4)
			nodeset_and(&required, &free_set);
		for (int i = 0; (ops = strategy_at(i)); i++)
			ask(ops, mesh, &state, &request);
	}
	nodeset_release(&free_set);
	nodeset_release(&required);
	mesh_free(mesh);
	return 0;
}
