/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The programs of smesh sim --contention: what they send against the MPI programs that they stand
 * for, and their times against plain ones.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "links/links.h"
#include "sim/contention.h"
#include "sim/programs.h"

int programs_main(int argc, char **argv);
#define main programs_main
#include "programs.c"
#undef main

enum { MOST_RANKS = 128 };

/* ---- What the MPI programs send ---- */

static double sent[MOST_RANKS][MOST_RANKS]; /* bytes, rank by rank */

static void note(int to, int bytes)
{
	if (to != rank)
		sent[rank][to] += bytes;
}

static void note_sum(int bytes)
{
	for (int by = 1; by < ranks; by *= 2)
		if ((rank ^ by) < ranks)
			note(rank ^ by, bytes);
}

static void note_all(int bytes)
{
	for (int to = 0; to < ranks; to++)
		note(to, bytes);
}

static void note_each(const int *bytes)
{
	for (int to = 0; to < ranks; to++)
		note(to, bytes[to]);
}

/* All-to-alls among more than 25 ranks are a sample: there all bytes are as many, or nearly. */
static void check_program(int kind, int n)
{
	const char *name = kind_name(kind);
	bool sample = n > 25 && (!strcmp(name, "slabs") || !strcmp(name, "bucket-sort"));
	double wanted = 0, got = 0;
	struct script script = {.kind = kind, .ranks = n};

	memset(sent, 0, sizeof(sent));
	ranks = n;
	for (rank = 0; rank < n; rank++)
		programs[kind - COMM_PATTERNS].run();
	for (int i = 0; i < n * n; i++)
		wanted += sent[i / n][i % n];
	script_write(&script);
	for (int k = 0; k < script.n; k++) {
		const struct script_message *m = &script.message[k];

		assert_true(!k || m->step >= m[-1].step);
		sent[m->from][m->to] -= m->times * m->bytes;
		got += m->times * m->bytes;
	}
	/* Blocks are whole bytes there. */
	assert_true(fabs(got / wanted - 1) < (sample ? 0.02 : 0.01));
	for (int i = 0; i < n * n && !sample; i++)
		assert_true(fabs(sent[i / n][i % n]) < 1e-3 * wanted / n);
	script_release(&script);
}

static void test_programs_send_what_they_stand_for(void **state)
{
	(void)state;
	for (int kind = COMM_PATTERNS; kind < COMM_KINDS; kind++) {
		assert_string_equal(kind_name(kind), programs[kind - COMM_PATTERNS].name);
		assert_int_equal(kind_find(kind_name(kind)), kind);
		for (int n = 2; n <= MOST_RANKS; n++)
			if (kind_ranks(kind, n) == n)
				check_program(kind, n);
	}
	assert_null(kind_name(COMM_KINDS));
	assert_int_equal(kind_find("gossip"), -1);
}

static void test_ranks(void **state)
{
	(void)state;
	assert_int_equal(kind_ranks(COMM_RING, 11), 11);
	assert_int_equal(kind_ranks(kind_find("pencils"), 11), 9);
	assert_int_equal(kind_ranks(kind_find("gradients"), 11), 8);
	assert_int_equal(kind_ranks(kind_find("multipartition"), 35), 25);
	assert_int_equal(kind_ranks(kind_find("multipartition"), 3), 1);
	/* Most programs run on three quarters of any number of nodes. */
	for (int n = 2; n < 400; n++)
		assert_true(4 * kind_ranks(kind_find("slabs"), n) >= 3 * n);
}

/* ---- Times ---- */

/* A job, message by message. */
struct plain {
	struct script script;
	int vertex[MOST_RANKS];
	double *bytes, *busy; /* [links] of a step, and time that its own messages take */
	double time;
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double through(const struct mesh *mesh, const struct plain *job, const double *others,
	const struct script_message *m)
{
	int *link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int)),
	    n = links_route(mesh, job->vertex[m->from], job->vertex[m->to], link);
	double out = 0, in = 0, slowest = 0, all = job->script.loose ? 0.5 : 1;

	for (int k = 0; k < job->script.n; k++) {
		const struct script_message *o = &job->script.message[k];

		out += o->step == m->step && o->from == m->from ? o->bytes : 0;
		in += o->step == m->step && o->to == m->to ? o->bytes : 0;
	}
	slowest = larger(m->bytes, larger(out, in) / 2);
	for (int i = 0; i < n; i++)
		slowest = larger(slowest,
			(m->bytes * (1 + others[link[i]] / 2) +
				all * (job->bytes[link[i]] - m->bytes)) /
				(1 - fmin(others[link[i]], 0.9)));
	free(link);
	return m->times * (1 + 0.1 * n + slowest / 5000);
}

/* Of one step, from message `first` on; the next one. */
static int plain_step(const struct mesh *mesh, struct plain *job, const double *others, int first,
	double *clock)
{
	int *link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int)), end = first;
	double next[MOST_RANKS];

	memset(job->bytes, 0, (size_t)links_count(mesh) * sizeof(double));
	memcpy(next, clock, sizeof(next));
	for (; end < job->script.n; end++) {
		const struct script_message *m = &job->script.message[end];

		if (m->step != job->script.message[first].step)
			break;
		for (int n = links_route(mesh, job->vertex[m->from], job->vertex[m->to], link);
			n > 0; n--) {
			job->bytes[link[n - 1]] += m->bytes;
			job->busy[link[n - 1]] += m->times * m->bytes / 5000;
		}
	}
	for (int k = first; k < end; k++) {
		const struct script_message *m = &job->script.message[k];
		double at = larger(clock[m->from], clock[m->to]) + through(mesh, job, others, m);

		next[m->to] = larger(next[m->to], at);
		if (m->bytes >= 65536)
			next[m->from] = larger(next[m->from], at);
	}
	memcpy(clock, next, sizeof(next));
	free(link);
	return end;
}

static void plain_time(const struct mesh *mesh, struct plain *job, const double *others)
{
	double clock[MOST_RANKS] = {0};

	memset(job->busy, 0, (size_t)links_count(mesh) * sizeof(double));
	for (int k = 0; k < job->script.n;)
		k = plain_step(mesh, job, others, k, clock);
	job->time = 0;
	for (int r = 0; r < MOST_RANKS; r++)
		job->time = larger(job->time, clock[r]);
}

/*
 * The time of each, where the other takes the time that it was given: where links are nearly full
 * there are several pairs of times that agree, and the solver may find any of them.
 */
static void plain_times(const struct mesh *mesh, struct plain *job, const double *pause,
	const double *given)
{
	size_t links = (size_t)links_count(mesh) + 1;
	double *others = calloc(links, sizeof(double));

	for (int i = 0; i < 2; i++)
		plain_time(mesh, &job[i], others);
	for (int i = 0; i < 2; i++) {
		for (size_t l = 0; l < links; l++)
			others[l] = given[!i] > 0 ? job[!i].busy[l] / (given[!i] + pause[!i]) : 0;
		plain_time(mesh, &job[i], others);
	}
	free(others);
}

static void make_plain(struct plain *job, const struct mesh *mesh, int kind, const int *node, int n)
{
	size_t links = (size_t)links_count(mesh) + 1;

	job->script = (struct script){.kind = kind, .ranks = n};
	script_write(&job->script);
	for (int r = 0; r < n; r++)
		job->vertex[r] = mesh->vertex_of[node[r]];
	job->bytes = calloc(links, sizeof(double));
	job->busy = calloc(links, sizeof(double));
}

static void check_times(const struct mesh *mesh, uint64_t *seed)
{
	struct contention *net = contention_new(mesh, 1);
	struct contention_job *job[2];
	struct plain plain[2];
	int *node = malloc((size_t)mesh->nnodes * sizeof(int)), at = 0;
	double pause[2], given[2];

	for (int i = 0; i < mesh->nnodes; i++)
		node[i] = i;
	for (int i = mesh->nnodes - 1; i > 0; i--) {
		int j = random_int(seed, 0, i), keep = node[i];

		node[i] = node[j];
		node[j] = keep;
	}
	for (int i = 0; i < 2; i++) {
		int kind = random_int(seed, COMM_PATTERNS, COMM_KINDS - 1),
		    n = kind_ranks(kind, random_int(seed, 1, mesh->nnodes / 2));

		n = n < MOST_RANKS ? n : kind_ranks(kind, MOST_RANKS);
		pause[i] = random_int(seed, 0, 2);
		job[i] = contention_add(net, kind, &node[at], n, pause[i]);
		pause[i] *= contention_reference(job[i]);
		make_plain(&plain[i], mesh, kind, &node[at], n);
		at += n;
	}
	for (int i = 0; i < 20; i++)
		contention_solve(net);
	for (int i = 0; i < 2; i++)
		given[i] = contention_slowdown(job[i]) * contention_reference(job[i]);
	plain_times(mesh, plain, pause, given);
	for (int i = 0; i < 2; i++) {
		assert_true(fabs(given[i] - plain[i].time) <= 0.02 * given[i]);
		contention_remove(net, job[i]);
		script_release(&plain[i].script);
		free(plain[i].bytes);
		free(plain[i].busy);
	}
	contention_free(net);
	free(node);
}

static void test_times_are_the_plain_ones(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 40); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 3, 100);

		if (mesh->nnodes > 1) /* for two jobs */
			check_times(mesh, &r.seed);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs_send_what_they_stand_for),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_times_are_the_plain_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
