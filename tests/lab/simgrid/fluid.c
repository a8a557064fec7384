/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The quick engine: messages are fluids that share links max-min fairly, as in SimGrid's CM02
 * without latency. What makes it quick is that rates are worked out anew only when a part of the
 * messages (settings->batch) has ended; those that end sooner hand the rest of that time to
 * their sender's next message at the rate they had. With batch 0 it does what SimGrid does.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filling.h"
#include "links/links.h"
#include "scenario.h"

struct sender {
	int job, number;
	int next;    /* message */
	double left; /* bytes of the present one */
};

struct job_state {
	struct scenario_clock clock;
	int first;   /* of its senders among all */
	int busy;    /* senders that are not done with this round */
	double done; /* when the last of the others was */
};

struct fluid {
	const struct scenario *scenario;
	int nsenders, longest;
	struct sender *sender; /* [nsenders] */
	struct job_state *job;
	int *link;	    /* [nsenders * longest] of the present message */
	struct filling_flow *flow, **flowing; /* [nsenders] it, and those that are sent now */
	int *active, *spare, nactive; /* [nsenders] */
	double *finish, *sorted; /* [nsenders] */
	int unfinished;	    /* jobs */
	double now;
	struct filling *filling;
};

static double batch;

static void fail(const char *what)
{
	fprintf(stderr, "fluid: %s\n", what);
	exit(1);
}

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);

	if (!memory)
		fail("out of memory");
	return memory;
}

static struct scenario_messages messages_of(const struct fluid *f, const struct sender *s)
{
	return scenario_messages(f->scenario, s->job, f->job[s->job].clock.rounds, s->number);
}

/* The sender's next message that leaves its vertex, `credit` bytes of which are sent already;
 * false: there is none. */
static bool send_next(struct fluid *f, int at, double credit)
{
	struct sender *s = &f->sender[at];
	const struct scenario_job *job = &f->scenario->job[s->job];
	const struct comm_round *round = &job->round[f->job[s->job].clock.rounds % job->draws];
	const struct scenario_messages m = messages_of(f, s);
	const int *vertex = job->vertex;

	while (s->next < m.end && vertex[round->to[s->next]] == vertex[m.rank])
		s->next++;
	if (s->next == m.end)
		return false;
	f->flow[at].link = &f->link[at * f->longest];
	f->flow[at].n = links_route(f->scenario->mesh, vertex[m.rank],
		vertex[round->to[s->next]], &f->link[at * f->longest]);
	s->left = credit < m.bytes ? m.bytes - credit : 0;
	s->next++;
	f->active[f->nactive++] = at;
	return true;
}

/* The job's round begins; `credit`: bytes that each sender has sent of it already. */
static void begin_round(struct fluid *f, int job, double credit)
{
	struct job_state *j = &f->job[job];

	j->busy = 0;
	for (int i = 0; i < f->scenario->job[job].senders; i++) {
		struct sender *s = &f->sender[j->first + i];

		s->next = messages_of(f, s).first;
		j->busy += send_next(f, j->first + i, credit);
	}
}

static void tick(struct fluid *f, int job)
{
	scenario_tick(&f->job[job].clock, f->job[job].done);
	f->unfinished -= f->job[job].clock.rounds == f->scenario->rounds;
}

/* The job's next round; one whose draw has no message between two vertices takes no time. */
static void go_on(struct fluid *f, int job, double rate)
{
	for (;;) {
		begin_round(f, job, (f->now - f->job[job].done) * rate);
		if (f->job[job].busy)
			return;
		tick(f, job);
	}
}

/* A sender has sent its last message of this round at `when`. */
static void end_sender(struct fluid *f, int job, double when, double rate)
{
	struct job_state *j = &f->job[job];

	if (when > j->done)
		j->done = when;
	if (--j->busy)
		return;
	tick(f, job);
	if (f->scenario->rounds > 1)
		go_on(f, job, rate);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* When to solve again: so many of the messages will have ended. */
static double horizon(struct fluid *f)
{
	int end = (int)(batch * f->nactive);
	double least = INFINITY;

	for (int i = 0; i < f->nactive; i++) {
		f->sorted[i] = f->finish[i];
		least = f->finish[i] < least ? f->finish[i] : least;
	}
	if (!end)
		return least * (1 + 1e-12);
	qsort(f->sorted, (size_t)f->nactive, sizeof(double), ascending);
	return f->sorted[end];
}

static void step(struct fluid *f)
{
	int n = f->nactive, *active = f->active;
	double start = f->now, span;

	for (int i = 0; i < n; i++)
		f->flowing[i] = &f->flow[active[i]];
	if (filling_solve(f->filling, f->flowing, n))
		fail("out of memory");
	for (int i = 0; i < n; i++)
		f->finish[i] = f->sender[active[i]].left / f->flow[active[i]].rate;
	span = horizon(f);
	f->now = start + span;
	/* The list is made anew: what ends puts the next message behind those that go on. */
	f->active = f->spare;
	f->spare = active;
	f->nactive = 0;
	for (int i = 0; i < n; i++)
		if (f->finish[i] > span) {
			f->sender[active[i]].left -= f->flow[active[i]].rate * span;
			f->active[f->nactive++] = active[i];
		}
	for (int i = 0; i < n; i++) {
		int at = active[i];
		double when = start + f->finish[i];

		if (f->finish[i] <= span && !send_next(f, at, (f->now - when) * f->flow[at].rate))
			end_sender(f, f->sender[at].job, when, f->flow[at].rate);
	}
}

static void begin(struct fluid *f, const struct scenario *s)
{
	*f = (struct fluid){.scenario = s, .longest = links_longest(s->mesh)};
	f->job = room((size_t)s->njobs, sizeof(*f->job));
	for (int i = 0; i < s->njobs; i++) {
		f->job[i].first = f->nsenders;
		f->nsenders += s->job[i].senders;
	}
	size_t n = (size_t)f->nsenders;

	f->sender = room(n, sizeof(*f->sender));
	f->link = room(n * (size_t)f->longest, sizeof(int));
	f->flow = room(n, sizeof(*f->flow));
	f->flowing = room(n, sizeof(*f->flowing));
	f->active = room(n, sizeof(int));
	f->spare = room(n, sizeof(int));
	f->finish = room(n, sizeof(double));
	f->sorted = room(n, sizeof(double));
	f->filling = filling_new(links_count(s->mesh), SCENARIO_BANDWIDTH);
	if (!f->filling)
		fail("out of memory");
	for (int i = 0; i < s->njobs; i++) {
		for (int k = 0; k < s->job[i].senders; k++)
			f->sender[f->job[i].first + k] = (struct sender){.job = i, .number = k};
		if (!s->job[i].sends)
			continue;
		f->unfinished++;
		go_on(f, i, 0);
	}
}

static void run_fluid(const struct scenario *scenario, double *seconds)
{
	struct fluid f;

	begin(&f, scenario);
	while (f.unfinished > 0)
		step(&f);
	for (int i = 0; i < scenario->njobs; i++)
		seconds[i] = scenario_time(scenario, &f.job[i].clock);
	filling_free(f.filling);
	free(f.job);
	free(f.sender);
	free(f.link);
	free(f.flow);
	free(f.flowing);
	free(f.active);
	free(f.spare);
	free(f.finish);
	free(f.sorted);
}

static void prepare_fluid(const struct mesh *mesh, const struct engine_settings *settings)
{
	(void)mesh;
	batch = settings->batch;
}

const struct engine engine_fluid = {"fluid", prepare_fluid, run_fluid};
