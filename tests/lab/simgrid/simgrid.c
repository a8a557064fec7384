/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SimGrid decides: a torus cluster, an actor for each sender. Links are SPLITDUPLEX, one each way.
 * A dimension that does not wrap is cut out of one that is nearly twice as long, where the short
 * way never goes round.
 */
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenario.h"

static sg_host_t *host; /* [nvertices] */
static const struct scenario *scene;
static struct scenario_clock *job_clock; /* [njobs] */
static sg_bar_t *barrier;		     /* [njobs] */
static int *arrived;			     /* [njobs] senders that are done with the round */
static double *answer;
static int unfinished;

static void fail(const char *what)
{
	fprintf(stderr, "simgrid: %s\n", what);
	exit(1);
}

/* ---- The platform ---- */

static int long_side(const struct mesh *mesh, int d)
{
	return mesh->wrap[d] ? mesh->side[d] : 2 * mesh->side[d] - 1;
}

static void write_platform(FILE *out, const struct mesh *mesh, bool latency)
{
	long hosts = 1;

	fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
	      "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
	      "<cluster id=\"torus\" topology=\"TORUS\" topo_parameters=\"", out);
	for (int d = 0; d < mesh->ndims; hosts *= long_side(mesh, d), d++)
		fprintf(out, "%s%d", d ? "," : "", long_side(mesh, d));
	fprintf(out, "\" prefix=\"v\" suffix=\"\" radical=\"0-%ld\" speed=\"1Gf\" bw=\"%.0fBps\" "
		     "lat=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n",
		hosts - 1, SCENARIO_BANDWIDTH, latency ? "1us" : "0us");
}

static void find_hosts(const struct mesh *mesh)
{
	char name[32];

	host = malloc((size_t)mesh->nvertices * sizeof(sg_host_t));
	if (!host)
		fail("out of memory");
	for (int v = 0; v < mesh->nvertices; v++) {
		long at = 0;

		for (int d = mesh->ndims - 1; d >= 0; d--)
			at = at * long_side(mesh, d) + mesh->coord[v][d];
		snprintf(name, sizeof(name), "v%ld", at);
		host[v] = sg_host_by_name(name);
	}
}

static void prepare_simgrid(const struct mesh *mesh, const struct engine_settings *settings)
{
	/* CM02 alone, without cross traffic and TCP's window, is max-min sharing and no more. */
	static const char *const cm02[] = {"judge", "--log=root.thres:error",
		"--cfg=contexts/stack-size:64", "--cfg=network/model:CM02",
		"--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0"};
	bool plain = !strcmp(settings->model, "CM02");
	char *argument[8], path[] = "/tmp/judge-XXXXXX.xml";
	int count = plain ? 6 : 3, file = mkstemps(path, 4);
	FILE *out = file >= 0 ? fdopen(file, "w") : NULL;

	for (int i = 0; i < count; i++)
		argument[i] = strdup(cm02[i]);
	argument[count] = NULL;
	if (!out)
		fail("no temporary file can be written");
	write_platform(out, mesh, !plain);
	fclose(out);
	simgrid_init(&count, argument);
	simgrid_load_platform(path);
	unlink(path);
	find_hosts(mesh);
}

/* ---- A run ---- */

static void send_round(int at, int sender, int number)
{
	const struct scenario_job *job = &scene->job[at];
	const struct scenario_messages m = scenario_messages(scene, at, number, sender);

	for (int i = m.first; i < m.end; i++) {
		int from = job->vertex[m.rank],
		    to = job->vertex[job->round[number % job->draws].to[i]];

		if (from != to)
			sg_host_sendto(host[from], host[to], m.bytes);
	}
}

static void finish(void)
{
	for (int i = 0; i < scene->njobs; i++)
		answer[i] = scenario_time(scene, &job_clock[i]);
	_exit(0);
}

static void act(int argc, char **argv)
{
	int job = atoi(argv[1]), sender = atoi(argv[2]);

	(void)argc;
	for (int i = 0; i < scene->rounds || scene->rounds > 1; i++) {
		send_round(job, sender, i);
		if (++arrived[job] == scene->job[job].senders) {
			arrived[job] = 0;
			scenario_tick(&job_clock[job], simgrid_get_clock());
			if (job_clock[job].rounds == scene->rounds && !--unfinished)
				finish();
		}
		sg_barrier_wait(barrier[job]);
	}
}

static void add_job(int at)
{
	const struct scenario_job *job = &scene->job[at];
	char name[3][16] = {"sender"};
	char *argument[] = {name[0], name[1], name[2], NULL};

	barrier[at] = sg_barrier_init((unsigned)job->senders);
	unfinished++;
	snprintf(name[1], sizeof(name[1]), "%d", at);
	for (int sender = 0; sender < job->senders; sender++) {
		int rank = scenario_messages(scene, at, 0, sender).rank;

		snprintf(name[2], sizeof(name[2]), "%d", sender);
		sg_actor_create("sender", host[job->vertex[rank]], act, 3, argument);
	}
}

static void run_simgrid(const struct scenario *scenario, double *seconds)
{
	scene = scenario;
	answer = seconds;
	job_clock = calloc((size_t)scenario->njobs + 1, sizeof(*job_clock));
	barrier = calloc((size_t)scenario->njobs + 1, sizeof(sg_bar_t));
	arrived = calloc((size_t)scenario->njobs + 1, sizeof(int));
	if (!job_clock || !barrier || !arrived)
		fail("out of memory");
	for (int i = 0; i < scenario->njobs; i++)
		if (scenario->job[i].sends)
			add_job(i);
	if (unfinished)
		simgrid_run();
	for (int i = 0; i < scenario->njobs; i++)
		seconds[i] = 0;
}

const struct engine engine_simgrid = {"simgrid", prepare_simgrid, run_simgrid};
