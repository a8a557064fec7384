/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program beside a clock (clock.h): it makes the table and looks, in real time, whether all
 * goes well. When a process on the clock is killed, or one works for too long without ever
 * waiting, it says so in one line and kills all. It ends as well when its parent does.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

enum { LOOK_MS = 100, SETTLE_SECONDS = 10, FAILED = 1, USAGE = 2 };

struct keeper {
	const char *path;
	double patience; /* seconds of real time */
	int64_t start;
	struct clock_table *table;
	pid_t parent;
	uint64_t turns;	 /* at the last look */
	int64_t stands;	 /* since then, milliseconds */
};

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static const char *time_text(const struct keeper *k, char text[32])
{
	time_t now = (time_t)(k->table->now / CLOCK_SECOND);
	struct tm parts;

	strftime(text, 32, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now, &parts));
	return text;
}

static void wake_all(const struct keeper *k)
{
	for (int i = 0; i < k->table->high; i++)
		clock_futex(&k->table->slot[i].go, FUTEX_WAKE, INT_MAX, NULL);
	for (int i = 0; i < k->table->processes; i++)
		clock_futex(&k->table->process[i].go, FUTEX_WAKE, INT_MAX, NULL);
}

/* Those that wait end by themselves when they are woken; the others are killed. */
static void end_all(const struct keeper *k)
{
	const struct timespec moment = {.tv_nsec = 300 * 1000000L};

	k->table->ended = true;
	wake_all(k);
	nanosleep(&moment, NULL);
	for (int i = 0; i < CLOCK_PROCESSES; i++)
		if (k->table->process[i].pid > 0)
			kill(k->table->process[i].pid, SIGKILL);
}

/* A process that has gone without leaving the clock; NULL: none. A fork under way has no number. */
static const struct clock_process *gone(const struct keeper *k)
{
	for (int i = 0; i < k->table->processes; i++) {
		const struct clock_process *p = &k->table->process[i];
		char path[64], state = 'Z';
		FILE *file;

		if (p->pid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/stat", p->pid);
		file = fopen(path, "re");
		if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			state = 'Z';
		if (file)
			fclose(file);
		if (state == 'Z' && p->pid > 0)
			return p;
	}
	return NULL;
}

/* Once it has been gone for two looks: who just ends is not in the table at the second. */
static bool somebody_died(struct keeper *k, const struct clock_process **before)
{
	const struct clock_process *process = gone(k);
	bool died = process && process == *before;
	char text[32];

	*before = process;
	if (died)
		fprintf(stderr,
			"replay clock: %s (process %d) was killed or crashed at %s of the log's "
			"clock; the replay ends\n",
			process->name[0] ? process->name : "a process", process->pid,
			time_text(k, text));
	return died;
}

/* Somebody keeps the turn and never waits, or waits for something outside that does not come. */
static bool stands_still(struct keeper *k)
{
	int holder = k->table->holder;
	char text[32];

	if (k->turns != k->table->turns || holder == CLOCK_NOBODY) {
		k->turns = k->table->turns;
		k->stands = 0;
		return false;
	}
	k->stands += LOOK_MS;
	if ((double)k->stands < k->patience * 1000)
		return false;
	int process = k->table->slot[holder].process;

	fprintf(stderr,
		"replay clock: %s (process %d) works or waits outside for %.0f s, at %s of the "
		"log's clock; the replay ends\n",
		process >= 0 ? k->table->process[process].name : "nobody",
		process >= 0 ? k->table->process[process].pid : 0, k->patience, time_text(k, text));
	return true;
}

/* Signals and what else comes from outside is found by looking. */
static void look_outside(const struct keeper *k)
{
	table_touch(k->table, CLOCK_NOBODY);
	if (table_try_lock(
		    k->table)) /* otherwise who has it was killed, which the next look finds */
		table_kick(k->table);
}

static int watch(struct keeper *k)
{
	const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
	const struct clock_process *missing = NULL;

	while (!stopped && getppid() == k->parent) {
		nanosleep(&look, NULL);
		if (k->table->ended || somebody_died(k, &missing) || stands_still(k))
			return FAILED;
		look_outside(k);
	}
	return 0;
}

static int keep(struct keeper *k)
{
	int code;

	k->table = table_create(k->path, k->start * CLOCK_SECOND);
	if (!k->table) {
		fprintf(stderr, "replay clock: %s: %s\n", k->path, strerror(errno));
		return FAILED;
	}
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	signal(SIGHUP, stop);
	code = watch(k);
	end_all(k);
	unlink(k->path); /* who finds it knows that the keeper was killed */
	return code;
}

/* So many processes are on the clock, and all of them wait, longer than time may jump. */
static bool all_settled(struct clock_table *t, int processes)
{
	int joined = 0;
	bool still;

	table_lock(t);
	for (int i = 0; i < CLOCK_PROCESSES; i++)
		joined += t->process[i].pid > 0;
	still = t->holder == CLOCK_NOBODY && t->first == CLOCK_NOBODY && !t->dirty;
	table_unlock(t);
	return joined >= processes && still;
}

/* When they have settled at the moment of their start, they get some seconds more. */
static int settle(const char *path, int processes)
{
	const struct timespec look = {.tv_nsec = 10 * 1000000L};
	struct clock_table *t = table_open(path);

	for (int round = 0; round < 2; round++) {
		while (t && !t->ended && kill(t->keeper, 0) == 0 && !all_settled(t, processes))
			nanosleep(&look, NULL);
		if (!t || t->ended || kill(t->keeper, 0))
			return FAILED;
		if (round == 0) {
			table_lock(t);
			t->until += SETTLE_SECONDS * CLOCK_SECOND;
			table_kick(t);
		}
	}
	return 0;
}

static const char usage[] =
	"Usage: keeper [--start=SECONDS] [--patience=SECONDS] FILE\n"
	"       keeper --settle=PROCESSES FILE\n"
	"Keeps a clock in FILE for the processes that have MESH_CLOCK=FILE and LD_PRELOAD=clock.so "
	"in\n"
	"their environment, until it gets SIGTERM: then it kills them. Time stands still until "
	"one\n"
	"joins that has MESH_CLOCK_GO.\n"
	"\n"
	"  --start=SECONDS      the clock's first moment, from 1970 (1893456000: 2030)\n"
	"  --patience=SECONDS   of real time that one may work without ever waiting (120)\n"
	"  --settle=PROCESSES   return when so many have joined and all of them wait\n"
	"  --help\n";

int main(int argc, char **argv)
{
	static const struct option options[] = {{"start", 1, NULL, 's'}, {"patience", 1, NULL, 'p'},
		{"settle", 1, NULL, 'w'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
	struct keeper k = {.patience = 120, .start = 1893456000, .parent = getppid()};
	int c, processes = 0;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's': k.start = strtoll(optarg, NULL, 10); break;
		case 'p': k.patience = strtod(optarg, NULL); break;
		case 'w': processes = atoi(optarg); break;
		case 'h': return fputs(usage, stdout) < 0;
		default: return USAGE;
		}
	}
	if (optind + 1 != argc || k.start <= 0 || k.patience <= 0) {
		fputs(usage, stderr);
		return USAGE;
	}
	k.path = argv[optind];
	return processes ? settle(k.path, processes) : keep(&k);
}
