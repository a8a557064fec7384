/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: sets up strategies and machine, with its broken links, from the options.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/linkgraph.h"
#include "base/random.h"
#include "cmd/cutoff.h"
#include "cmd/sim_session.h"
#include "cli/suggest.h"
#include "sim/need.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"

static int add_ops(struct sim_session *s, const struct strategy_ops *ops)
{
	for (int i = 0; i < s->nops; i++)
		if (s->ops[i] == ops)
			return smesh_fail(
				SMESH_USAGE, "--strategy: %s stands there twice", ops->name);
	need_append(&s->arena, s->ops, s->nops, ops);
	return SMESH_OK;
}

/* Choose the strategy to compare with: the one named, linear, or the first. */
static int choose_against(struct sim_session *s)
{
	const char *name = s->against ? s->against : "linear";

	for (int i = 0; i < s->nops; i++)
		if (!strcasecmp(s->ops[i]->name, name)) {
			s->against_at = i;
			return SMESH_OK;
		}
	return s->against
		? smesh_fail(SMESH_USAGE, "--against=%s: not among the strategies of -s", name)
		: SMESH_OK;
}

int sim_list_strategies(struct sim_session *s)
{
	char *list = need_text(&s->arena,
		      s->strategies ? s->strategies : strategy_for(STRATEGY_DEFAULT)->name),
	     *rest = list;
	const struct strategy_ops *ops;
	int code = SMESH_OK;

	if (!strcmp(list, "all"))
		for (int i = 0; code == SMESH_OK && (ops = strategy_at(i)); i++)
			code = add_ops(s, ops);
	else
		for (char *name; code == SMESH_OK && (name = strsep(&rest, ","));)
			code = !*name ? smesh_fail(SMESH_USAGE, "--strategy=%s: a name is missing",
						s->strategies)
				: (ops = suggest_strategy(name)) ? add_ops(s, ops) : SMESH_USAGE;
	if (code == SMESH_OK && s->cubes_text) {
		s->cubes_ops = cubes_strategy(&s->cubes);
		code = add_ops(s, &s->cubes_ops);
	}
	if (code == SMESH_OK)
		code = choose_against(s);
	return code;
}

/* --- links that are broken ---------------------------------------------------------------- */

/* List all whole links up, as vertex * ndims + dimension. How many. */
static int list_links(const struct mesh *mesh, int *link)
{
	int n = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (mesh_up(mesh, v, d) >= 0 && !mesh_is_down(mesh, v, d))
				link[n++] = v * mesh->ndims + d;
	return n;
}

/* How many of n links to break; -1 after a message. */
static int wanted(const char *text, int n)
{
	double value;
	bool share;

	if (options_share(text, n, &share, &value) || (!share && value > floor(value))) {
		smesh_fail(SMESH_USAGE, "--down-links=%s: not a number of the %d links, or percent",
			text, n);
		return -1;
	}
	return (int)(share ? value * n / 100 + 0.5 : value);
}

/* Draw `most` of n links: they are the first of the list then. */
static void draw_links(int *link, int n, int most, uint64_t seed)
{
	uint64_t random = random_stream(seed, 0x11);

	for (int i = 0; i < most; i++) {
		int j = i + (int)(random_next(&random) % (uint64_t)(n - i)), at = link[j];

		link[j] = link[i];
		link[i] = at;
	}
}

/* List the graph's cables, those inside of the mesh first. How many these are. */
static int list_cables(const struct mesh *mesh, int *cable)
{
	const struct linkgraph *g = mesh->graph;
	int n = 0, others = g->ncables;

	for (int i = 0; i < g->ncables; i++) {
		const int *end = g->cable[i].mesh;
		bool ours = g->mesh[end[0]] == mesh && g->mesh[end[1]] == mesh;

		cable[ours ? n++ : --others] = i;
	}
	return n;
}

/* break_links() on a machine of cables. */
static int break_cables(const struct mesh *mesh, const char *text, uint64_t seed)
{
	const struct linkgraph *g = mesh->graph;
	struct linkgraph_cable *left = need(calloc((size_t)g->ncables + 1, sizeof(*left)));
	int *cable = need(calloc((size_t)g->ncables + 1, sizeof(*cable)));
	int n = list_cables(mesh, cable), most = wanted(text, n), nleft = 0, bad = 0;
	struct mesh_err err = {{0}};

	if (most > 0) {
		draw_links(cable, n, most, seed);
		while (most + nleft < g->ncables) {
			left[nleft] = g->cable[cable[most + nleft]];
			nleft++;
		}
		bad = linkgraph_join(g->mesh, g->nmeshes, left, nleft, &err);
	}
	free(cable);
	free(left);
	if (bad)
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	return most < 0 ? SMESH_USAGE : SMESH_OK;
}

/*
 * --down-links: break N or P% of the mesh's links, drawn by the seed, beside those of
 * topology.conf.
 */
static int break_links(
	const struct topoconf *conf, const struct mesh *mesh, const char *text, uint64_t seed)
{
	int *link = need(calloc((size_t)mesh->nvertices * (size_t)mesh->ndims + 1, sizeof(*link)));
	int n = list_links(mesh, link), most = wanted(text, n), bad = 0;
	struct mesh_err err = {{0}};
	struct mesh *ours = NULL;

	for (int m = 0; m < conf->nmeshes; m++)
		if (conf->mesh[m] == mesh)
			ours = conf->mesh[m];
	if (most > 0) {
		const struct linkgraph *g = mesh->graph;

		draw_links(link, n, most, seed);
		for (int i = 0; i < most; i++)
			need_done(mesh_break(
				ours, link[i] / mesh->ndims, link[i] % mesh->ndims));
		bad = linkgraph_join(g ? g->mesh : &ours, g ? g->nmeshes : 1,
				g ? g->cable : NULL, g ? g->ncables : 0, &err);
	}
	free(link);
	if (bad)
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	return most < 0 ? SMESH_USAGE : SMESH_OK;
}

/* Nodes without a way between them have no hops: drawn so, the machine is refused. */
static int check_reach(struct sim_session *s)
{
	char **name;
	int n = 0;

	need_array(&s->arena, name, s->mesh->nnodes);
	if (s->mesh->graph)
		n = nodes_cut_off(s->mesh, name, &s->arena);
	if (n && s->down_links)
		return smesh_fail(SMESH_USAGE, "--down-links=%s cuts %d of %d nodes off from the "
			"others, %s first: break fewer, or draw others (--seed)",
			s->down_links, n, s->mesh->nnodes, name[0]);
	if (n && !s->quiet)
		smesh_fail(0, "mesh %s: broken links cut %d node%s off from the others, %s first: "
			"between them hops count as 65535, and messages take no time",
			s->mesh->name, n, human_s(n), name[0]);
	return SMESH_OK;
}

/* --- the machine -------------------------------------------------------------------------- */

int sim_open_machine(struct sim_session *s)
{
	struct mesh_err err = {{0}};
	struct runner *runner = &s->runner;
	int code;

	if (!(s->mesh = smesh_open_mesh(&s->conf, s->base.topology, s->base.mesh_name)))
		return SMESH_USAGE;
	s->map_hash = topoconf_hash(s->conf);
	if (s->mesh->cabled && runner->engine.free_box) {
		smesh_fail(0, "--free-box has no effect: mesh %s has cables (Cables=), and no "
			"boxes", s->mesh->name);
		runner->engine.free_box = false;
	}
	code = !s->down_links ? SMESH_OK
		: s->mesh->cabled ? break_cables(s->mesh, s->down_links, s->workload.seed)
		: break_links(s->conf, s->mesh, s->down_links, s->workload.seed);
	if (code)
		return code;
	if ((code = check_reach(s)))
		return code;
	need_done(nodeset_get(&s->down, s->mesh->nnodes, &s->arena));
	if (s->down_hosts && smesh_hosts_to_set(s->mesh, s->down_hosts, &s->down, &err))
		return smesh_fail(SMESH_USAGE, "--down: %s", err.text);
	if (s->availability < 1)
		cubes_draw(&s->down, s->availability, s->workload.seed);
	s->workload.down = nodeset_count(&s->down);
	if (s->workload.down == s->mesh->nnodes)
		return s->down_hosts
			? smesh_fail(SMESH_USAGE, "--down=%s: no node is left", s->down_hosts)
			: smesh_fail(SMESH_USAGE, "--availability=%g: no node is left",
				  s->availability);
	if (s->cubes_text && cubes_parse(s->cubes_text, s->mesh, &s->cubes, &err))
		return smesh_fail(SMESH_USAGE, "--cubes=%s: %s", s->cubes_text, err.text);
	runner->summary.cubes = s->cubes_text;
	runner->summary.cubes_lost = s->cubes_text ? cubes_lost(s->mesh, &s->cubes, &s->down) : 0;
	runner->mesh = s->mesh;
	runner->engine.down = s->workload.down ? &s->down : NULL;
	runner->engine.stop_at = -1;
	runner->summary.nodes = s->mesh->nnodes - s->workload.down;
	return SMESH_OK;
}
