/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh alloc: one decision on a given state, or a file of decisions.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/sort.h"
#include "geometry/curve.h"
#include "geometry/metrics.h"
#include "config/jobenv.h"
#include "config/settings.h"
#include "config/shape.h"
#include "ranks/rankmap.h"
#include "cmd/commands.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "sim/human.h"
#include "sim/report.h"
#include "strategies/strategies.h"

struct session {
	const char *topology, *mesh_name, *strategy_name, *nodes, *shape, *free_hosts, *busy_hosts;
	const char *require, *decisions, *host;
	bool json;
	int budget_us;
	struct topoconf *conf;
	const struct mesh *mesh;
	struct strategy *strategy;
	struct nodeset free, required;
	int *order; /* the mesh's own, for spans under strategies that have none */
	struct mesh_request request;
	struct mesh_answer answer;
	json_t *environment; /* of this answer's tasks on `host` */
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'s', "strategy", "NAME", "the strategy (snug, for a shape snug-box)", OPTION_TEXT,
		AT(strategy_name)},
	{'n', "nodes", "K", "nodes wanted", OPTION_TEXT, AT(nodes)},
	{0, "shape", "AxBxC", "a box, also :norotate, :torus, :fold, :chips; or ring:N, line:N",
		OPTION_TEXT, AT(shape)},
	{0, "segment", "N", "groups of N nodes, each compact or a box, near each other", OPTION_INT,
		AT(request.segment), 1, INT32_MAX},
	{0, "free", "HOSTLIST", "these nodes are free, the others are busy", OPTION_TEXT,
		AT(free_hosts)},
	{0, "busy", "HOSTLIST", "these nodes are busy, the others are free", OPTION_TEXT,
		AT(busy_hosts)},
	{0, "require", "HOSTLIST", "nodes that must be in the answer", OPTION_TEXT, AT(require)},
	{0, "seed", "N", "of the random numbers in the search for ring:N and line:N (0)",
		OPTION_SEED, AT(request.seed)},
	{0, "pattern", MESH_PATTERN_FORMS, "what the job sends (mix)"},
	{0, "budget", "USEC", "processor time for one decision, in microseconds",
		OPTION_INT, AT(budget_us), 1, 1000000000},
	{0, "decisions", "FILE", "many decisions: lines K BITS or AxBxC BITS, 1 = free; - = input",
		OPTION_TEXT, AT(decisions)},
	{0, "env", "HOST", "and the variables that the job's tasks on HOST have", OPTION_TEXT,
		AT(host)},
	{'j', "json", NULL, "print JSON, one object a line", OPTION_FLAG, AT(json)},
	{0},
};

/* --pattern */
static int take_pattern(void *session, const struct option_row *row, const char *value)
{
	struct session *s = session;
	struct mesh_err err;
	struct mesh_pattern pattern;

	if (mesh_pattern_parse(value, &pattern, &err))
		return smesh_fail(SMESH_USAGE, "--%s: %s", row->name, err.text);
	s->request.hint = MESH_HINT_COMPACT;
	mesh_pattern_apply(&pattern, &s->request);
	return SMESH_OK;
}

/* K or a shape into the request. */
static int take_size(struct session *s, const char *text, struct mesh_err *err)
{
	long count;

	if (strpbrk(text, "x:") && strpbrk(text, "0123456789")) {
		s->request.count = 0;
		return shape_parse(text, &s->request.shape, err);
	}
	s->request.shape = (struct mesh_shape){0};
	if (options_int(text, INT32_MIN, INT32_MAX, &count))
		return err_printf(err, "'%.32s' is not a number of nodes", text);
	s->request.count = (int)count;
	return 0;
}

static int open_session(struct session *s)
{
	const struct strategy_ops *ops;
	struct mesh_err err = {{0}};

	s->request.budget_ns = s->budget_us * INT64_C(1000);
	if (!s->strategy_name)
		s->strategy_name =
			strategy_for(s->shape ? STRATEGY_BOXES : STRATEGY_DEFAULT)->name;
	if (!(ops = suggest_strategy(s->strategy_name)))
		return SMESH_USAGE;
	if (!(s->mesh = smesh_open_mesh(&s->conf, s->topology, s->mesh_name)))
		return SMESH_USAGE;
	if (!(s->strategy = strategy_new(ops, s->mesh, &err)))
		return smesh_fail(SMESH_FAILED, "%s: %s", ops->name, err.text);
	s->answer.node = malloc((size_t)s->mesh->nnodes * sizeof(int));
	s->answer.by_rank = malloc((size_t)s->mesh->nnodes * sizeof(int));
	s->order = malloc((size_t)s->mesh->nvertices * sizeof(int));
	if (!s->answer.node || !s->answer.by_rank || !s->order ||
		curve_fill(s->mesh, CURVE_MESH, s->order) ||
		nodeset_init(&s->free, s->mesh->nnodes) ||
		nodeset_init(&s->required, s->mesh->nnodes))
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (s->require) {
		if (smesh_hosts_to_set(s->mesh, s->require, &s->required, &err))
			return smesh_fail(SMESH_USAGE, "--require: %s", err.text);
		s->request.required = &s->required;
	}
	return SMESH_OK;
}

static void close_session(struct session *s)
{
	nodeset_release(&s->free);
	nodeset_release(&s->required);
	free(s->answer.node);
	free(s->answer.by_rank);
	free(s->order);
	strategy_free(s->strategy);
	topoconf_free(s->conf);
}

/* Along the order that the strategy packs along, or else the mesh's own. */
static void add_spans(json_t *out, const struct session *s)
{
	const int *order = s->strategy->order ? s->strategy->order : s->order;
	struct curve_span span;

	if (curve_node_span(s->mesh, order, s->answer.node, s->answer.count, &span))
		return;
	json_object_set_new(out, "ring_span", json_integer(span.ring));
	json_object_set_new(out, "linear_span", json_integer(span.linear));
	json_object_set_new(out, "stretch_span", json_real(span.stretch));
}

/* The nodes in which the ranks go: node[place[i]], or with place NULL node[i]. */
static json_t *list_ranks(const struct session *s, const int *node, const int *place)
{
	json_t *ranks = json_array();

	for (int i = 0; i < s->answer.count; i++)
		json_array_append_new(ranks,
			json_string(s->mesh->node_name[node[place ? place[i] : i]]));
	return ranks;
}

/* Where the ranks of a folded shape go, the last side fastest: the nodes in their order. */
static void add_ranks(json_t *out, const struct session *s)
{
	const struct mesh_shape *shape = &s->request.shape;
	struct traffic_grid grid = {.ndims = shape->ndims};
	struct traffic traffic = {0};
	struct rankmap_input in = {.mesh = s->mesh, .node = s->answer.node,
		.nnodes = s->answer.count, .per_node = 1, .traffic = &traffic, .grid = &grid,
		.fold_only = true};
	struct rankmap_answer map = {
		.place = malloc(((size_t)s->answer.count + 1) * sizeof(int))};

	for (int d = 0; d < grid.ndims; d++) {
		grid.side[d] = shape->side[d];
		grid.wrap[d] = shape->torus;
		grid.weight[d] = 1;
	}
	if (map.place && traffic_grid_size(&grid, NULL) == s->answer.count &&
		!traffic_init_grid(&traffic, &grid, NULL) && !rankmap_solve(&in, &map, NULL)) {
		json_object_set_new(out, "ranks", list_ranks(s, s->answer.node, map.place));
		json_object_set_new(out, "hops_a_step",
			json_real(map.hop_bytes / fmax(traffic_total(&traffic), 1)));
	}
	traffic_release(&traffic);
	free(map.place);
}

/* The vertex of each node, ascending. */
static json_t *vertices_of(const struct session *s)
{
	int *vertex = malloc(((size_t)s->answer.count + 1) * sizeof(*vertex));
	json_t *list;

	for (int i = 0; vertex && i < s->answer.count; i++)
		vertex[i] = s->mesh->vertex_of[s->answer.node[i]];
	if (vertex)
		sort_ints(vertex, s->answer.count);
	list = report_ints(vertex, vertex ? s->answer.count : 0);
	free(vertex);
	return list;
}

static void add_variable(void *out, bool own, const char *name, const char *value)
{
	char full[JOBENV_NAME];

	snprintf(full, sizeof(full), "%s%s", own ? "" : "MESH_", name);
	if (value)
		json_object_set_new(out, full, json_string(value));
}

/* What the tasks on --env's host are told; NULL: the job is not there. */
static json_t *environment(const struct session *s)
{
	struct jobenv job = {.mesh = s->mesh, .node = s->answer.node, .nnodes = s->answer.count,
		.total = s->answer.count, .set = add_variable};

	for (int i = 0; i < s->answer.count; i++)
		if (!strcmp(s->mesh->node_name[job.here = s->answer.node[i]], s->host)) {
			job.data = json_object();
			jobenv_tell(&job);
			return job.data;
		}
	return NULL;
}

static void add_placement(json_t *out, const struct session *s, const char *hosts,
	const struct mesh_metrics *m)
{
	json_t *figures = json_pack("{s:s, s:o, s:I, s:f, s:i, s:o, s:i}", "nodes", hosts,
		"vertices", vertices_of(s), "pairwise_hops", (json_int_t)m->pairwise_hops,
		"mean_hops", m->mean_hops, "diameter", m->diameter, "box",
		report_ints(m->box, s->mesh->ndims), "components", m->components);

	json_object_update(out, figures);
	json_decref(figures);
	add_spans(out, s);
	if (s->request.shape.walk)
		json_object_set_new(out, "ranks", list_ranks(s, s->answer.by_rank, NULL));
	if (s->request.shape.fold)
		add_ranks(out, s);
	if (s->environment)
		json_object_set(out, "environment", s->environment);
	json_object_set_new(out, "cost", report_number(s->answer.cost));
	if (s->answer.out_of_time)
		json_object_set_new(out, "out_of_time", json_true());
}

static void print_json(const struct session *s, enum mesh_result result, const char *hosts,
	const struct mesh_metrics *m, int64_t time_ns)
{
	json_t *out = json_pack("{s:s, s:s, s:s, s:i}", "strategy", s->strategy->ops->name, "mesh",
		s->mesh->name, "result", mesh_result_name(result), "count", s->answer.count);

	if (result == MESH_OK)
		add_placement(out, s, hosts, m);
	else if (*s->answer.err.text)
		json_object_set_new(out, "reason", json_string(s->answer.err.text));
	json_object_set_new(out, "time_ns", json_integer(time_ns));
	output_json(stdout, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

static void print_text(const struct session *s, const char *hosts, const struct mesh_metrics *m,
	int64_t time_ns)
{
	char box[64];
	const char *name;
	json_t *value;

	human_sides(s->mesh->ndims, m->box, box, sizeof(box));
	printf("%s\n%d nodes, mean hops %.4f, total %lld, diameter %d, box %s", hosts,
		s->answer.count, m->mean_hops, (long long)m->pairwise_hops, m->diameter, box);
	printf(", %d component%s, cost %.12g, %.1f us\n", m->components,
		m->components == 1 ? "" : "s", s->answer.cost, (double)time_ns / 1000);
	for (int i = 0; s->request.shape.walk && i < s->answer.count; i++)
		printf("%s%s%s", i ? "," : "ranks ", s->mesh->node_name[s->answer.by_rank[i]],
			i + 1 < s->answer.count ? "" : "\n");
	json_object_foreach(s->environment, name, value)
		printf("%s=%s\n", name, json_string_value(value));
}

static int decide(struct session *s)
{
	struct mesh_state state = {.free = &s->free};
	int64_t from, time_ns;
	struct mesh_metrics m;
	enum mesh_result result;
	char *hosts = NULL;

	from = mesh_clock_ns(CLOCK_MONOTONIC);
	result = strategy_decide(s->strategy, &state, &s->request, &s->answer);
	time_ns = mesh_clock_ns(CLOCK_MONOTONIC) - from;
	if (result == MESH_ERROR)
		return smesh_fail(SMESH_USAGE, "%s", s->answer.err.text);
	if (result == MESH_OK) {
		hosts = smesh_nodes_to_hosts(s->mesh, s->answer.node, s->answer.count);
		if (!hosts || mesh_measure(s->mesh, s->answer.node, s->answer.count, &m)) {
			free(hosts);
			return smesh_fail(SMESH_FAILED, "out of memory");
		}
		if (s->host && !(s->environment = environment(s))) {
			free(hosts);
			return smesh_fail(SMESH_USAGE, "--env: the job is not on %.64s", s->host);
		}
	}
	if (s->json)
		print_json(s, result, hosts, &m, time_ns);
	else if (result == MESH_OK)
		print_text(s, hosts, &m, time_ns);
	else if (result == MESH_NO_FIT && !*s->answer.err.text)
		smesh_fail(0, "no fit now: %d of %d nodes are free", nodeset_count(&s->free),
			s->mesh->nnodes);
	else
		smesh_fail(0, "%s%s%s", result == MESH_NO_FIT ? "no fit now" : "never",
			*s->answer.err.text ? ": " : "", s->answer.err.text);
	free(hosts);
	json_decref(s->environment);
	s->environment = NULL;
	return result == MESH_OK ? SMESH_OK : result == MESH_NO_FIT ? SMESH_NO_FIT : SMESH_NEVER;
}

/* --free, all but --busy, or all. */
static int take_free(struct session *s)
{
	struct mesh_err err = {{0}};
	struct nodeset busy = {0};
	bool bad;

	if (s->free_hosts && s->busy_hosts)
		return smesh_fail(SMESH_USAGE, "--free and --busy exclude each other");
	if (s->free_hosts)
		return smesh_hosts_to_set(s->mesh, s->free_hosts, &s->free, &err)
			? smesh_fail(SMESH_USAGE, "--free: %s", err.text)
			: SMESH_OK;
	nodeset_set_all(&s->free);
	bad = nodeset_init(&busy, s->mesh->nnodes) ||
		(s->busy_hosts && smesh_hosts_to_set(s->mesh, s->busy_hosts, &busy, &err));
	if (!bad)
		nodeset_remove(&s->free, &busy);
	nodeset_release(&busy);
	return bad ? smesh_fail(SMESH_USAGE, "--busy: %s", err.text) : SMESH_OK;
}

static int one_decision(struct session *s)
{
	struct mesh_err err = {{0}};

	if (!s->nodes && !s->shape)
		return smesh_fail(SMESH_USAGE, "-n K or --shape is missing");
	if (s->nodes && take_size(s, s->nodes, &err))
		return smesh_fail(SMESH_USAGE, "-n: %s", err.text);
	if (s->shape && shape_parse(s->shape, &s->request.shape, &err))
		return smesh_fail(SMESH_USAGE, "--shape: %s", err.text);
	if (take_free(s))
		return SMESH_USAGE;
	return decide(s);
}

/* `K BITS`: BITS into the free set. */
static int take_bits(struct session *s, const char *bits, struct mesh_err *err)
{
	size_t length = strspn(bits, "01");

	if (bits[length])
		return err_printf(err, "expected 0 and 1, found '%c'",
			isprint((unsigned char)bits[length]) ? bits[length] : '?');
	if (length != (size_t)s->mesh->nnodes)
		return err_printf(err, "%zu bits, mesh %s has %d nodes", length, s->mesh->name,
			s->mesh->nnodes);
	nodeset_clear_all(&s->free);
	for (size_t i = 0; i < length; i++)
		if (bits[i] == '1')
			nodeset_add(&s->free, (int)i);
	return 0;
}

/* The worst of the answers is the exit code: 0, or 1/2 as soon as a line is bad. */
static int decision_line(struct session *s, char *text, long line)
{
	struct mesh_err err = {{0}};
	char *save, *size = strtok_r(text, " \t\r\n", &save);
	char *bits = size ? strtok_r(NULL, " \t\r\n", &save) : NULL;

	if (!size || *size == '#')
		return SMESH_OK;
	if (!bits)
		err_printf(&err, "expected K BITS");
	else if (strtok_r(NULL, " \t\r\n", &save))
		err_printf(&err, "text after K BITS");
	else if (!take_size(s, size, &err) && !take_bits(s, bits, &err)) {
		int code = decide(s);

		return code == SMESH_NO_FIT || code == SMESH_NEVER ? SMESH_OK : code;
	}
	return smesh_fail(SMESH_USAGE, "%s:%ld: %s", s->decisions, line, err.text);
}

static int many_decisions(struct session *s)
{
	bool standard = !strcmp(s->decisions, "-");
	FILE *file = standard ? stdin : fopen(s->decisions, "re");
	char *text = NULL;
	size_t room = 0;
	int code = SMESH_OK;

	if (!file)
		return smesh_fail(SMESH_USAGE, "%s: %s", s->decisions, strerror(errno));
	for (long line = 1; code == SMESH_OK && getline(&text, &room, file) >= 0; line++)
		code = decision_line(s, text, line);
	if (code == SMESH_OK && ferror(file))
		code = smesh_fail(SMESH_USAGE, "%s: %s", s->decisions, strerror(errno));
	free(text);
	if (!standard)
		fclose(file);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {0};
	int code = options_read(&cmd_alloc, argc, argv, &s);

	if (code)
		return code;
	code = open_session(&s);
	if (code == SMESH_OK)
		code = s.decisions ? many_decisions(&s) : one_decision(&s);
	close_session(&s);
	return code;
}

const struct command cmd_alloc = {
	.name = "alloc",
	.summary = "ask a strategy for nodes, on a given state of the machine",
	.usage = "[-t FILE] [-s STRATEGY] -n K | --shape AxBxC [OPTION]...",
	.example = "-t topology.conf -n 8 --busy 'n[0-15]'",
	.options = options,
	.take = take_pattern,
	.run = run,
};
