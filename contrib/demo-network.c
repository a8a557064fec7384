/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The network of contrib/demo: the jobs of a private cluster are sleeps, and this says when each is
 * over. A job sends all-to-all, to random partners, in a ring or on a grid, by its number; so much
 * of its time as SHARE says goes by the model of smesh sim --contention, anew whenever jobs start
 * or end.
 *
 *   demo-network TOPOLOGY QUEUE DIRECTORY SHARE
 *
 * QUEUE, written again and again: lines JOBID STATE SECONDS NODES. When a job's seconds are over a
 * line goes into the FIFO DIRECTORY/JOBID, for which its script waits.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "cli/smesh.h"
#include "sim/contention.h"

enum { JOBS = 4096 };

static struct work {
	struct contention_job *traffic; /* NULL: it does not run */
	double left, pace;
	bool over;
} work[JOBS];

static struct contention *net;
static const struct mesh *mesh;

static double now(void)
{
	return (double)mesh_clock_ns(CLOCK_MONOTONIC) / 1e9;
}

static const enum comm_pattern sent[] = {COMM_ALL_TO_ALL, COMM_RING, COMM_GRID, COMM_RANDOM};

static bool begin(int id, const char *hosts, double seconds)
{
	struct nodeset set = {0};
	struct mesh_err err;
	int node[JOBS], count = 0;

	if (nodeset_init(&set, mesh->nnodes) || smesh_hosts_to_set(mesh, hosts, &set, &err))
		return false;
	for (int i = 0; i < mesh->nnodes && count < JOBS; i++)
		if (nodeset_has(&set, i))
			node[count++] = i;
	nodeset_release(&set);
	work[id].traffic = count ? contention_add(net, sent[id % 4], node, count) : NULL;
	work[id].left = seconds;
	work[id].pace = 1;
	return work[id].traffic;
}

/* Those that have started. */
static bool look(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[8192], state[32], hosts[4096];
	double seconds;
	bool changed = false;
	int id;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%d %31s %lf %4095s", &id, state, &seconds, hosts) != 4 ||
			id < 0 || id >= JOBS || strcmp(state, "RUNNING") != 0)
			continue;
		if (!work[id].traffic && !work[id].over)
			changed |= begin(id, hosts, seconds);
	}
	if (file)
		fclose(file);
	return changed;
}

static bool end(int id, const char *directory)
{
	char path[4096];
	int fifo;

	snprintf(path, sizeof(path), "%s/%d", directory, id);
	if ((fifo = open(path, O_WRONLY | O_NONBLOCK)) < 0)
		return false; /* it does not wait there yet */
	work[id].over = write(fifo, "\n", 1) == 1;
	close(fifo);
	contention_remove(net, work[id].traffic);
	work[id].traffic = NULL;
	return true;
}

/* So much of each job's work is done since; those without any left end. */
static bool go_on(double since, const char *directory)
{
	bool changed = false;

	for (int i = 0; i < JOBS; i++)
		if (work[i].traffic) {
			work[i].left -= since / work[i].pace;
			changed |= work[i].left <= 0 && end(i, directory);
		}
	return changed;
}

int main(int argc, char **argv)
{
	struct topoconf *conf = NULL;
	double share = argc == 5 ? atof(argv[4]) : 0, then = now();

	if (argc != 5 || !(mesh = smesh_open_mesh(&conf, argv[1], NULL)) ||
		!(net = contention_new(mesh, 1)))
		return 1;
	for (;;) {
		double last = then;
		bool changed;

		usleep(50000);
		then = now();
		changed = go_on(then - last, argv[3]);
		changed |= look(argv[2]);
		if (!changed)
			continue;
		contention_solve(net);
		for (int i = 0; i < JOBS; i++)
			if (work[i].traffic)
				work[i].pace =
					1 - share + share * contention_slowdown(work[i].traffic);
	}
}
