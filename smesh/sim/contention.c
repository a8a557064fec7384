/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Adding a job costs O(messages * hops), and a sweep of contention_solve() the same for all jobs.
 * Messages are few: a round of a ring or of random pairs has one for each rank, a grid at most two
 * per dimension, and an all-to-all 24 of its steps.
 */
#include "sim/contention.h"

#include <stdlib.h>

#include "graph/linkgraph.h"
#include "geometry/box.h"
#include "sim/need.h"
#include "links/load.h"
#include "sim/programs.h"

/*
 * In the many steps of an all-to-all, ranks do not stay together. This part of what a message meets
 * is taken from any of the job's steps, the rest from the message's own. The time of a round lies
 * this far from the ranks' mean towards the last rank. Fitted to SimGrid (doc/lab/simgrid.md).
 */
static const double DRIFT = 0.5, TO_LAST = 0.6;

/* Times agree when a sweep changes them by this part or less, or after so many sweeps. */
static const double STEADY = 0.005;
enum { SWEEPS = 10 };

/* Messages of programs, as in tests/lab/smpi/replay.cpp, in bytes and microseconds: */
static const double BANDWIDTH = 5000;	  /* of a link */
static const double INTERFACE = 2;	  /* a node's interface carries as many times more */
static const double LATENCY = 1;	  /* the least time of a message */
static const double HOP = 0.1;		  /* its time for each link */
static const double WAITS_FROM = 1 << 16; /* from this size on, the sender waits for the receiver */

/*
 * Other jobs leave at least a tenth of a link. A message waits for half of their messages there,
 * as these come in bursts. Fitted to SMPI (doc/lab/smpi.md).
 */
static const double MOST_BUSY = 0.9, BURST = 0.5;

/* A link on the way of a message. */
struct crossing {
	int at;		 /* index in the job's list of links */
	double together; /* messages of the job's same step there, or a program's bytes */
};

struct message {
	int from, to, step;
	int end;       /* index behind its crossings */
	double bytes;  /* 1 in a pattern */
	double before; /* the time until it is on its links; 0 in a pattern */
	double part;   /* its time on the links if nothing else is there */
	/* It takes at least so many times its part, by its slowest cable and by all that its two
	 * nodes send and receive in the same step. 1 or more. */
	double least;
};

struct contention_job {
	struct arena arena;
	int at; /* index among the present jobs */
	int count; /* ranks */
	/* Its own load. presence[load.n]: flows there, mean over time; for a program the part of
	 * the time for which it keeps the link busy. */
	struct load_job load;
	double *presence, *before; /* before: one sweep ago */
	bool drifts; /* an all-to-all: see DRIFT */
	bool waits;  /* a program: its ranks wait for each other */
	double unit; /* of load: what a rank sends in all rounds */
	struct message *message; /* by round, step, rank; patterns: those between two vertices */
	int nmessages;
	int rounds, round_end[SCRIPT_ROUNDS];
	struct crossing *crossing;
	double pause;	  /* between two rounds */
	double time;	  /* of a round */
	double reference; /* 0: the job does not communicate */
};

struct contention {
	const struct mesh *mesh;
	struct arena arena;
	uint64_t seed;
	double *load;	  /* [links] of all jobs */
	double *presence; /* [links] of all jobs */
	int *users;	  /* [links] number of jobs that use it */
	int shared;	  /* links that more than one job uses */
	struct contention_job **job; /* [njobs] present */
	int njobs;
	double *reference[COMM_KINDS]; /* [nnodes + 1] by size; -1: not known yet */
	int *box;	/* [nvertices] scratch: vertices of the reference box */
	int *vertex;	/* [nnodes] scratch: of the job's ranks */
	double *spent;	/* [nnodes] scratch: time of each rank */
	double *next;	/* the same with the current step */
	double *out, *in; /* [nnodes] scratch: bytes of a step; 0 between calls */
	int *index;	/* [links] scratch: index in the job's list; -1 between calls */
	double *together; /* [links] scratch: 0 between calls */
	int *route;	/* [links_longest] scratch */
};

void contention_free(struct contention *net)
{
	if (!net)
		return;
	arena_release(&net->arena);
	free(net);
}

struct contention *contention_new(const struct mesh *mesh, uint64_t seed)
{
	struct contention *net = need(calloc(1, sizeof(*net)));
	int links = links_count(mesh), nodes = mesh->nnodes + 1;
	struct arena *arena = &net->arena;

	net->mesh = mesh;
	net->seed = seed;
	need_array(arena, net->load, links);
	need_array(arena, net->presence, links);
	need_array(arena, net->users, links);
	for (int k = 0; k < COMM_KINDS; k++)
		need_array(arena, net->reference[k], nodes);
	need_array(arena, net->box, mesh->nvertices);
	need_array(arena, net->vertex, nodes);
	need_array(arena, net->spent, nodes);
	need_array(arena, net->next, nodes);
	need_array(arena, net->out, nodes);
	need_array(arena, net->in, nodes);
	need_array(arena, net->index, links);
	need_array(arena, net->together, links);
	need_array(arena, net->route, links_longest(mesh) + 1);
	for (int k = 0; k < COMM_KINDS * nodes; k++)
		net->reference[k / nodes][k % nodes] = -1;
	for (int l = 0; l < links; l++)
		net->index[l] = -1;
	return net;
}

/* --- a job's messages ----------------------------------------------------------------- */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static void free_job(struct contention_job *job)
{
	if (job)
		arena_release(&job->arena);
	free(job);
}

/* The job's entry of a link. */
static int list_link(struct contention *net, struct contention_job *job, int link)
{
	if (net->index[link] < 0) {
		net->index[link] = job->load.n;
		job->load.link[job->load.n] = link;
		job->load.load[job->load.n++] = 0;
	}
	return net->index[link];
}

/* Send message i of the script; of a pattern only if it leaves the vertex. */
static void send_message(struct contention *net, struct contention_job *job,
	const struct script *script, int i)
{
	const struct script_message *in = &script->message[i];
	int from = net->vertex[in->from], to = net->vertex[in->to],
	    n = links_route(net->mesh, from, to, net->route);
	int at = job->nmessages ? job->message[job->nmessages - 1].end : 0;
	struct message m = {in->from, in->to, in->step, at + n, in->bytes, 0, in->times, 1};

	if (job->waits) {
		m.before = in->times * (LATENCY + n * HOP);
		m.part = in->times * in->bytes / BANDWIDTH;
		net->out[m.from] += m.bytes / INTERFACE;
		net->in[m.to] += m.bytes / INTERFACE;
	} else if (!n) {
		return;
	}
	for (int j = 0; j < n; j++) {
		int entry = list_link(net, job, net->route[j]);
		double slower = links_slower(net->mesh, net->route[j]);

		job->crossing[at++].at = entry;
		job->load.load[entry] += m.part * slower / job->unit;
		net->together[net->route[j]] += m.bytes;
		m.least = larger(m.least, slower);
	}
	job->message[job->nmessages++] = m;
}

/*
 * Send one step, whose messages are sent at the same time. Returns the first message of the next.
 */
static int send_step(struct contention *net, struct contention_job *job,
	const struct script *script, int first)
{
	int from = job->nmessages, at = from ? job->message[from - 1].end : 0, next = first;
	int number = script->message[first].step;
	double all = script->loose ? DRIFT : 1;

	for (; next < script->n && script->message[next].step == number; next++)
		send_message(net, job, script, next);
	for (int i = from, c = at; i < job->nmessages; i++) {
		struct message *m = &job->message[i];
		double most = larger(net->out[m->from], net->in[m->to]);

		m->least = larger(m->least, most / m->bytes);
		for (; c < m->end; c++) {
			struct crossing *x = &job->crossing[c];

			x->together = m->bytes +
				all * (net->together[job->load.link[x->at]] - m->bytes);
		}
	}
	for (int i = from, c = at; i < job->nmessages; i++) {
		const struct message *m = &job->message[i];

		net->out[m->from] = net->in[m->to] = 0;
		for (; c < m->end; c++)
			net->together[job->load.link[job->crossing[c].at]] = 0;
	}
	return next;
}

/* Make the job of the ranks on net->vertex[]. */
static struct contention_job *send_script(struct contention *net, const struct script *script)
{
	struct contention_job *job = need(calloc(1, sizeof(*job)));
	int64_t crossings = 0, links = links_count(net->mesh);
	struct arena *arena = &job->arena;

	job->count = script->ranks;
	job->rounds = script->rounds;
	job->waits = script->kind >= COMM_PATTERNS;
	job->unit = job->waits ? 0 : job->rounds;
	job->drifts = script->kind == COMM_ALL_TO_ALL;
	for (int i = 0; i < script->n; i++) {
		const struct script_message *m = &script->message[i];

		crossings += linkgraph_mesh_hops(
			net->mesh, net->vertex[m->from], net->vertex[m->to]);
		if (job->waits)
			job->unit += m->times * m->bytes / BANDWIDTH / job->count;
	}
	links = crossings < links ? crossings : links;
	need_array(arena, job->load.link, links + 1);
	need_array(arena, job->load.load, links + 1);
	need_array(arena, job->presence, links + 1);
	need_array(arena, job->before, links + 1);
	need_array(arena, job->message, script->n + 1);
	need_array(arena, job->crossing, crossings + 1);
	for (int i = 0, r = 0; r < job->rounds; r++) {
		while (i < script->round_end[r])
			i = send_step(net, job, script, i);
		job->round_end[r] = job->nmessages;
	}
	for (int i = 0; i < job->load.n; i++)
		net->index[job->load.link[i]] = -1;
	return job;
}

static struct contention_job *make_job(struct contention *net, int kind, int count)
{
	struct script script = {
		.kind = kind, .ranks = count, .ndims = net->mesh->ndims, .seed = net->seed};
	struct contention_job *job;

	script_write(&script);
	job = send_script(net, &script);
	script_release(&script);
	return job;
}

/* --- time ------------------------------------------------------------------------------ */

/* How many flows count for `own` flows on a link that others use. */
static double beside(const struct contention_job *job, double own, double others)
{
	if (job->waits)
		return (own + BURST * others) / (1 - (others < MOST_BUSY ? others : MOST_BUSY));
	return own + others;
}

/*
 * A message goes at the rate that the fullest link on its way gives each flow there. The flows are
 * those of the job's same step, and of other jobs as many as there are on average over time. A
 * rank sends one message after the other; the round is over when the last rank is done.
 */
static double flows_met(const struct contention *net, const struct contention_job *job, int message)
{
	const struct message *m = &job->message[message];
	double most = m->least;

	for (int c = message ? m[-1].end : 0; c < m->end; c++) {
		const struct crossing *x = &job->crossing[c];
		int link = job->load.link[x->at];
		double own = x->together / m->bytes, any = 1;

		if (job->drifts) {
			if (job->before[x->at] > m->part)
				any += job->before[x->at] - m->part;
			own += DRIFT * (any - own);
		}
		own = beside(job, own, net->presence[link]) * links_slower(net->mesh, link);
		most = larger(most, own);
	}
	return most;
}

/* The time of a message, which is noted on its links. */
static double time_of_message(const struct contention *net, struct contention_job *job, int message)
{
	const struct message *m = &job->message[message];
	double spent = flows_met(net, job, message) * m->part;

	for (int c = message ? m[-1].end : 0; c < m->end; c++)
		job->presence[job->crossing[c].at] += job->waits ? m->part : spent;
	return m->before + spent;
}

/*
 * A step of a program: a message starts when both ranks have reached it. Returns the first message
 * of the next step.
 */
static int wait_step(struct contention *net, struct contention_job *job, int first)
{
	const struct message *m = job->message;
	double *now = net->spent, *next = net->next;
	int end = first;

	for (; end < job->nmessages && m[end].step == m[first].step; end++) {
		next[m[end].from] = now[m[end].from];
		next[m[end].to] = now[m[end].to];
	}
	for (int k = first; k < end; k++) {
		double done = larger(now[m[k].from], now[m[k].to]) + time_of_message(net, job, k);

		next[m[k].to] = larger(next[m[k].to], done);
		if (m[k].bytes >= WAITS_FROM)
			next[m[k].from] = larger(next[m[k].from], done);
	}
	for (int k = first; k < end; k++) {
		now[m[k].from] = next[m[k].from];
		now[m[k].to] = next[m[k].to];
	}
	return end;
}

static double time_of_round(const struct contention *net, const struct contention_job *job)
{
	double longest = 0, sum = 0;

	for (int rank = 0; rank < job->count; rank++) {
		longest = larger(longest, net->spent[rank]);
		sum += net->spent[rank];
	}
	return job->drifts ? TO_LAST * longest + (1 - TO_LAST) * sum / job->count : longest;
}

static double time_of(struct contention *net, struct contention_job *job)
{
	double sum = 0;
	int m = 0;

	for (int i = 0; i < job->load.n; i++) {
		net->presence[job->load.link[i]] -= job->presence[i];
		job->before[i] = job->presence[i];
		job->presence[i] = 0;
	}
	for (int r = 0; r < job->rounds; r++) {
		for (int rank = 0; rank < job->count; rank++)
			net->spent[rank] = 0;
		while (m < job->round_end[r] && job->waits)
			m = wait_step(net, job, m);
		for (; m < job->round_end[r]; m++)
			net->spent[job->message[m].from] += time_of_message(net, job, m);
		sum += time_of_round(net, job);
	}
	for (int i = 0; i < job->load.n; i++) {
		job->presence[i] /= sum > 0 ? sum + job->pause * job->rounds : 1;
		net->presence[job->load.link[i]] += job->presence[i];
	}
	return sum / job->rounds;
}

/* Compute a job alone, until its own flows agree with its time. */
static double settle(struct contention *net, struct contention_job *job)
{
	double time = time_of(net, job);

	for (int sweep = 1; job->drifts && sweep < SWEEPS; sweep++) {
		double next = time_of(net, job), by = next > time ? next - time : time - next;

		time = next;
		if (by <= STEADY * time)
			break;
	}
	return time;
}

/* --- the reference ------------------------------------------------------------------- */

/* The vertices of a box as cubic as the machine allows, row by row; holes count as vertices. */
static void reference_box(const struct contention *net, int vertices, int *out)
{
	const struct mesh *mesh = net->mesh;
	int base[MESH_MAX_DIMS] = {0}, side[MESH_MAX_DIMS], volume = 1, n = 0;
	struct mesh_box box;

	for (int d = 0; d < mesh->ndims; d++)
		side[d] = 1;
	while (volume < vertices) {
		int grow = -1;

		for (int d = 0; d < mesh->ndims; d++)
			if (side[d] < mesh->side[d] && (grow < 0 || side[d] < side[grow]))
				grow = d;
		volume = volume / side[grow] * (side[grow] + 1);
		side[grow]++;
	}
	box = box_at(mesh->ndims, base, side);
	box_each(v, mesh, &box) {
		if (n == vertices)
			break;
		out[n++] = v;
	}
}

/* The reference of all-to-all, random pairs and programs: in a box as cubic as possible. */
static double reference_in_box(struct contention *net, int kind, int count)
{
	int per_vertex = net->mesh->nodes_per_vertex;
	struct contention_job *job;
	double *others = net->presence, time;

	reference_box(net, (count - 1) / per_vertex + 1, net->box);
	for (int i = 0; i < count; i++)
		net->vertex[i] = net->box[i / per_vertex];
	job = make_job(net, kind, count);
	net->presence = need(calloc((size_t)links_count(net->mesh) + 1, sizeof(double)));
	time = settle(net, job);
	free(net->presence);
	net->presence = others;
	free_job(job);
	return time;
}

/*
 * The time of a round in the best place; 0 for one node. In a ring or grid partners can be
 * neighbours, with one message at a time on each link. Their time is then 1: what a rank needs to
 * send.
 */
static double reference_of(struct contention *net, int kind, int count)
{
	double *known = &net->reference[kind][count];

	if (*known < 0) {
		*known = count < 2 || kind == COMM_NONE ? 0 : 1;
		if (*known > 0 && kind != COMM_RING && kind != COMM_GRID)
			*known = reference_in_box(net, kind, count);
	}
	return *known;
}

/* --- jobs ----------------------------------------------------------------------------- */

static void enter(struct contention *net, struct contention_job *job)
{
	for (int i = 0; i < job->load.n; i++) {
		net->load[job->load.link[i]] += job->load.load[i];
		net->shared += ++net->users[job->load.link[i]] == 2;
	}
	job->at = net->njobs;
	need_append(&net->arena, net->job, net->njobs, job);
}

static void leave(struct contention *net, const struct contention_job *job)
{
	for (int i = 0; i < job->load.n; i++) {
		int link = job->load.link[i];

		net->load[link] -= job->load.load[i];
		net->presence[link] -= job->presence[i];
		net->shared -= net->users[link]-- == 2;
		/* What is left when nobody uses the link is rounding. */
		if (!net->users[link])
			net->load[link] = net->presence[link] = 0;
	}
	net->job[job->at] = net->job[--net->njobs];
	net->job[job->at]->at = job->at;
}

void contention_remove(struct contention *net, struct contention_job *job)
{
	if (job)
		leave(net, job);
	free_job(job);
}

struct contention_job *contention_add(struct contention *net, int kind, const int *node,
	int count, double pause)
{
	double reference = reference_of(net, kind, count);
	struct contention_job *job;

	for (int i = 0; i < count; i++)
		net->vertex[i] = net->mesh->vertex_of[node[i]];
	job = make_job(net, kind, count);
	job->reference = reference;
	job->pause = pause * reference;
	job->time = settle(net, job);
	enter(net, job);
	return job;
}

void contention_solve(struct contention *net)
{
	double change = 1;

	for (int sweep = 0; sweep < SWEEPS && change > STEADY; sweep++) {
		change = 0;
		for (int i = 0; i < net->njobs; i++) {
			struct contention_job *job = net->job[i];
			double time = time_of(net, job), by = job->time > 0 ? time / job->time : 1;

			by = by > 1 ? by - 1 : 1 / by - 1;
			change = by > change ? by : change;
			job->time = time;
		}
	}
}

double contention_slowdown(const struct contention_job *job)
{
	return job->reference > 0 && job->nmessages ? job->time / job->reference : 1;
}

double contention_reference(const struct contention_job *job)
{
	return job->reference;
}

double contention_peak(const struct contention *net, const struct contention_job *job)
{
	double peak = 0;

	for (int i = 0; i < job->load.n; i++)
		peak = net->load[job->load.link[i]] > peak ? net->load[job->load.link[i]] : peak;
	return peak;
}

int contention_shared(const struct contention *net)
{
	return net->shared;
}

const double *contention_messages(const struct contention *net)
{
	return net->presence;
}
