/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long jobs communicate where strategies put them: doc/lab/simgrid.md.
 */
#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conf/topoconf.h"
#include "base/hostlist.h"
#include "moments.h"
#include "ranks/rankmix.h"
#include "ranks/rankorder.h"
#include "scenario.h"
#include "sim/summary.h"

enum { MOST_STRATEGIES = 32, MOST_PROCESSES = 64 };

static const struct engine *const engines[] = {
#ifdef HAVE_SIMGRID
	&engine_simgrid,
#endif
	&engine_fluid,
	&engine_model,
	&engine_packets,
};

struct judge {
	const struct mesh *mesh;
	struct placements of[MOST_STRATEGIES];
	const char *path[MOST_STRATEGIES];
	int count;
	struct moment *moment;
	int nmoments, most_jobs;
	const struct engine *engine;
	bool pattern[COMM_PATTERNS], one_shot, at_once, list, ordered;
	int peers, rounds, processes;
	struct moment_rules rules;
	struct engine_settings settings;
	FILE *details;
	/* seconds[((pattern * nmoments + moment) * count + strategy) * most_jobs + job], shared
	 * by the processes */
	double *seconds;
};

static void fail(const char *text, const char *more)
{
	fprintf(stderr, "judge: %s%s\n", text, more ? more : "");
	exit(1);
}

static void usage(FILE *out)
{
	fputs("usage: judge -t FILE [OPTION]... NAME=PLACEMENTS...\n"
	      "How long jobs communicate where strategies have put them; PLACEMENTS is what\n"
	      "smesh sim --placements wrote.\n\n"
	      "  -t FILE           topology.conf with one mesh\n"
	      "  -e, --engine E    simgrid; fluid: our own, quick; model: of smesh sim "
	      "--contention;\n"
	      "                    packets: flit by flit (tests/lab/packets/run)\n"
	      "  -m, --moments N   (12)\n"
	      "  -s, --seed N      of moments and of what patterns draw (1)\n"
	      "      --busy PART   of the nodes at each moment, at least (0.6)\n"
	      "      --jobs N      of more than one node, at least (5)\n"
	      "  -p, --pattern A,B all-to-all, random, ring, grid (all four)\n"
	      "      --peers N     all-to-all: so many partners at most (32; 0: all)\n"
	      "  -r, --rounds N    that each job makes at least (3)\n"
	      "      --at-once     a rank's messages of a round, not one after the other\n"
	      "      --one-shot    one round, all jobs at the same moment\n"
	      "      --batch PART  fluid: messages that end between two solutions (0.02; 0: "
	      "exact)\n"
	      "      --model M     simgrid: CM02, max-min sharing alone (default), or LV08\n"
	      "  -j, --processes N (1)\n"
	      "  -o, --details F   a line for each job: pattern moment strategy id nodes seconds\n"
	      "      --ordered     ranks as srun orders those of unknown programs\n"
	      "      --list        only print the jobs: moment strategy id vertex vertex ...\n",
		out);
}

/* ---- Options ---- */

enum { BUSY = 256, JOBS, PEERS, AT_ONCE, ONE_SHOT, BATCH, MODEL, LIST, ORDERED, HELP };

static const struct option longs[] = {{"engine", 1, NULL, 'e'}, {"moments", 1, NULL, 'm'},
	{"seed", 1, NULL, 's'}, {"busy", 1, NULL, BUSY}, {"jobs", 1, NULL, JOBS},
	{"pattern", 1, NULL, 'p'}, {"peers", 1, NULL, PEERS}, {"rounds", 1, NULL, 'r'},
	{"at-once", 0, NULL, AT_ONCE}, {"one-shot", 0, NULL, ONE_SHOT},
	{"batch", 1, NULL, BATCH}, {"model", 1, NULL, MODEL}, {"list", 0, NULL, LIST},
	{"ordered", 0, NULL, ORDERED},
	{"processes", 1, NULL, 'j'}, {"details", 1, NULL, 'o'}, {"help", 0, NULL, HELP}, {0}};

static int number(const char *text, int least, int most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < least || value > most)
		fail("not a fitting number: ", text);
	return (int)value;
}

static double part(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (*end || end == text || !(value >= 0 && value <= 1))
		fail("not a number from 0 to 1: ", text);
	return value;
}

static const struct engine *find_engine(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	fail("no such engine here (simgrid wants libsimgrid-dev when this is built): ", name);
	return NULL;
}

static void take_patterns(struct judge *j, char *list)
{
	char *save;

	for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		int pattern = comm_pattern_find(name);

		if (pattern <= COMM_NONE)
			fail("no such pattern: ", name);
		j->pattern[pattern] = true;
	}
}

static const char *take_options(struct judge *j, int argc, char **argv)
{
	const char *topology = NULL;
	bool any = false;

	for (int key; (key = getopt_long(argc, argv, "t:e:m:s:p:r:j:o:", longs, NULL)) != -1;)
		switch (key) {
		case 't': topology = optarg; break;
		case 'e': j->engine = find_engine(optarg); break;
		case 'm': j->rules.moments = number(optarg, 1, 10000); break;
		case 's': j->rules.seed = (uint64_t)number(optarg, 0, INT32_MAX); break;
		case BUSY: j->rules.busy = part(optarg); break;
		case JOBS: j->rules.jobs = number(optarg, 1, INT32_MAX); break;
		case 'p': take_patterns(j, optarg); any = true; break;
		case PEERS: j->peers = number(optarg, 0, INT32_MAX); break;
		case 'r': j->rounds = number(optarg, 2, 1000); break;
		case AT_ONCE: j->at_once = true; break;
		case ONE_SHOT: j->one_shot = true; break;
		case BATCH: j->settings.batch = part(optarg); break;
		case MODEL: j->settings.model = optarg; break;
		case 'j': j->processes = number(optarg, 1, MOST_PROCESSES); break;
		case 'o':
			if (!(j->details = fopen(optarg, "we")))
				fail("cannot be written: ", optarg);
			break;
		case LIST: j->list = true; break;
		case ORDERED: j->ordered = true; break;
		case HELP: usage(stdout); exit(0);
		default: usage(stderr); exit(1);
		}
	if (strcmp(j->settings.model, "CM02") && strcmp(j->settings.model, "LV08"))
		fail("no such model: ", j->settings.model);
	if (j->at_once && j->engine == &engine_model)
		fail("the model knows no --at-once", NULL);
	for (int p = COMM_NONE + 1; !any && p < COMM_PATTERNS; p++)
		j->pattern[p] = true;
	for (; optind < argc && j->count < MOST_STRATEGIES; optind++) {
		char *path = strchr(argv[optind], '=');

		if (!path)
			fail("not NAME=PLACEMENTS: ", argv[optind]);
		*path++ = '\0';
		j->of[j->count].name = argv[optind];
		j->path[j->count++] = path;
	}
	if (!topology || !j->count || optind < argc) {
		usage(stderr);
		exit(1);
	}
	return topology;
}

static void load(struct judge *j)
{
	struct mesh_err err = {{0}};

	for (int i = 0; i < j->count; i++)
		if (placements_read(&j->of[i], j->mesh, j->path[i], &err)) {
			fprintf(stderr, "judge: %s: ", j->path[i]);
			fail(err.text, NULL);
		}
	j->moment = calloc((size_t)j->rules.moments, sizeof(*j->moment));
	if (!j->moment)
		fail("out of memory", NULL);
	j->rules.nodes = j->mesh->nnodes;
	j->nmoments = moments_draw(j->moment, j->of, j->count, &j->rules, &err);
	if (j->nmoments < 0)
		fail(err.text, NULL);
	if (j->nmoments < j->rules.moments)
		fprintf(stderr, "judge: only %d such moments\n", j->nmoments);
	for (int i = 0; i < j->nmoments; i++)
		j->most_jobs = j->moment[i].njobs > j->most_jobs ? j->moment[i].njobs
								 : j->most_jobs;
	size_t all = (size_t)(COMM_PATTERNS * j->nmoments * j->count) * (size_t)j->most_jobs;

	j->seconds = mmap(NULL, all * sizeof(double) + 1, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (j->seconds == MAP_FAILED)
		fail("out of memory", NULL);
}

/* ---- Runs ---- */

static double *seconds_of(const struct judge *j, int pattern, int moment, int strategy)
{
	return &j->seconds[(size_t)((pattern * j->nmoments + moment) * j->count + strategy) *
			   (size_t)j->most_jobs];
}

/* The nodes of a job by rank: in their order, or in the order for programs of which nothing is
 * known. */
static int *by_rank(const struct judge *j, const struct placed_job *job)
{
	const struct rankmix mix = {.nodes = job->count, .per_node = 1};
	int *node = malloc(((size_t)job->count + 1) * 2 * sizeof(*node)), *order;
	struct mesh_err err = {{0}};

	if (!node)
		fail("out of memory", NULL);
	order = node + job->count;
	for (int i = 0; i < job->count; i++)
		order[i] = i;
	if (j->ordered && rankorder_mix(j->mesh, job->node, &mix, order, &err))
		fail(err.text, NULL);
	for (int i = 0; i < job->count; i++)
		node[i] = job->node[order[i]];
	return node;
}

static void run(const struct judge *j, int pattern, int at, int strategy)
{
	const struct moment *m = &j->moment[at];
	/* What is drawn is the same for each strategy, and other at each moment. */
	const struct scenario_settings settings = {(enum comm_pattern)pattern, j->peers,
		j->rules.seed * 1000003 + (uint64_t)at, j->one_shot ? 1 : j->rounds, j->at_once};
	struct scenario_nodes *jobs = calloc((size_t)m->njobs + 1, sizeof(*jobs));
	struct scenario scenario;

	if (!jobs)
		fail("out of memory", NULL);
	for (int i = 0; i < m->njobs; i++) {
		const struct placed_job *job = &j->of[strategy].job[m->job[i]];

		jobs[i] = (struct scenario_nodes){by_rank(j, job), job->count};
	}
	if (scenario_init(&scenario, j->mesh, &settings, jobs, m->njobs))
		fail("out of memory", NULL);
	j->engine->run(&scenario, seconds_of(j, pattern, at, strategy));
	scenario_release(&scenario);
	for (int i = 0; i < m->njobs; i++)
		free((void *)(uintptr_t)jobs[i].node);
	free(jobs);
}

static void wait_one(void)
{
	int status;

	if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		fail("an engine has failed", NULL);
}

/* Each in a process of its own: SimGrid has one simulation in a process. */
static void run_all(const struct judge *j)
{
	int running = 0;

	j->engine->prepare(j->mesh, &j->settings);
	for (int p = 0; p < COMM_PATTERNS; p++)
		for (int i = 0; i < j->nmoments * j->count && j->pattern[p]; i++) {
			if (running == j->processes) {
				wait_one();
				running--;
			}
			fflush(NULL);
			pid_t child = fork();

			if (child < 0)
				fail("no process", NULL);
			if (!child) {
				run(j, p, i / j->count, i % j->count);
				_exit(0);
			}
			running++;
		}
	while (running--)
		wait_one();
}

/* ---- The tables ---- */

/* Mean over the jobs of a moment, by nodes. */
static double weighted(const struct judge *j, int pattern, int at, int strategy)
{
	const struct moment *m = &j->moment[at];
	const double *seconds = seconds_of(j, pattern, at, strategy);
	double sum = 0, nodes = 0;

	for (int i = 0; i < m->njobs; i++) {
		int count = j->of[strategy].job[m->job[i]].count;

		sum += count * seconds[i];
		nodes += count;
	}
	return sum / nodes;
}

/* How much longer x takes than y, in percent: the ratio of sums over moments and half its 95%
 * interval (Cochran, "Sampling techniques", chapter 6). */
static void compare(const double *x, const double *y, int n, double *percent, double *plusminus)
{
	double sum_x = 0, sum_y = 0, squares = 0, ratio;

	for (int i = 0; i < n; i++) {
		sum_x += x[i];
		sum_y += y[i];
	}
	ratio = sum_x / sum_y;
	for (int i = 0; i < n; i++)
		squares += pow(x[i] - ratio * y[i], 2);
	*percent = 100 * (ratio - 1);
	*plusminus = n > 1
		? 100 * summary_student(n - 1) * sqrt(squares / (n - 1) / n) / (sum_y / n)
		: NAN;
}

static double mean(const double *x, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

static void print_pattern(const struct judge *j, const char *title, const double *time)
{
	int n = j->nmoments;

	printf("\n%s: seconds a round, by nodes; by how many percent longer than the column's\n",
		title);
	printf("%-12s %9s", "", "s");
	for (int b = 0; b < j->count; b++)
		printf(" %15s", j->of[b].name);
	putchar('\n');
	for (int a = 0; a < j->count; a++) {
		printf("%-12s %9.3f", j->of[a].name, mean(&time[a * n], n));
		for (int b = 0; b < j->count; b++) {
			double percent, plusminus;

			compare(&time[a * n], &time[b * n], n, &percent, &plusminus);
			if (a == b)
				printf(" %15s", "-");
			else
				printf(" %+7.1f +-%5.1f", percent, plusminus);
		}
		putchar('\n');
	}
}

static void print_details(const struct judge *j, int pattern)
{
	for (int at = 0; at < j->nmoments; at++)
		for (int s = 0; s < j->count; s++)
			for (int i = 0; i < j->moment[at].njobs; i++) {
				const struct placed_job *job =
					&j->of[s].job[j->moment[at].job[i]];

				fprintf(j->details, "%s %d %s %lld %d %.6f\n",
					comm_pattern_name(pattern), at, j->of[s].name, job->id,
					job->count, seconds_of(j, pattern, at, s)[i]);
			}
}

/* What another judge goes on from (tests/lab/smpi). */
static void list_jobs(const struct judge *j)
{
	for (int at = 0; at < j->nmoments; at++)
		for (int s = 0; s < j->count; s++)
			for (int i = 0; i < j->moment[at].njobs; i++) {
				const struct placed_job *job = &j->of[s].job[j->moment[at].job[i]];

				printf("%d %s %lld", at, j->of[s].name, job->id);
				for (int k = 0; k < job->count; k++)
					printf(" %d", j->mesh->vertex_of[job->node[k]]);
				putchar('\n');
			}
}

static void print_all(const struct judge *j)
{
	double *time = calloc((size_t)(j->count * j->nmoments), sizeof(double));
	int nodes = 0, jobs = 0;

	if (!time)
		fail("out of memory", NULL);
	for (int at = 0; at < j->nmoments; at++)
		for (int i = 0; i < j->moment[at].njobs; i++, jobs++)
			nodes += j->of[0].job[j->moment[at].job[i]].count;
	printf("%s, %s, %d moments, %.1f jobs on %.1f of %d nodes\n", j->engine->name,
		j->one_shot ? "one-shot" : "steady state", j->nmoments,
		(double)jobs / j->nmoments, (double)nodes / j->nmoments, j->mesh->nnodes);
	for (int p = 0; p < COMM_PATTERNS; p++) {
		if (!j->pattern[p])
			continue;
		for (int s = 0; s < j->count; s++)
			for (int at = 0; at < j->nmoments; at++)
				time[s * j->nmoments + at] = weighted(j, p, at, s);
		print_pattern(j, comm_pattern_name(p), time);
		if (j->details)
			print_details(j, p);
	}
	free(time);
}

int main(int argc, char **argv)
{
	struct judge j = {.engine = engines[0], .peers = 32, .rounds = 3, .processes = 1,
		.rules = {12, 0.6, 5, 1}, .settings = {0.02, "CM02"}};
	struct mesh_err err = {{0}};
	const char *topology = take_options(&j, argc, argv);
	struct topoconf *conf = topoconf_read(topology, &hostlist_libslurm, &err);

	if (!conf || !(j.mesh = topoconf_find(conf, NULL, &err)))
		fail(err.text, NULL);
	load(&j);
	if (j.list) {
		list_jobs(&j);
	} else {
		run_all(&j);
		print_all(&j);
	}
	if (j.details && fclose(j.details))
		fail("the details cannot be written", NULL);
	for (int i = 0; i < j.rules.moments; i++)
		free(j.moment[i].job);
	free(j.moment);
	for (int i = 0; i < j.count; i++)
		placements_release(&j.of[i]);
	topoconf_free(conf);
	return 0;
}
