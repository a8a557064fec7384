/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * BookSim2 decides, flit by flit: tests/lab/packets/replay.cpp, whose path and routing
 * tests/lab/packets/run passes on. A link carries a flit a cycle.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario.h"

enum { FLITS = 256, PACKET = 8 }; /* that a rank sends in a round; of a packet */

static const char *program;

static void fail(const char *what)
{
	fprintf(stderr, "packets: %s\n", what);
	exit(1);
}

static void prepare_packets(const struct mesh *mesh, const struct engine_settings *settings)
{
	(void)settings;
	program = getenv("PACKETS");
	if (!program)
		fail("PACKETS is not set: tests/lab/packets/run sets it");
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->side[d] != mesh->side[0] || !mesh->wrap[d])
			fail("BookSim's tori have equal sides");
}

/* The messages of one round that leave their vertex; each has at least one packet. */
static void write_round(FILE *to, const struct scenario *s, int job, int round)
{
	const struct scenario_job *j = &s->job[job];
	const struct comm_round *r = &j->round[round];
	int n = 0;

	for (int pass = 0; pass < 2; pass++) {
		if (pass)
			fprintf(to, "%d\n", n);
		for (int sender = 0; sender < j->senders; sender++) {
			struct scenario_messages m = scenario_messages(s, job, round, sender);
			double packets = FLITS / PACKET * m.bytes / SCENARIO_BYTES;

			for (int i = m.first; i < m.end; i++) {
				if (j->vertex[m.rank] == j->vertex[r->to[i]])
					continue;
				n++;
				if (pass)
					fprintf(to, "%d %d %.0f\n", j->vertex[m.rank],
						j->vertex[r->to[i]], fmax(1, floor(packets + 0.5)));
			}
		}
	}
}

static void write_input(const struct scenario *s, const char *path)
{
	FILE *to = fopen(path, "we");

	if (!to)
		fail("no temporary file");
	fprintf(to, "%d %d %d %d\n", s->mesh->side[0], s->mesh->ndims, s->rounds, s->njobs);
	for (int i = 0; i < s->njobs; i++) {
		fprintf(to, "%d\n", s->job[i].draws);
		for (int d = 0; d < s->job[i].draws; d++)
			write_round(to, s, i, d);
	}
	if (fclose(to))
		fail("the temporary file cannot be written");
}

static void run_packets(const struct scenario *s, double *seconds)
{
	char path[] = "/tmp/packets-XXXXXX", command[4096], line[256];
	int file = mkstemp(path), job = 0;
	FILE *from;

	if (file < 0)
		fail("no temporary file");
	close(file);
	write_input(s, path);
	snprintf(command, sizeof(command), "exec %s <%s", program, path);
	if (!(from = popen(command, "r")))
		fail("no process");
	while (fgets(line, sizeof(line), from)) {
		struct scenario_clock clock;

		if (sscanf(line, "%d %lf %lf", &clock.rounds, &clock.first, &clock.last) == 3 &&
			job < s->njobs)
			seconds[job++] = scenario_time(s, &clock) / FLITS;
	}
	if (pclose(from) || job < s->njobs)
		fail("the replay has failed");
	unlink(path);
}

const struct engine engine_packets = {"packets", prepare_packets, run_packets};
