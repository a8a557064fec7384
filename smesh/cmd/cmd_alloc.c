/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh alloc: one decision on a given state, or a file of decisions.
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/sort.h"
#include "sim/curve_measure.h"
#include "sim/span_hops.h"
#include "geometry/metrics_meter.h"
#include "conf/jobenv.h"
#include "conf/shape.h"
#include "ranks/rankmap.h"
#include "cmd/commands.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "sim/human.h"
#include "sim/need.h"
#include "sim/report.h"
#include "conf/strategies.h"
#include "decide/span.h"
#include "decide/strategy_decide.h"

/* A mesh, and what its strategy answers. */
struct place {
	const struct mesh *mesh;
	struct strategy *strategy;
	struct nodeset free, all, required;
	int *order; /* the mesh's own order, for spans if the strategy has none */
	struct mesh_answer answer;
	enum mesh_result result; /* the last result */
};

struct session {
	struct command_base base;
	const char *strategy_name, *nodes, *shape, *free_hosts, *busy_hosts, *require, *decisions;
	const char *host;
	bool json;
	int budget_us;
	const struct strategy_ops *ops;
	struct place *place; /* [span.n] */
	struct span span;
	struct place *at; /* the mesh of the answer, or the one that says why there is none; NULL:
			   * several meshes */
	int nrequired;
	bool over; /* several meshes are asked, so each may give fewer nodes */
	bool idle; /* as if all nodes were free */
	struct mesh_request request;
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'s', "strategy", "NAME", "the strategy (snug, for a shape snug-box)", OPTION_TEXT,
		AT(strategy_name)},
	{'n', "nodes", "K", "nodes wanted", OPTION_TEXT, AT(nodes)},
	{0, "shape", "AxBxC",
		"a box (:norotate, :torus, :fold, :chips, :anylinks), ring:N or line:N",
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

/* A line of --decisions has a size and the free nodes. */
static const struct option_rule rules[] = {
	{RULE_ALONE, "--decisions and -n, --shape, --free or --busy exclude each other"},
	{RULE_ONE, "--free and --busy exclude each other"},
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

/* Put K or a shape into the request. */
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

/* A mesh that may be asked. */
static int open_place(struct session *s, const struct mesh *mesh)
{
	struct place *place = &s->place[s->span.n];
	struct arena *arena = &s->base.arena;
	struct mesh_err err = {{0}};

	place->mesh = mesh;
	if (!(place->strategy = strategy_new(s->ops, mesh, &err)))
		return smesh_fail(SMESH_FAILED, "%s: %s", s->ops->name, err.text);
	need_array(arena, place->answer.node, mesh->nnodes);
	need_array(arena, place->answer.by_rank, mesh->nnodes);
	need_array(arena, place->order, mesh->nvertices);
	need_done(curve_fill(mesh, CURVE_MESH, place->order));
	need_done(nodeset_get(&place->free, mesh->nnodes, arena));
	need_done(nodeset_get(&place->all, mesh->nnodes, arena));
	nodeset_set_all(&place->all);
	need_done(nodeset_get(&place->required, mesh->nnodes, arena));
	s->span.in[s->span.n++] =
		(struct span_mesh){mesh, &place->free, place->answer.node, 0};
	return SMESH_OK;
}

/* Add or remove the nodes of a host list, each in its mesh. How many, or -1 with text. */
static int take_hosts(struct session *s, const char *hosts, bool require, bool add,
	struct mesh_err *err)
{
	char **name;
	int n = smesh_expand(hosts, &s->base.arena, &name, err);

	for (int i = 0; i < n; i++) {
		struct place *place = s->place, *end = place + s->span.n;
		int node = -1;

		while (place < end && (node = mesh_node(place->mesh, name[i])) < 0)
			place++;
		if (place == end && s->span.n > 1)
			return err_printf(err, "no mesh has a node %s", name[i]);
		if (place == end)
			return err_printf(err, "mesh %s has no node %s", s->place->mesh->name,
				name[i]);
		(add ? nodeset_add : nodeset_del)(
			require ? &place->required : &place->free, node);
	}
	return n;
}

/* Open one mesh, or all. */
static int open_places(struct session *s)
{
	struct topoconf *conf = s->base.conf;
	struct mesh_err err = {{0}};
	const struct mesh *mesh;
	int code = SMESH_OK;

	need_array(&s->base.arena, s->place, conf->nmeshes);
	need_array(&s->base.arena, s->span.in, conf->nmeshes);
	for (int i = 0; !s->base.mesh_name && !s->decisions && !code && i < conf->nmeshes; i++)
		code = open_place(s, conf->mesh[i]);
	if (code || s->span.n)
		return code;
	if (!(mesh = topoconf_find(conf, s->base.mesh_name, &err)))
		return smesh_fail(SMESH_USAGE, "%s: %s",
			s->base.topology ? s->base.topology : "topology.conf", err.text);
	return open_place(s, mesh);
}

/* The nodes in the order of ranks: node[place[i]], or with place NULL node[i]. */
static json_t *list_ranks(const struct place *p, const int *node, const int *place)
{
	json_t *ranks = json_array();

	for (int i = 0; i < p->answer.count; i++)
		json_array_append_new(ranks,
			json_string(p->mesh->node_name[node[place ? place[i] : i]]));
	return ranks;
}

/* Add the nodes of the ranks of a folded shape, the last side fastest. */
static void add_ranks(json_t *out, const struct place *p, const struct mesh_shape *shape)
{
	struct traffic_grid grid = {.ndims = shape->ndims};
	struct traffic traffic = {0};
	struct rankmap_input in = {.mesh = p->mesh, .node = p->answer.node,
		.nnodes = p->answer.count, .per_node = 1, .traffic = &traffic, .grid = &grid,
		.fold_only = true};
	struct rankmap_answer map = {
		.place = need(malloc(((size_t)p->answer.count + 1) * sizeof(int)))};

	for (int d = 0; d < grid.ndims; d++) {
		grid.side[d] = shape->side[d];
		grid.wrap[d] = shape->torus;
		grid.weight[d] = 1;
	}
	if (traffic_grid_size(&grid, NULL) == p->answer.count &&
		!traffic_init_grid(&traffic, &grid, NULL) && !rankmap_solve(&in, &map, NULL)) {
		json_object_set_new(out, "ranks", list_ranks(p, p->answer.node, map.place));
		json_object_set_new(out, "hops_a_step",
			json_real(map.hop_bytes / fmax(traffic_total(&traffic), 1)));
	}
	traffic_release(&traffic);
	free(map.place);
}

/* The vertex of each node, ascending. */
static json_t *vertices_of(const struct place *p)
{
	int *vertex = need(malloc(((size_t)p->answer.count + 1) * sizeof(*vertex)));
	json_t *list;

	for (int i = 0; i < p->answer.count; i++)
		vertex[i] = p->mesh->vertex_of[p->answer.node[i]];
	sort_ints(vertex, p->answer.count);
	list = report_ints(vertex, p->answer.count);
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

/* The variables of the tasks on --env's host; NULL: the job is not there. */
static json_t *environment(const struct session *s, int total)
{
	for (int p = 0; p < s->span.n; p++) {
		const struct span_mesh *in = &s->span.in[p];
		struct jobenv job = {.mesh = in->mesh, .node = in->node, .nnodes = in->count,
			.total = total, .set = add_variable};

		for (int i = 0; i < in->count; i++)
			if (!strcmp(in->mesh->node_name[job.here = in->node[i]], s->host)) {
				job.data = json_object();
				jobenv_tell(&job);
				return job.data;
			}
	}
	return NULL;
}

/* An answer, or the reason why there is none. */
struct told {
	enum mesh_result result;
	int count;
	int64_t time_ns;
	char *hosts;
	json_t *meshes; /* the meshes of these nodes */
	json_t *environment; /* of the tasks on `host`, if asked for */
	struct mesh_metrics m; /* pairwise_hops -1: unknown */
};

/* Add what is known of an answer in one mesh: spans are along the order of the strategy, if any. */
static void add_in_one(json_t *out, const struct session *s, const struct mesh_metrics *m)
{
	const struct place *p = s->at;
	struct curve_span span;
	json_t *figures;

	need_done(curve_node_span(p->mesh, p->strategy->order ? p->strategy->order : p->order,
		p->answer.node, p->answer.count, &span));
	/* A machine of cables has no boxes: null. */
	figures = json_pack("{s:i, s:o?, s:i, s:o, s:i, s:i, s:f, s:o*}", "diameter", m->diameter,
		"box", p->mesh->cabled ? NULL : report_ints(m->box, p->mesh->ndims), "components",
		m->components, "cost", report_number(p->answer.cost), "ring_span", span.ring,
		"linear_span", span.linear, "stretch_span", span.stretch, "ranks",
		s->request.shape.walk ? list_ranks(p, p->answer.by_rank, NULL) : NULL);
	json_object_update(out, figures);
	json_decref(figures);
	if (s->request.shape.fold)
		add_ranks(out, p, &s->request.shape);
	if (p->answer.out_of_time)
		json_object_set_new(out, "out_of_time", json_true());
}

static void print_json(const struct session *s, const struct told *t)
{
	bool found = t->hosts, hops = found && t->m.pairwise_hops >= 0;
	const char *why = found ? "" : s->at->answer.err.text;
	json_t *out = json_pack("{s:s, s:o, s:s, s:i, s:s*, s:s*, s:o*, s:o*, s:o*}", "strategy",
		s->ops->name, "mesh",
		s->at ? json_string(s->at->mesh->name) : json_incref(t->meshes), "result",
		mesh_result_name(t->result), "count", t->count, "nodes", t->hosts, "reason",
		*why ? why : NULL, "vertices", found && s->at ? vertices_of(s->at) : NULL,
		"pairwise_hops", hops ? json_integer(t->m.pairwise_hops) : NULL, "mean_hops",
		hops ? json_real(t->m.mean_hops) : NULL);

	if (found && s->at)
		add_in_one(out, s, &t->m);
	if (t->environment)
		json_object_set(out, "environment", t->environment);
	json_object_set_new(out, "time_ns", json_integer(t->time_ns));
	output_json(stdout, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

static void print_text(const struct session *s, const struct told *t)
{
	const struct place *p = s->at;
	char box[64];
	const char *name;
	json_t *value;

	printf("%s\n%d node%s", t->hosts, t->count, human_s(t->count));
	if (!p)
		printf(" of %zu meshes", json_array_size(t->meshes));
	if (t->m.pairwise_hops >= 0)
		printf(", mean hops %.4f, total %lld", t->m.mean_hops,
			(long long)t->m.pairwise_hops);
	if (p) {
		human_sides(p->mesh->ndims, t->m.box, box, sizeof(box));
		printf(", diameter %d%s%s, %d component%s, cost %.12g", t->m.diameter,
			p->mesh->cabled ? "" : ", box ", p->mesh->cabled ? "" : box,
			t->m.components, human_s(t->m.components), p->answer.cost);
	}
	printf(", %.1f us\n", (double)t->time_ns / 1000);
	for (int i = 0; s->request.shape.walk && i < t->count; i++)
		printf("%s%s%s", i ? "," : "ranks ", p->mesh->node_name[p->answer.by_rank[i]],
			i + 1 < t->count ? "" : "\n");
	json_object_foreach(t->environment, name, value)
		printf("%s=%s\n", name, json_string_value(value));
}

/* List the nodes of the answer, of whichever meshes. */
static void list_hosts(const struct session *s, struct told *t)
{
	char **name = need(malloc((size_t)t->count * sizeof(*name)));
	int n = 0;

	for (int i = 0; i < s->span.n; i++) {
		const struct span_mesh *in = &s->span.in[i];

		if (in->count)
			json_array_append_new(t->meshes, json_string(in->mesh->name));
		for (int j = 0; j < in->count; j++)
			name[n++] = in->mesh->node_name[in->node[j]];
	}
	t->hosts = need(hostlist_libslurm.compress(name, n));
	free(name);
}

static void tell(struct session *s, struct told *t)
{
	t->meshes = json_array();
	list_hosts(s, t);
	if (s->at) {
		need_done(mesh_measure(s->at->mesh, s->at->answer.node, t->count, &t->m));
	} else {
		t->m.pairwise_hops = span_hops(&s->span);
		t->m.mean_hops = mesh_mean_hops(t->m.pairwise_hops, t->count);
	}
	(s->json ? print_json : print_text)(s, t);
	free(t->hosts);
	json_decref(t->meshes);
	json_decref(t->environment);
}

/* struct span's ask() */
static int ask_place(void *arg, int i, int count, int known)
{
	struct session *s = arg;
	struct place *p = &s->place[i];
	struct mesh_state state = {.free = s->idle ? &p->all : &p->free};
	struct mesh_request request = s->request;

	(void)known;
	if (s->over) {
		int free = nodeset_count(&p->free);

		count = count < free ? count : free;
		count -= s->span.segment ? count % s->span.segment : 0;
	}
	p->answer.count = 0;
	p->result = MESH_NEVER;
	err_printf(&p->answer.err, "the required nodes are not all in mesh %s", p->mesh->name);
	if ((s->over && !count) || nodeset_count(&p->required) < s->nrequired)
		return 0;
	request.count = count;
	request.required = s->nrequired ? &p->required : NULL;
	p->result = strategy_decide(p->strategy, &state, &request, &p->answer);
	return p->answer.count;
}

/* No mesh has room: report for the mesh that is nearest to having it (s->at). */
static enum mesh_result refusal(struct session *s)
{
	struct mesh_err err;

	s->at = NULL;
	for (int i = 0; i < s->span.n; i++) {
		struct place *p = &s->place[i];
		bool suits = mesh_shape_suits(p->mesh, &s->request.shape, &err);

		if (p->result == MESH_ERROR)
			return (s->at = p)->result;
		if (!s->at || (s->at->result == MESH_NEVER && (p->result != MESH_NEVER || suits)))
			s->at = p;
	}
	return s->at->result;
}

/* May a job be in more than one mesh, by the rule of the plugins? */
static bool may_span(const struct session *s)
{
	return s->span.n > 1 && !s->request.shape.ndims && !s->nrequired && s->request.count > 0 &&
	       (s->span.segment ? s->request.count % s->span.segment == 0
				: !(s->ops->flags & STRATEGY_CONTIGUOUS));
}

/*
 * Place the job: in s->at, or in several meshes with s->at NULL. Returns how many nodes; 0: none.
 */
static int place_job(struct session *s)
{
	int count = s->request.count, n;

	/* A segment larger than the job has no effect. */
	s->span.segment = s->request.segment <= count ? s->request.segment : 0;
	s->at = NULL;
	s->over = false;
	if ((n = span_one(&s->span, count))) {
		for (int i = 0; i < s->span.n; i++)
			if (s->span.in[i].count)
				s->at = &s->place[i];
		return n;
	}
	s->over = may_span(s) && refusal(s) != MESH_ERROR;
	s->at = NULL;
	return s->over && span_several(&s->span, count) == count ? count : 0;
}

/* A node of --require that is busy; NULL: none is. */
static const char *busy_required(const struct session *s)
{
	for (const struct place *p = s->place; p < s->place + s->span.n; p++)
		nodeset_each(i, &p->required)
			if (!nodeset_has(&p->free, i))
				return p->mesh->node_name[i];
	return NULL;
}

/* The job may be in several meshes. Why can even the idle ones not hold it? False: they can. */
static bool never_over(struct session *s, int all)
{
	int each = s->span.segment, room = 0, count = s->request.count;
	struct mesh_err *err = &s->at->answer.err;

	for (int i = 0; each && i < s->span.n; i++)
		room += s->place[i].mesh->nnodes / each;
	if (count > all)
		err_printf(err, "%d nodes wanted, there are %d", count, all);
	else if (each && count / each > room)
		err_printf(err, "%d segment%s of %d nodes wanted, the meshes can hold %d",
			count / each, human_s(count / each), each, room);
	else
		return false;
	return true;
}

/* Would there be room in boxes with a broken link inside? */
static bool links_forbid(struct session *s)
{
	struct place *at = s->at;
	bool broken = false, found;

	for (int i = 0; i < s->span.n; i++)
		broken |= s->place[i].mesh->down != NULL;
	if (!broken || !(s->ops->flags & STRATEGY_CONTIGUOUS) || s->request.shape.walk ||
		s->request.shape.any_links)
		return false;
	s->request.shape.any_links = true;
	found = place_job(s);
	s->request.shape.any_links = false;
	s->at = at;
	return found;
}

/*
 * Where nodes are missing, nobody has looked at boxes, walks and segments. Can even the idle mesh
 * not hold the job? Then s->at says why.
 */
static bool never_idle(struct session *s)
{
	struct place *at = s->at;
	struct mesh_err why = at->answer.err;
	bool never;

	if (!(s->ops->flags & STRATEGY_CONTIGUOUS || s->request.shape.walk || s->request.segment))
		return false;
	s->idle = true;
	never = !place_job(s) && refusal(s) == MESH_NEVER;
	s->idle = false;
	if (!never) {
		s->at = at;
		at->answer.err = why;
	}
	return never;
}

/* Report that nothing was found. */
static int tell_none(struct session *s, struct told *t)
{
	int all = 0, nfree = 0;
	char *why;

	t->result = refusal(s);
	if (t->result == MESH_NO_FIT && !s->over && never_idle(s))
		t->result = MESH_NEVER;
	why = s->at->answer.err.text;
	for (int i = 0; i < s->span.n; i++) {
		all += s->place[i].mesh->nnodes;
		nfree += nodeset_count(&s->place[i].free);
	}
	if (s->over) {
		*why = '\0';
		t->result = never_over(s, all) ? MESH_NEVER : MESH_NO_FIT;
	}
	if (t->result == MESH_ERROR)
		return smesh_fail(SMESH_USAGE, "%s", why);
	if (t->result == MESH_NO_FIT && !*why && busy_required(s))
		err_printf(&s->at->answer.err, "%s of --require is busy", busy_required(s));
	if (t->result == MESH_NO_FIT && !*why && links_forbid(s))
		err_printf(&s->at->answer.err, "every free box has a broken link inside%s",
			s->request.shape.ndims ? " (:anylinks behind the shape allows that)" : "");
	if (s->json)
		print_json(s, t);
	else if (t->result == MESH_NO_FIT && !*why)
		smesh_fail(0, "no fit now: %d of %d nodes are free", nfree, all);
	else
		smesh_fail(0, "%s%s%s", t->result == MESH_NO_FIT ? "no fit now" : "never",
			*why ? ": " : "", why);
	return t->result == MESH_NO_FIT ? SMESH_NO_FIT : SMESH_NEVER;
}

static int decide(struct session *s)
{
	int64_t from = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct told told = {.count = place_job(s)};

	told.time_ns = mesh_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from;
	if (!told.count)
		return tell_none(s, &told);
	if (s->host && !(told.environment = environment(s, told.count)))
		return smesh_fail(SMESH_USAGE, "--env: the job is not on %.64s", s->host);
	tell(s, &told);
	return SMESH_OK;
}

/* Set the free nodes: --free, all but --busy, or all. */
static int take_free(struct session *s)
{
	const char *hosts = s->free_hosts ? s->free_hosts : s->busy_hosts;
	struct mesh_err err = {{0}};

	for (int i = 0; i < s->span.n && !s->free_hosts; i++)
		nodeset_set_all(&s->place[i].free);
	if (hosts && take_hosts(s, hosts, false, s->free_hosts, &err) < 0)
		return smesh_fail(SMESH_USAGE, "--%s: %s", s->free_hosts ? "free" : "busy",
			err.text);
	return SMESH_OK;
}

/* Refuse what sbatch refuses. What is larger than the machine is another matter. */
static int check_grid(const struct session *s)
{
	const struct mesh *mesh = s->place->mesh;
	int ranks = comm_grid_ranks(&s->request.grid), nodes = s->request.count;

	if (!nodes && s->span.n == 1)
		nodes = mesh_shape_nodes(mesh, &s->request.shape);
	if (ranks && nodes > 0 && (s->span.n > 1 || nodes <= mesh->nnodes) && ranks % nodes)
		return smesh_fail(SMESH_USAGE, "--pattern: a grid of %d ranks cannot be spread "
			"evenly over %d nodes", ranks, nodes);
	return SMESH_OK;
}

/* A strategy of --strategies=FILE may draw. */
static void tell_seed(const struct session *s)
{
	if (options_given(&cmd_alloc, "--seed") && !s->request.shape.walk &&
		!smesh_strategy_files[0])
		smesh_fail(0, "--seed has no effect on a job that wants no ring:N or line:N");
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
	if (s->shape && !s->request.shape.walk && !(s->ops->flags & STRATEGY_CONTIGUOUS))
		smesh_fail(0, "%s gives no box, only as many nodes as --shape has", s->ops->name);
	tell_seed(s);
	if (check_grid(s) || take_free(s))
		return SMESH_USAGE;
	return decide(s);
}

/* `K BITS`: read BITS as the free set. */
static int take_bits(struct session *s, const char *bits, struct mesh_err *err)
{
	size_t length = strspn(bits, "01");
	struct place *p = s->place;

	if (bits[length])
		return err_printf(err, "expected 0 and 1, found '%c'",
			isprint((unsigned char)bits[length]) ? bits[length] : '?');
	if (length != (size_t)p->mesh->nnodes)
		return err_printf(err, "%zu bits, mesh %s has %d nodes", length, p->mesh->name,
			p->mesh->nnodes);
	nodeset_clear_all(&p->free);
	for (size_t i = 0; i < length; i++)
		if (bits[i] == '1')
			nodeset_add(&p->free, (int)i);
	return 0;
}

/* "No room" is a good answer too; only a bad line ends the reading. */
static int decision_line(void *session, char *text, int line)
{
	struct session *s = session;
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
	return smesh_fail(SMESH_USAGE, "%s:%d: %s", s->decisions, line, err.text);
}

static int run(void *session)
{
	struct session *s = session;
	struct mesh_err err = {{0}};
	int code;

	s->span.ask = ask_place;
	s->span.arg = s;
	s->request.budget_ns = s->budget_us * INT64_C(1000);
	if (!s->strategy_name)
		s->strategy_name =
			strategy_for(s->shape ? STRATEGY_BOXES : STRATEGY_DEFAULT)->name;
	if (!(s->ops = suggest_strategy(s->strategy_name)) || command_open_map(&s->base))
		return SMESH_USAGE;
	if ((code = open_places(s)))
		return code;
	if (s->require && (s->nrequired = take_hosts(s, s->require, true, true, &err)) < 0)
		return smesh_fail(SMESH_USAGE, "--require: %s", err.text);
	if (!s->decisions)
		return one_decision(s);
	tell_seed(s);
	return smesh_read_lines(s->decisions, decision_line, s);
}

static void end(void *session)
{
	struct session *s = session;

	for (int i = 0; i < s->span.n; i++)
		strategy_free(s->place[i].strategy);
}

const struct command cmd_alloc = {
	.name = "alloc",
	.summary = "ask a strategy for nodes, on a given state of the machine",
	.usage = "[-t FILE] [-s STRATEGY] -n K | --shape AxBxC [OPTION]...",
	.example = "-t topology.conf -n 8 --busy 'n[0-15]'",
	.options = options,
	.rules = rules,
	.size = sizeof(struct session),
	.take = take_pattern,
	.run = run,
	.end = end,
};
