/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `smesh sim --contention=programs` takes for the run times of programs side by side, to hold
 * it against SMPI (doc/lab/smpi.md).
 *
 *	model TOPOLOGY SHARE <JOBS
 *
 * JOBS has a line for each job: PROGRAM VERTEX VERTEX ...; rank i is on the i-th vertex. SHARE of a
 * run is communication in a compact box. Prints the run time of each job, in microseconds.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "conf/topoconf.h"
#include "sim/contention.h"
#include "sim/need.h"
#include "sim/programs.h"

enum { MOST_JOBS = 4096 };

static void fail(const char *text)
{
	fprintf(stderr, "model: %s\n", text);
	exit(1);
}

/* A compact box on a mesh of its own, as in tests/lab/smpi/run: sides as equal as can be. */
static struct mesh *box_of(int ranks)
{
	struct mesh_spec spec = {.name = "box", .ndims = 3, .nnodes = ranks, .nodes_per_vertex = 1};
	struct mesh_err err = {{0}};
	struct mesh *box;
	int least = 3 * ranks;

	for (int a = 1; a <= ranks; a++)
		for (int b = 1; ranks % a == 0 && b <= ranks / a; b++)
			if (ranks / a % b == 0 && a + b + ranks / a / b < least) {
				least = a + b + ranks / a / b;
				memcpy(spec.side, (int[]){a, b, ranks / a / b}, 3 * sizeof(int));
			}
	if (ranks < 2 || !(box = mesh_new(&spec, &err)))
		fail(err.text);
	return box;
}

static double time_of(const struct contention_job *job)
{
	return contention_slowdown(job) * contention_reference(job);
}

/* What such a program communicates there, alone. */
static double time_in_box(int kind, int ranks)
{
	struct mesh *box = box_of(ranks);
	struct contention *net = contention_new(box, 1);
	struct contention_job *job;
	int *node = need(calloc((size_t)ranks, sizeof(int)));
	double time;

	for (int i = 0; i < ranks; i++)
		node[i] = i;
	job = contention_add(net, kind, node, ranks, 0);
	time = time_of(job);
	contention_remove(net, job);
	contention_free(net);
	free(node);
	mesh_free(box);
	return time;
}

struct job {
	int kind, count, *node;
	double computes;
	struct contention_job *traffic;
};

/* One line; false at the end. */
static bool read_job(struct job *job, double share)
{
	char *line = NULL, *word, *rest;
	size_t size = 0;
	bool more = getline(&line, &size, stdin) >= 0;

	*job = (struct job){.kind = -1, .node = calloc(size, sizeof(int))};
	if (more && (word = strtok_r(line, " \n", &rest)))
		job->kind = kind_find(word);
	if (!job->node || (more && job->kind < 0))
		fail("no such program");
	while (more && (word = strtok_r(NULL, " \n", &rest)))
		job->node[job->count++] = atoi(word);
	free(line);
	if (more)
		job->computes = time_in_box(job->kind, job->count) * (1 - share) / share;
	return more;
}

/* Its pause is in reference times, which are known with the job. */
static void add(struct contention *net, struct job *job)
{
	double reference = 1;

	for (int known = 0; known < 2; known++) {
		contention_remove(net, job->traffic);
		job->traffic = contention_add(
			net, job->kind, job->node, job->count, job->computes / reference);
		reference = contention_reference(job->traffic);
	}
}

int main(int argc, char **argv)
{
	double share = argc == 3 ? atof(argv[2]) : 0;
	struct mesh_err err = {{0}};
	struct topoconf *conf;
	const struct mesh *mesh;
	struct contention *net;
	struct job job[MOST_JOBS];
	int njobs = 0;

	if (!(share > 0 && share < 1))
		fail("usage: model TOPOLOGY SHARE <JOBS");
	conf = topoconf_read(argv[1], &hostlist_libslurm, &err);
	if (!conf || !(mesh = topoconf_find(conf, NULL, &err)))
		fail(err.text);
	net = contention_new(mesh, 1);
	for (; njobs < MOST_JOBS && read_job(&job[njobs], share); njobs++)
		add(net, &job[njobs]);
	contention_solve(net);
	for (int i = 0; i < njobs; i++)
		printf("%.6f\n", job[i].computes + time_of(job[i].traffic));
	for (int i = 0; i < njobs; i++) {
		contention_remove(net, job[i].traffic);
		free(job[i].node);
	}
	contention_free(net);
	topoconf_free(conf);
	return 0;
}
