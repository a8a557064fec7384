/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far each strategy is from the proved optimum: the least sum of distances over pairs of a
 * job's nodes, on states of machines. For each topology.conf (of one mesh) and kind of state a row
 * for each strategy: jobs whose optimum was proved, mean and worst of its sum divided by the
 * optimum, jobs with the optimum, and the time of a decision.
 *
 *   idle    all nodes are free, each size once
 *   half    half of the nodes are busy, at random
 *   stream  what jobs that come and go have left, placed by the first strategy
 *   closed  the same, and the optimum is that of sets that open no pod where one that is partly
 *           used has room: what snug promises. The first strategy alone.
 *
 * usage: optimum [-k MOST] [-n STATES] [-s STRATEGY,...] [-b NODES_OF_THE_TREE] [-o FOLDER] FILE...
 *
 * With -o each question with its proved optimum is a file in FOLDER that solvers read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "base/random.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"
#include "cuts.h"
#include "decide/strategy_decide.h"
#include "geometry/metrics.h"
#include "graph/linkgraph.h"
#include "links/load.h"
#include "prices.h"
#include "proof.h"

enum { STRATEGIES = 16, JOBS = 256, LIFE = 24 };

static const double SETS = 200000; /* the most for "price" */

static const char *const kinds[] = {"idle", "half", "stream", "closed", "price"};

struct tally {
	int n, optimal;
	double sum, worst;
	int64_t ns;
};

struct options {
	int most, states;
	int64_t nodes;
	bool compare;
	const char *folder; /* for write_question(), or NULL */
	char *name[STRATEGIES];
	int nnames;
};

struct machine {
	const struct options *o;
	const struct mesh *mesh;
	struct strategy *strategy[STRATEGIES];
	struct tally tally[STRATEGIES];
	struct nodeset free;
	struct arena arena;
	struct load_meter *meter;
	int *node;	 /* [nnodes] */
	int *point;	 /* [nnodes] the free vertices, or nodes */
	int64_t *idle;	 /* [nnodes + 1] the least on an idle grid; 0: not known */
	uint16_t *far;	 /* [PROOF_MOST^2] */
	int asked, unproved, differ;
	double open; /* the most that a sum not proved may be above the least */
	/* Jobs that run: */
	struct {
		int *node, count, until;
	} job[JOBS];
	int *pod_free; /* [nnodes] */
	bool closed, price;
	int opened; /* a whole pod, where one that is partly used had room */
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The sum of a strategy's set, or its price, into *value; how many nodes, 0: it has none. */
static int ask(struct machine *m, int i, int k, double *value)
{
	const struct mesh_state state = {.free = &m->free};
	const struct mesh_request request = {.count = k, .seed = 1};
	struct mesh_answer answer = {.node = m->node};
	int64_t from = now_ns();

	if (strategy_decide(m->strategy[i], &state, &request, &answer) != MESH_OK)
		return 0;
	m->tally[i].ns += now_ns() - from;
	*value = m->price ? prices_of(m->meter, m->mesh, m->node, k)
		: (double)mesh_pairwise_hops(m->mesh, m->node, k);
	return k;
}

/* The free nodes of each pod into pod_free[]: has one that is partly used room? */
static bool has_room(const struct machine *m, int k, int *pod_free)
{
	const struct linkgraph *g = m->mesh->graph;
	bool room = false;

	memset(pod_free, 0, (size_t)m->mesh->nnodes * sizeof(int));
	if (!g || g->npods == 1)
		return false;
	nodeset_each(i, &m->free)
		pod_free[g->pod[m->mesh->vertex_of[i]]]++;
	for (int p = 0; p < g->npods; p++)
		room |= pod_free[p] < g->pod_nodes[p] && pod_free[p] >= k;
	return room;
}

static bool whole(const struct machine *m, int node, const int *pod_free)
{
	const struct linkgraph *g = m->mesh->graph;
	int pod = g->pod[m->mesh->vertex_of[node]];

	return pod_free[pod] == g->pod_nodes[pod];
}

/* The free vertices that a set may have, into point[]. */
static int list_points(struct machine *m, int k)
{
	bool room = m->closed && has_room(m, k, m->pod_free);
	int n = 0;

	nodeset_each(i, &m->free)
		if (!(room && whole(m, i, m->pod_free)))
			m->point[n++] = m->mesh->vertex_of[i];
	return n;
}

/*
 * Write the question as an integer program (CPLEX's LP format): x_i, point i is in; y_i_j, both
 * are. Of the pairs of a point that is in, count - 1 are.
 */
static void print_program(FILE *f, const struct proof *proof)
{
	int n = proof->n;

	fprintf(f, "\\ least %" PRId64 "\nMinimize\n obj:", proof->least);
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			fprintf(f, " + %d y_%d_%d\n", proof->far[i * n + j], i, j);
	fputs("Subject To\n c:", f);
	for (int i = 0; i < n; i++)
		fprintf(f, " + x_%d", i);
	fprintf(f, " = %d\n", proof->count);
	for (int i = 0; i < n; i++) {
		fprintf(f, " p%d:", i);
		for (int j = 0; j < n; j++)
			if (j != i)
				fprintf(f, " + y_%d_%d", i < j ? i : j, i < j ? j : i);
		fprintf(f, " - %d x_%d = 0\n", proof->count - 1, i);
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (j != i)
				fprintf(f, " b%d_%d: y_%d_%d - x_%d <= 0\n", i, j, i < j ? i : j,
					i < j ? j : i, i);
	fputs("Binary\n", f);
	for (int i = 0; i < n; i++)
		fprintf(f, " x_%d\n", i);
	fputs("End\n", f);
}

static void write_question(const struct machine *m, const struct proof *proof)
{
	static int number;
	char *path = NULL;
	FILE *f;

	if (!m->o->folder || asprintf(&path, "%s/%05d.lp", m->o->folder, number++) < 0)
		return;
	if ((f = fopen(path, "w"))) {
		print_program(f, proof);
		fclose(f);
	} else {
		perror(path);
	}
	free(path);
}

/* By distances. */
static int prove(struct machine *m, struct proof *proof)
{
	int n = proof->n;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			m->far[i * n + j] = (uint16_t)linkgraph_mesh_hops(
				m->mesh, m->point[i], m->point[j]);
	if (proof_find(proof))
		return -1;
	if (proof->proved)
		write_question(m, proof);
	return 0;
}

/*
 * By cuts, and where they are compared by distances, too. No set has less than the best of the idle
 * machine.
 */
static int prove_grid(struct machine *m, struct proof *proof)
{
	struct cuts_proof cuts = {.mesh = m->mesh, .vertex = m->point, .n = proof->n,
		.count = proof->count, .nodes = proof->nodes, .least = proof->least};

	if (m->idle[proof->count] < proof->least || m->o->compare) {
		if (cuts_find(&cuts))
			return -1;
		if (m->o->compare && proof->n <= PROOF_MOST && !prove(m, proof) && proof->proved)
			m->differ += proof->least > cuts.least || proof->least < cuts.bound;
	} else {
		cuts.bound = cuts.least;
	}
	if (proof->n == m->mesh->nvertices && cuts.least == cuts.bound)
		m->idle[proof->count] = cuts.least;
	proof->least = cuts.least;
	proof->bound = cuts.bound > m->idle[proof->count] ? cuts.bound : m->idle[proof->count];
	proof->proved = proof->least == proof->bound;
	return 0;
}

/* The least sum of hops, or price, of any set. false: it was not found. */
static bool find_least(struct machine *m, int k, double *least)
{
	struct proof proof = {.count = k, .far = m->far, .nodes = m->o->nodes,
		.least = m->price ? 0 : (int64_t)*least, .n = list_points(m, k)};
	bool cuts = cuts_can(m->mesh) && !m->o->folder;

	if (m->price) {
		struct prices prices = {m->meter, m->mesh, m->point, 0, SETS};

		nodeset_each(i, &m->free)
			m->point[prices.n++] = i;
		return !prices_find(&prices, k, least);
	}
	if ((!cuts && proof.n > PROOF_MOST) || (cuts ? prove_grid : prove)(m, &proof))
		return false;
	*least = (double)proof.least;
	if (!proof.proved && *least / (double)proof.bound > m->open)
		m->open = *least / (double)proof.bound;
	return proof.proved;
}

static void count(struct machine *m, int i, double value, double least)
{
	struct tally *t = &m->tally[i];
	double gap = least > 0 ? value / least : 1;

	t->n++;
	t->sum += gap;
	t->worst = gap > t->worst ? gap : t->worst;
	t->optimal += value <= least;
}

/* All strategies on the state at hand. */
static void judge(struct machine *m, int k)
{
	double value[STRATEGIES], least = 1e15;
	int found[STRATEGIES], names = m->closed ? 1 : m->o->nnames;

	if (nodeset_count(&m->free) < k)
		return;
	for (int i = 0; i < names; i++) {
		found[i] = ask(m, i, k, &value[i]);
		if (found[i] && value[i] < least)
			least = value[i];
	}
	m->asked++;
	if (!find_least(m, k, &least)) {
		m->unproved++;
		return;
	}
	for (int i = 0; i < names; i++)
		if (found[i])
			count(m, i, value[i], least);
	if (found[0] && value[0] > 1.1 * least && getenv("OPTIMUM_SHOW"))
		printf("# k %d: %g in place of %g\n", k, value[0], least);
}

/* --- states ------------------------------------------------------------------------- */

static void idle(struct machine *m)
{
	nodeset_set_all(&m->free);
	for (int k = 2; k <= m->o->most && k < m->mesh->nnodes; k++)
		judge(m, k);
}

static void half(struct machine *m)
{
	uint64_t seed = 7;

	for (int i = 0; i < m->o->states; i++) {
		nodeset_clear_all(&m->free);
		for (int j = 0; j < m->mesh->nnodes; j++)
			if (random_next(&seed) >> 32 & 1)
				nodeset_add(&m->free, j);
		judge(m, 2 + (int)random_below(&seed, (uint64_t)m->o->most - 1));
	}
}

/* Has the job a whole pod open though one partly used had room? */
static bool opens(const struct machine *m, const int *node, int k)
{
	bool opened = false;

	if (!has_room(m, k, m->pod_free))
		return false;
	for (int i = 0; i < k; i++)
		opened |= whole(m, node[i], m->pod_free);
	return opened;
}

static void leave(struct machine *m, int now)
{
	for (int j = 0; j < JOBS; j++) {
		if (!m->job[j].count || m->job[j].until > now)
			continue;
		for (int i = 0; i < m->job[j].count; i++)
			nodeset_add(&m->free, m->job[j].node[i]);
		m->job[j].count = 0;
	}
}

static void stream(struct machine *m)
{
	int nodes = m->mesh->nnodes < 64 ? 64 : m->mesh->nnodes;
	uint64_t seed = 11, life = (uint64_t)(LIFE * nodes / 64);

	nodeset_set_all(&m->free);
	for (int now = 0; now < 4 * m->o->states; now++) {
		int k = 1 + (int)random_below(&seed, (uint64_t)m->o->most), j = 0;
		double value;

		k = random_below(&seed, 2) && k > 4 ? 1 + k % 4 : k;
		leave(m, now);
		while (j < JOBS && m->job[j].count)
			j++;
		if (j == JOBS || nodeset_count(&m->free) < k)
			continue;
		if (k > 1 && now % 4 == 0)
			judge(m, k);
		if (!ask(m, 0, k, &value))
			continue;
		m->opened += opens(m, m->node, k);
		memcpy(m->job[j].node, m->node, (size_t)k * sizeof(int));
		m->job[j].count = k;
		m->job[j].until = now + 1 + (int)random_below(&seed, life);
		for (int i = 0; i < k; i++)
			nodeset_del(&m->free, m->node[i]);
	}
	for (int j = 0; j < JOBS; j++)
		m->job[j].count = 0;
}

/* --- machines ----------------------------------------------------------------------- */

static void print_rows(const struct machine *m, const char *file, const char *kind)
{
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	for (int i = 0; i < m->o->nnames; i++) {
		const struct tally *t = &m->tally[i];

		if (t->n)
			printf("%-18.18s %-6s %-12s %4d %6.3f %6.2f %7d %8.1f\n", base, kind,
				m->o->name[i], t->n, t->sum / t->n, t->worst, t->optimal,
				(double)t->ns / t->n / 1e3);
	}
	if (m->unproved && m->price)
		printf("# %d of %d have too many sets\n", m->unproved, m->asked);
	else if (m->unproved)
		printf("# %d of %d not proved: the best known is at most %.3f of the least\n",
			m->unproved, m->asked, m->open);
	if (m->differ)
		printf("# %d times two proofs differ\n", m->differ);
	if (m->opened)
		printf("# %d times a pod was opened while another one had room\n", m->opened);
}

static int measure(const struct options *o, const char *file)
{
	static void (*const run[])(struct machine *) = {idle, half, stream, stream, stream};
	struct machine m = {.o = o};
	struct mesh_err err = {{0}};
	struct topoconf *conf = topoconf_read(file, &hostlist_libslurm, &err);

	if (!conf || !(m.mesh = topoconf_find(conf, NULL, &err))) {
		fprintf(stderr, "optimum: %s\n", err.text);
		return 1;
	}
	for (int i = 0; i < o->nnames; i++) {
		const struct strategy_ops *ops = strategy_find(o->name[i]);

		if (!ops || !(m.strategy[i] = strategy_new(ops, m.mesh, &err))) {
			fprintf(stderr, "optimum: %s: %s\n", o->name[i], err.text);
			return 1;
		}
	}
	nodeset_get(&m.free, m.mesh->nnodes, &m.arena);
	arena_array(&m.arena, m.node, m.mesh->nnodes);
	arena_array(&m.arena, m.pod_free, m.mesh->nnodes);
	arena_array(&m.arena, m.point, m.mesh->nnodes);
	arena_array(&m.arena, m.idle, m.mesh->nnodes + 1);
	for (int j = 0; j < JOBS; j++)
		arena_array(&m.arena, m.job[j].node, m.mesh->nnodes);
	m.meter = load_meter_new(m.mesh, &m.arena);
	if (!m.meter || !arena_array(&m.arena, m.far, PROOF_MOST * PROOF_MOST))
		return 1;
	for (int kind = 0; kind < 5; kind++) {
		m.closed = kind == 3;
		m.price = kind == 4;
		memset(m.tally, 0, sizeof(m.tally));
		m.opened = m.asked = m.unproved = 0;
		m.open = 1;
		run[kind](&m);
		print_rows(&m, file, kinds[kind]);
		fflush(stdout);
	}
	for (int i = 0; i < o->nnames; i++)
		strategy_free(m.strategy[i]);
	arena_release(&m.arena);
	topoconf_free(conf);
	return m.differ > 0;
}

int main(int argc, char **argv)
{
	char all[] = "snug,mm,gmbs,hilbert-bf,linear";
	struct options o = {.most = 16, .states = 60, .nodes = 200000};
	char *names = all, *save;
	int c, bad = 0;

	while ((c = getopt(argc, argv, "k:n:s:b:o:c")) != -1)
		switch (c) {
		case 'k': o.most = atoi(optarg); break;
		case 'n': o.states = atoi(optarg); break;
		case 's': names = optarg; break;
		case 'b': o.nodes = atoll(optarg); break;
		case 'c': o.compare = true; break;
		case 'o': o.folder = optarg; break;
		default: return 2;
		}
	for (char *name = strtok_r(names, ",", &save); name && o.nnames < STRATEGIES;
		name = strtok_r(NULL, ",", &save))
		o.name[o.nnames++] = name;
	if (optind == argc || !o.nnames || o.most < 2)
		return 2;
	printf("%-18s %-6s %-12s %4s %6s %6s %7s %8s\n", "machine", "state", "strategy", "jobs",
		"mean", "worst", "optimal", "us");
	for (int i = optind; i < argc && !bad; i++)
		bad = measure(&o, argv[i]);
	return bad;
}
