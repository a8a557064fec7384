/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Adding a job costs O(messages * hops), a sweep of contention_solve() that for all jobs. Messages
 * are few: a round of ring or random pairs has one a rank, a grid up to two a dimension, and of
 * all-to-all STEPS are looked at.
 */
#include "sim/contention.h"

#include <stdlib.h>

#include "base/linkgraph.h"
#include "base/random.h"
#include "links/load.h"

/* Random pairs: a job's time is the mean over so many draws. */
enum { DRAWS = 12 };
/* All-to-all: so many of the steps rank to rank + step, spread evenly, stand for all. */
enum { STEPS = 24 };
/* In the many steps of an all-to-all ranks do not stay together. Half of what a message meets is
 * taken to be of its own step and half of any; and a round's time to lie so far from the ranks'
 * mean towards the last one's. Fitted to SimGrid (doc/lab/simgrid.md). */
static const double drift = 0.5, to_last = 0.6;
/* Of contention_solve(): most, and the change of a job's time that is small enough. */
enum { SWEEPS = 10 };
static const double steady = 0.005;

/* A link on the way of a message. */
struct crossing {
	int at;	      /* in the job's list of links */
	int together; /* messages of the job's same step there */
};

struct contention_job {
	struct arena arena;
	int at; /* among the jobs there are */
	int count;
	struct load_job load; /* its own; presence[load.n]: flows there, mean over time */
	double *presence, *before; /* before: one sweep ago */
	bool drifts;
	/* Messages by round, step, rank; those between two vertices only. */
	int nmessages, *rank, *end; /* end[i]: behind the message's crossings */
	double *part;		    /* of what the rank sends in a round */
	int rounds, round_end[DRAWS];
	struct crossing *crossing;
	double time;	  /* of a round */
	double reference; /* 0: the job does not communicate */
};

struct contention {
	const struct mesh *mesh;
	struct arena arena;
	uint64_t seed;
	double *load;	  /* [links] of all jobs */
	double *presence; /* [links] of all jobs */
	int *users;	  /* [links] jobs that use it */
	int shared;
	struct contention_job **job;
	int njobs;
	double *reference[COMM_PATTERNS]; /* [nnodes + 1] by size; -1: not known yet */
	int *box;	/* [nvertices] scratch: vertices of the reference box */
	int *vertex;	/* [nnodes] scratch: of the job's ranks */
	double *spent;	/* [nnodes] scratch: time of each rank */
	int *index;	/* [links] scratch: in the job's list; -1 between calls */
	int *together;	/* [links] scratch: 0 between calls */
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
	struct contention *net = calloc(1, sizeof(*net));
	int links = links_count(mesh), nodes = mesh->nnodes + 1;
	struct arena *arena = &net->arena;

	if (!net)
		return NULL;
	net->mesh = mesh;
	net->seed = seed;
	arena_array(arena, net->load, links);
	arena_array(arena, net->presence, links);
	arena_array(arena, net->users, links);
	for (int p = 0; p < COMM_PATTERNS; p++)
		arena_array(arena, net->reference[p], nodes);
	arena_array(arena, net->box, mesh->nvertices);
	arena_array(arena, net->vertex, nodes);
	arena_array(arena, net->spent, nodes);
	arena_array(arena, net->index, links);
	arena_array(arena, net->together, links);
	if (!arena_array(arena, net->route, links_longest(mesh) + 1)) {
		contention_free(net);
		return NULL;
	}
	for (int k = 0; k < COMM_PATTERNS * nodes; k++)
		net->reference[k / nodes][k % nodes] = -1;
	for (int l = 0; l < links; l++)
		net->index[l] = -1;
	return net;
}

/* --- a job's messages ----------------------------------------------------------------- */

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

/* One step: each rank's message number `step`, all at the same time. */
static void send_step(struct contention *net, struct contention_job *job,
	const struct comm_round *round, int step)
{
	int from = job->nmessages ? job->end[job->nmessages - 1] : 0, at = from;

	for (int rank = 0; rank < job->count; rank++) {
		int i = round->start[rank] + step,
		    messages = round->start[rank + 1] - round->start[rank];
		int n = step < messages ? links_route(net->mesh, net->vertex[rank],
						  net->vertex[round->to[i]], net->route)
					: 0;

		for (int j = 0; j < n; j++) {
			int entry = list_link(net, job, net->route[j]);

			job->crossing[at++].at = entry;
			job->load.load[entry] += 1.0 / messages / job->rounds;
			net->together[net->route[j]]++;
		}
		if (n) {
			job->rank[job->nmessages] = rank;
			job->part[job->nmessages] = 1.0 / messages;
			job->end[job->nmessages++] = at;
		}
	}
	for (int i = from; i < at; i++)
		job->crossing[i].together = net->together[job->load.link[job->crossing[i].at]];
	for (int i = from; i < at; i++)
		net->together[job->load.link[job->crossing[i].at]] = 0;
}

/* All rounds, and what they come to. */
struct sizes {
	int steps;
	size_t messages, crossings;
};

static struct sizes size_up(struct contention *net, const struct comm_round *round, int rounds)
{
	struct sizes size = {0};

	for (int r = 0; r < rounds; r++)
		for (int rank = 0; rank < round[r].count; rank++) {
			int first = round[r].start[rank], n = round[r].start[rank + 1] - first;

			size.steps = n > size.steps ? n : size.steps;
			size.messages += (size_t)n;
			for (int i = first; i < first + n; i++)
				size.crossings += (size_t)linkgraph_mesh_hops(net->mesh,
					net->vertex[rank], net->vertex[round[r].to[i]]);
		}
	return size;
}

/* The job of the ranks on net->vertex[]; NULL when memory is out. */
static struct contention_job *send_rounds(struct contention *net, const struct comm_round *round,
	int rounds)
{
	struct sizes size = size_up(net, round, rounds);
	struct contention_job *job = calloc(1, sizeof(*job));
	int64_t links = size.crossings < (size_t)links_count(net->mesh)
		? (int64_t)size.crossings : links_count(net->mesh);
	struct arena *arena = &job->arena;

	if (!job)
		return NULL;
	job->count = round[0].count;
	job->rounds = rounds;
	arena_array(arena, job->load.link, links + 1);
	arena_array(arena, job->load.load, links + 1);
	arena_array(arena, job->presence, links + 1);
	arena_array(arena, job->before, links + 1);
	arena_array(arena, job->rank, (int64_t)size.messages + 1);
	arena_array(arena, job->end, (int64_t)size.messages + 1);
	arena_array(arena, job->part, (int64_t)size.messages + 1);
	if (!arena_array(arena, job->crossing, (int64_t)size.crossings + 1)) {
		free_job(job);
		return NULL;
	}
	for (int r = 0; r < rounds; r++) {
		for (int step = 0; step < size.steps; step++)
			send_step(net, job, &round[r], step);
		job->round_end[r] = job->nmessages;
	}
	for (int i = 0; i < job->load.n; i++)
		net->index[job->load.link[i]] = -1;
	return job;
}

static struct contention_job *make_job(struct contention *net, enum comm_pattern pattern, int count)
{
	/* What is drawn depends on the size alone, so that reference and job are alike. */
	uint64_t state = random_stream(net->seed, (uint64_t)count);
	struct comm_round round[DRAWS] = {{0}};
	struct contention_job *job = NULL;
	int rounds = pattern == COMM_RANDOM ? DRAWS : 1, made = 0;

	for (; made < rounds; made++) {
		const struct comm_spec spec = {pattern, count, net->mesh->ndims, STEPS,
			random_next(&state)};

		if (comm_round_init(&round[made], &spec))
			break;
	}
	if (made == rounds)
		job = send_rounds(net, round, rounds);
	if (job)
		job->drifts = pattern == COMM_ALL_TO_ALL;
	for (int r = 0; r < rounds; r++)
		comm_round_release(&round[r]);
	return job;
}

/* --- time ------------------------------------------------------------------------------ */

/*
 * A message goes at the rate that the fullest link on its way gives each flow there: those of the
 * job's same step, and of other jobs as many as there are in the mean over time. A rank sends one
 * message after the other; the round is over when the last rank is done.
 */
static double flows_met(const struct contention *net, const struct contention_job *job, int message)
{
	double most = 1;

	for (int c = message ? job->end[message - 1] : 0; c < job->end[message]; c++) {
		const struct crossing *x = &job->crossing[c];
		double own = x->together, any = 1;

		if (job->drifts) {
			if (job->before[x->at] > job->part[message])
				any += job->before[x->at] - job->part[message];
			own += drift * (any - own);
		}
		own += net->presence[job->load.link[x->at]];
		most = own > most ? own : most;
	}
	return most;
}

static double time_of_round(const struct contention *net, const struct contention_job *job)
{
	double longest = 0, sum = 0;

	for (int rank = 0; rank < job->count; rank++) {
		longest = net->spent[rank] > longest ? net->spent[rank] : longest;
		sum += net->spent[rank];
	}
	return job->drifts ? to_last * longest + (1 - to_last) * sum / job->count : longest;
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
		for (; m < job->round_end[r]; m++) {
			double spent = flows_met(net, job, m) * job->part[m];

			net->spent[job->rank[m]] += spent;
			for (int c = m ? job->end[m - 1] : 0; c < job->end[m]; c++)
				job->presence[job->crossing[c].at] += spent;
		}
		sum += time_of_round(net, job);
	}
	for (int i = 0; i < job->load.n; i++) {
		job->presence[i] /= sum > 0 ? sum : 1;
		net->presence[job->load.link[i]] += job->presence[i];
	}
	return sum / job->rounds;
}

/* A job by itself: until its own flows agree with the time. */
static double settle(struct contention *net, struct contention_job *job)
{
	double time = time_of(net, job);

	for (int sweep = 1; job->drifts && sweep < SWEEPS; sweep++) {
		double next = time_of(net, job), by = next > time ? next - time : time - next;

		time = next;
		if (by <= steady * time)
			break;
	}
	return time;
}

/* --- the reference ------------------------------------------------------------------- */

/* Vertices of a box as cubic as the machine allows, row by row; holes are built over. */
static void reference_box(const struct contention *net, int vertices, int *out)
{
	const struct mesh *mesh = net->mesh;
	int side[MESH_MAX_DIMS], volume = 1;

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
	for (int i = 0; i < vertices; i++) {
		int v = 0;

		for (int d = 0, left = i; d < mesh->ndims; left /= side[d], d++)
			v += left % side[d] * mesh->stride[d];
		out[i] = v;
	}
}

/* All-to-all and random pairs: in a box that is as cubic as can be. */
static double reference_in_box(struct contention *net, enum comm_pattern pattern, int count)
{
	int per_vertex = net->mesh->nodes_per_vertex;
	struct contention_job *job;
	double time = -1;

	reference_box(net, (count - 1) / per_vertex + 1, net->box);
	for (int i = 0; i < count; i++)
		net->vertex[i] = net->box[i / per_vertex];
	if ((job = make_job(net, pattern, count))) {
		double *others = net->presence;

		if ((net->presence = calloc((size_t)links_count(net->mesh) + 1, sizeof(double))))
			time = settle(net, job);
		free(net->presence);
		net->presence = others;
	}
	free_job(job);
	return time;
}

/* The time of a round in the best place; 0 for one node; -1 when memory is out. Partners in a ring
 * or grid can be neighbours, each link with one message at a time: that is 1, what a rank takes
 * to send. */
static double reference_of(struct contention *net, enum comm_pattern pattern, int count)
{
	double *known = &net->reference[pattern][count];

	if (*known < 0) {
		*known = count < 2 || pattern == COMM_NONE ? 0 : 1;
		if (*known > 0 && (pattern == COMM_ALL_TO_ALL || pattern == COMM_RANDOM))
			*known = reference_in_box(net, pattern, count);
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
	net->job[net->njobs++] = job;
}

static void leave(struct contention *net, const struct contention_job *job)
{
	for (int i = 0; i < job->load.n; i++) {
		int link = job->load.link[i];

		net->load[link] -= job->load.load[i];
		net->presence[link] -= job->presence[i];
		net->shared -= net->users[link]-- == 2;
		if (!net->users[link])
			net->load[link] = net->presence[link] = 0; /* no rest of rounding */
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

struct contention_job *contention_add(struct contention *net, enum comm_pattern pattern,
	const int *node, int count)
{
	double reference = reference_of(net, pattern, count);
	struct contention_job *job;

	if (reference < 0 || !arena_grow(&net->arena, &net->job, net->njobs, sizeof(job)))
		return NULL;
	for (int i = 0; i < count; i++)
		net->vertex[i] = net->mesh->vertex_of[node[i]];
	if (!(job = make_job(net, pattern, count)))
		return NULL;
	job->reference = reference;
	job->time = settle(net, job);
	enter(net, job);
	return job;
}

void contention_solve(struct contention *net)
{
	double change = 1;

	for (int sweep = 0; sweep < SWEEPS && change > steady; sweep++) {
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
