/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * replay: jobs of a log through a running slurmctld, and what became of them in the figures of
 * smesh sim. tests/replay/run starts the daemons around it.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <slurm/slurm.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "drive.h"
#include "base/hostlist.h"
#include "sim/report.h"
#include "cli/workload.h"
#include "cli/smesh.h"
#include "conf/topoconf.h"
#include "conf/strategies.h"

#define HOPS_ERROR 0.02 /* of the mean hops against the simulation's: is near */
#define HOPS_JOBS 1000	/* of fewer jobs, placed by other knowledge, the means are chance */

struct session {
	const char *topology, *mesh_name, *name, *out, *placements, *agree, *log, *jobcomp,
		*processes, *map_file, *happenings, *associations;
	struct associate_map *map;
	struct workload_options workload;
	struct drive_options drive;
	struct topoconf *conf;
	const struct mesh *mesh;
	struct trace trace;
	struct drive_result result;
	struct summary summary;
	int different; /* jobs whose nodes or start are not the simulation's */
	double simulated_hops;
	struct again_result again;
	double cpu; /* processor seconds */
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	WORKLOAD_OPTIONS,
	{0, "socket", "PATH", "of standin (-s)", OPTION_TEXT, AT(drive.socket)},
	{0, "factor", "F", "seconds of the log in one of ours; 0: wait for events only (0)",
		OPTION_DOUBLE, AT(drive.factor), 0, 1e9},
	{0, "refusing", NULL, "jobs may wait although there are enough nodes (boxes)", OPTION_FLAG,
		AT(drive.refusing)},
	{0, "unhurried", NULL, "jobs start when slurmctld's scheduler comes to it: no nudges",
		OPTION_FLAG, AT(drive.unhurried)},
	{0, "share", "PERCENT", "of jobs' time is messages that share links (0)", OPTION_DOUBLE,
		AT(drive.share), 0, 100},
	{0, "begin", "T", "begin when all nodes are idle, at this second since 1970",
		OPTION_DOUBLE, AT(drive.begin), 0, 1e12},
	{0, "map", "FILE", "users, groups and queues of the log as Slurm's; -: an account a group",
		OPTION_TEXT, AT(map_file)},
	{0, "happenings", "FILE", "nodes down and up, reservations", OPTION_TEXT, AT(happenings)},
	{0, "associations", "FILE",
		"write commands for sacctmgr (and names, FILE.users), no replay", OPTION_TEXT,
		AT(associations)},
	{0, "name", "TEXT", "what the figures are called; the strategy, if it is ours",
		OPTION_TEXT, AT(name)},
	{0, "out", "FILE", "write the figures as JSON", OPTION_TEXT, AT(out)},
	{0, "placements", "FILE", "every job: id in the log, start, end, nodes", OPTION_TEXT,
		AT(placements)},
	{0, "agree", "STRATEGY", "decide and simulate the same and compare every job's nodes",
		OPTION_TEXT, AT(agree)},
	{0, "log", "FILE", "slurmctld's log: the times of the plugin's decisions", OPTION_TEXT,
		AT(log)},
	{0, "jobcomp", "FILE", "jobcomp/filetxt's records: must say the same", OPTION_TEXT,
		AT(jobcomp)},
	{0, "processes", "PID,...", "whose processor time is told, with our own", OPTION_TEXT,
		AT(processes)},
	{0},
};
static const struct command command = {.name = "replay",
	.summary = "jobs of a log through a running slurmctld",
	.usage = "-t FILE --socket=PATH --trace=FILE [OPTION]... | "
		 "--table|--markdown|--merge RESULT...",
	.options = options};

int smesh_fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("replay: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return code;
}

static int prepare(struct session *s)
{
	struct mesh_err err = {{0}};
	int code;

	const struct strategy_ops *ops = strategy_find(s->name ? s->name : "");

	if (ops && ops->flags & STRATEGY_CONTIGUOUS)
		s->drive.refusing = true;
	if (!s->topology || (!s->drive.socket && !s->associations))
		return smesh_fail(SMESH_USAGE, "-t FILE and --socket=PATH are needed");
	if (s->agree && s->drive.factor > 0 && !s->log)
		return smesh_fail(
			SMESH_USAGE, "--agree goes with --factor=0, or with clock.so and --log");
	if (s->agree && !strategy_find(s->agree))
		return smesh_fail(SMESH_USAGE, "--agree=%s: no such strategy", s->agree);
	if (!(s->conf = topoconf_read(s->topology, &hostlist_libslurm, &err)))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!(s->mesh = topoconf_find(s->conf, s->mesh_name, &err)))
		return smesh_fail(SMESH_USAGE, "%s: %s", s->topology, err.text);
	if ((code = workload_load(&s->trace, &s->workload, s->mesh)))
		return code;
	workload_report(&s->trace, &s->workload, s->mesh);
	if (s->map_file &&
		!(s->map = associate_read(strcmp(s->map_file, "-") ? s->map_file : NULL, &err)))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	s->drive.map = s->map;
	s->drive.seed = s->workload.seed;
	if (s->happenings && happen_read(&s->drive.happenings, s->happenings, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	return SMESH_OK;
}

/* What slurmdbd and the clock must know before the replay. */
static int write_associations(const struct session *s)
{
	struct mesh_err err = {{0}};
	char users[4096];

	if (!s->map)
		return smesh_fail(SMESH_USAGE, "--associations goes with --map");
	if ((size_t)snprintf(users, sizeof(users), "%s.users", s->associations) >= sizeof(users))
		return smesh_fail(SMESH_USAGE, "%s: too long", s->associations);
	if (associate_write(s->map, &s->trace, users, s->associations, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	return SMESH_OK;
}

/* ---- what Slurm wrote down ---- */

/* The job with Slurm's id, or -1. Ids ascend with submission. */
static int job_of(const struct session *s, unsigned long id)
{
	int low = 0, high = s->trace.njobs - 1;

	while (low <= high) {
		int middle = low + (high - low) / 2;

		if (s->result.job[middle].id == id)
			return middle;
		if (s->result.job[middle].id > id)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return -1;
}

/* Of "[2030-01-31T12:00:00.123]", local time: milliseconds since 1970; 0 if it is none. */
static int64_t log_time(const char *line)
{
	struct tm tm = {.tm_isdst = -1};
	const char *rest = strptime(line, "[%Y-%m-%dT%H:%M:%S.", &tm);

	return rest ? (int64_t)mktime(&tm) * 1000 + strtol(rest, NULL, 10) : 0;
}

/* A job that is put back into the queue has a line each time; the last one counts. */
static int by_line(const void *a, const void *b, void *jobs)
{
	const struct drive_job *job = jobs;

	return job[*(const int *)a].turn - job[*(const int *)b].turn;
}

/* From numbers of lines to turns without gaps. */
static int count_turns(struct session *s)
{
	int *order = calloc((size_t)s->trace.njobs + 1, sizeof(int)), n = 0;

	if (!order)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < s->trace.njobs; i++)
		if (s->result.job[i].decided)
			order[n++] = i;
	qsort_r(order, (size_t)n, sizeof(int), by_line, s->result.job);
	for (int i = 0; i < n; i++)
		s->result.job[order[i]].turn = i;
	free(order);
	return SMESH_OK;
}

static void read_decision(struct session *s, int job, char *line, int turn)
{
	struct drive_job *placed = &s->result.job[job];
	char *usec = strstr(line, " usec="), *offered = strstr(line, " offered=");

	s->result.engine.record[job].decision_ns = (int)(strtol(usec + 6, NULL, 10) * 1000);
	placed->decided = log_time(line);
	placed->turn = turn;
	placed->offered = offered ? (int)strtol(offered + 9, NULL, 10) : 0;
}

/* Lines of our plugin such as
 *   [2030-01-31T12:00:00.123] select/mesh: JobId=7 mode=run_now strategy=snug wanted=4 offered=9
 * chosen=4 nodes=n[0-3] ... usec=31
 */
static int read_log(struct session *s)
{
	FILE *file = fopen(s->log, "re");
	char *line = NULL, *at;
	size_t room = 0;
	int lines = 0;

	if (!file)
		return smesh_fail(SMESH_USAGE, "%s: %s", s->log, strerror(errno));
	while (getline(&line, &room, file) >= 0) {
		int job;

		if (!strstr(line, " usec=") || !strstr(line, " mode=run_now ") ||
			strstr(line, " chosen=0 ") || !(at = strstr(line, "JobId=")))
			continue;
		job = job_of(s, strtoul(at + 6, NULL, 10));
		if (job >= 0)
			read_decision(s, job, line, lines++);
	}
	free(line);
	fclose(file);
	return count_turns(s);
}

/* The value of KEY= in a line of KEY=VALUE, cut out of it; "" if it has none. */
static char *field(char *line, const char *key)
{
	char *at = strstr(line, key), *end;

	if (!at)
		return line + strlen(line);
	at += strlen(key);
	end = at + strcspn(at, " \n");
	return strndup(at, (size_t)(end - at));
}

/* Slurm's own record of a job against what standin was told: state and nodes. */
static bool same_record(struct session *s, char *line, int job)
{
	char *state = field(line, " JobState="), *hosts = field(line, " NodeList="), **name = NULL;
	struct arena arena = {0};
	const struct drive_job *placed = &s->result.job[job];
	struct mesh_err err = {{0}};
	int count = *hosts ? hostlist_libslurm.expand(hosts, &arena, &name, &err) : -1;
	bool over =
		!strcmp(state, "COMPLETED") || (s->drive.factor > 0 && !strcmp(state, "TIMEOUT"));
	bool same = over && placed->node &&
		    count == s->trace.job[job].count;

	for (int i = 0; same && i < count; i++) {
		int found = 0;

		for (int j = 0; j < count && !found; j++)
			found = !strcmp(name[i], s->mesh->node_name[placed->node[j]]);
		same = found;
	}
	if (!same && s->result.restarts &&
		(!strcmp(state, "NODE_FAIL") || !strcmp(state, "PREEMPTED") ||
			!strcmp(state, "REQUEUED")))
		; /* it comes again */
	else if (!same)
		smesh_fail(0, "job %u: jobcomp says %s on %s", placed->id, state, hosts);
	arena_release(&arena);
	if (*state)
		free(state);
	if (*hosts)
		free(hosts);
	return same;
}

/* jobcomp/filetxt cuts a record after 1,023 bytes, so that the next one follows on the same
 * line. */
static void read_record(struct session *s, char *line, int *same, int *cut)
{
	char *next = strstr(line + 1, "JobId=");
	unsigned long id;
	int job;

	if (next)
		*next = '\0';
	job = sscanf(line, "JobId=%lu ", &id) == 1 ? job_of(s, id) : -1;
	if (job >= 0 && !strstr(line, " NodeCnt="))
		(*cut)++;
	else if (job >= 0)
		*same += same_record(s, line, job);
	if (next) {
		*next = 'J';
		read_record(s, next, same, cut);
	}
}

static int read_jobcomp(struct session *s)
{
	FILE *file = fopen(s->jobcomp, "re");
	char *line = NULL;
	size_t room = 0;
	int same = 0, cut = 0;

	if (!file)
		return smesh_fail(SMESH_USAGE, "%s: %s", s->jobcomp, strerror(errno));
	while (getline(&line, &room, file) >= 0)
		read_record(s, line, &same, &cut);
	free(line);
	fclose(file);
	if (cut)
		smesh_fail(0, "%s: %d records are cut and tell no nodes", s->jobcomp, cut);
	if (same + cut != s->trace.njobs)
		return smesh_fail(SMESH_FAILED, "%s: %d of %d jobs have the record expected",
			s->jobcomp, same, s->trace.njobs);
	return SMESH_OK;
}

/* ---- agreement ---- */

static void compare(void *data, int job, const int *node, int count, int64_t now)
{
	struct session *s = data;
	const struct drive_job *placed = &s->result.job[job];

	if (placed->node && !memcmp(placed->node, node, (size_t)count * sizeof(*node)) &&
		s->result.engine.record[job].start == now)
		return;
	if (!s->different++)
		smesh_fail(0,
			"job %u (line %d) is the first that the simulation places otherwise, %s",
			placed->id, s->trace.job[job].line,
			s->result.engine.record[job].start == now ? "at the same time"
								  : "at another time");
}

/* With the same jobs simulated: s->different, and the mean hops there. */
static int agree_simulation(struct session *s)
{
	struct engine_result simulated = {0};
	struct summary_options whole = {.nodes = s->mesh->nnodes};
	struct mesh_err err = {{0}};
	struct engine_options engine = {.scheduler = ENGINE_FCFS, .seed = s->workload.seed,
		.stop_at = -1, .hops_only = true, .placed = compare, .data = s};
	struct summary summary;
	struct engine_input input = {s->mesh, &s->trace, strategy_find(s->agree)};
	int rc = engine_run(&simulated, &input, &engine, &err);

	if (!rc)
		summarise(&summary, &s->trace, &simulated, &whole);
	engine_release(&simulated);
	if (rc)
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->simulated_hops = summary.mean_hops;
	return SMESH_OK;
}

/* Mean hops over those of the simulation, minus one. */
static double hops_error(const struct session *s)
{
	return s->simulated_hops > 0 ? s->summary.mean_hops / s->simulated_hops - 1 : 0;
}

/* What is not as it should be is told; the count of jobs that were compared. */
static int agree_strategy(struct session *s)
{
	struct mesh_err err = {{0}};
	struct again_result *again = &s->again;
	struct again_replay replay = {
		s->mesh, &s->trace, &s->result, strategy_find(s->agree), s->drive.factor};

	if (again_compare(again, &replay, &err)) {
		smesh_fail(SMESH_FAILED, "%s", err.text);
		return -1;
	}
	if (again->different)
		smesh_fail(0,
			"job %u (line %d) is the first that is not where the strategy puts it",
			s->result.job[again->first].id, s->trace.job[again->first].line);
	return again->asked;
}

/* Under a clock of our own: slurmctld's schedulers are not the simulation's. */
static int agree_on_clock(struct session *s)
{
	const struct again_result *again = &s->again;
	int n = agree_strategy(s);

	if (n < 0)
		return SMESH_FAILED;
	fprintf(stderr,
		"replay: %s: %d of %d jobs as the strategy says (%d for their times); %d were "
		"offered "
		"fewer nodes than were free\n",
		s->agree, n - again->different, n, again->informed, again->narrowed);
	return again->different ? SMESH_NO_FIT : SMESH_OK;
}

/*
 * Every job is where the strategy puts it with slurmctld's knowledge. Where that knowledge made
 * no difference every job is where and when the simulation has it, else the mean hops are near.
 */
static int agree(struct session *s)
{
	const struct again_result *again = &s->again;
	int n;

	if (s->drive.factor > 0)
		return agree_on_clock(s);
	if (agree_simulation(s) || (n = agree_strategy(s)) < 0)
		return SMESH_FAILED;
	fprintf(stderr, "replay: %s: %d of %d jobs as the strategy says (%d for their times), "
			"%d as in the simulation, mean hops %+.2f%%\n",
		s->agree, n - again->different, n, again->informed, n - s->different,
		100 * hops_error(s));
	if (again->different || (s->different && !again->informed) ||
		(n >= HOPS_JOBS && fabs(hops_error(s)) > HOPS_ERROR))
		return SMESH_NO_FIT;
	return SMESH_OK;
}

/* ---- figures ---- */

static int write_out(const struct session *s)
{
	json_t *all = json_object(), *figures = json_object();
	int rc;

	for (const struct summary_row *row = summary_rows; row->key; row++)
		json_object_set_new(
			figures, row->key, report_number(summary_value(&s->summary, row)));
	json_object_set_new(all, "name", json_string(s->name ? s->name : "replay"));
	json_object_set_new(all, "trace", json_string(s->trace.name));
	json_object_set_new(all, "nodes", json_integer(s->mesh->nnodes));
	json_object_set_new(all, "factor", json_real(s->drive.factor));
	json_object_set_new(all, "replay_seconds", json_real(s->result.seconds));
	json_object_set_new(all, "jobs_per_second",
		json_real(s->result.seconds > 0 ? s->trace.njobs / s->result.seconds : 0));
	json_object_set_new(all, "processor_ms_per_job", json_real(1000 * s->cpu / s->trace.njobs));
	json_object_set_new(all, "restarts", json_integer(s->result.restarts));
	json_object_set_new(all, "schedule_cycles", json_integer((json_int_t)s->result.cycles));
	json_object_set_new(all, "schedule_cycle_us", json_real(s->result.cycle_us));
	if (s->agree) {
		json_object_set_new(
			all, "different_from_strategy", json_integer(s->again.different));
		json_object_set_new(all, "placed_by_times", json_integer(s->again.informed));
		json_object_set_new(all, "offered_fewer", json_integer(s->again.narrowed));
	}
	if (s->agree && s->drive.factor <= 0) {
		json_object_set_new(all, "different_from_simulation", json_integer(s->different));
		json_object_set_new(all, "simulated_mean_hops", json_real(s->simulated_hops));
	}
	json_object_set_new(all, "figures", figures);
	rc = s->out ? json_dump_file(all, s->out, JSON_INDENT(1) | JSON_REAL_PRECISION(9))
		    : json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	json_decref(all);
	if (!s->out)
		putchar('\n');
	return rc ? smesh_fail(SMESH_FAILED, "%s: cannot be written", s->out ? s->out : "output")
		  : 0;
}

static int write_placements(const struct session *s)
{
	FILE *file = fopen(s->placements, "we");

	if (!file)
		return smesh_fail(SMESH_USAGE, "%s: %s", s->placements, strerror(errno));
	for (int i = 0; i < s->trace.njobs; i++) {
		const struct engine_record *record = &s->result.engine.record[i];
		int count = s->trace.job[i].count;
		char **name = calloc((size_t)count, sizeof(*name)), *hosts;

		for (int j = 0; name && j < count; j++)
			name[j] = s->mesh->node_name[s->result.job[i].node[j]];
		hosts = name ? hostlist_libslurm.compress(name, count) : NULL;
		fprintf(file, "%lld %.6f %.6f %s\n", (long long)s->trace.job[i].id,
			(double)record->start / SIM_SECOND, (double)record->end / SIM_SECOND,
			hosts ? hosts : "");
		free(hosts);
		free(name);
	}
	return fclose(file) ? smesh_fail(SMESH_FAILED, "%s: cannot be written", s->placements) : 0;
}

/* Processor time of a process so far, from /proc: fields 14 and 15, behind a name in brackets. */
static double cpu_of(long pid)
{
	unsigned long long user, system;
	char path[64], line[1024] = "", *at;
	double seconds = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fgets(line, sizeof(line), file) && (at = strrchr(line, ')')) &&
		sscanf(at + 1, "%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%llu%llu", &user, &system) == 2)
		seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	fclose(file);
	return seconds;
}

/* Of the processes named and of this one. */
static double cpu_seconds(const struct session *s)
{
	double sum = cpu_of(getpid());
	char *end;

	for (const char *at = s->processes; at && *at; at = *end ? end + 1 : end) {
		sum += cpu_of(strtol(at, &end, 10));
		if (end == at)
			break;
	}
	return sum;
}

static int run(struct session *s)
{
	struct summary_options summary = {
		.nodes = s->mesh->nnodes, .contention = s->drive.share > 0};
	struct mesh_err err = {{0}};
	int code;

	s->drive.bar = isatty(STDERR_FILENO);
	s->cpu = -cpu_seconds(s);
	if (drive_run(&s->result, s->mesh, &s->trace, &s->drive, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->cpu += cpu_seconds(s);
	if (s->log && (code = read_log(s)))
		return code;
	summarise(&s->summary, &s->trace, &s->result.engine, &summary);
	code = s->agree ? agree(s) : SMESH_OK;
	if (code == SMESH_OK || code == SMESH_NO_FIT) {
		int written = write_out(s);

		if (!written && s->placements)
			written = write_placements(s);
		if (!written && s->jobcomp)
			written = read_jobcomp(s);
		code = written ? written : code;
	}
	return code;
}

/* ---- several results side by side ---- */

struct columns {
	json_t **result; /* [count] */
	int count;
	bool markdown;
};

static void print_cell(const struct columns *c, bool first, const char *text)
{
	printf(c->markdown ? (first ? "| %s |" : " %s |") : (first ? "%-16s" : " %11s"), text);
}

static void print_rule(int columns)
{
	printf("|---|");
	for (int i = 1; i < columns; i++)
		printf("---:|");
	putchar('\n');
}

static double figure(const struct columns *c, int i, const struct summary_row *row)
{
	return json_number_value(
		json_object_get(json_object_get(c->result[i], "figures"), row->key));
}

/*
 * What a replay does not measure (contention on links, ...) is zero in all results: no column. A
 * page has all others, of which contrib/figures takes some.
 */
static bool has_column(const struct columns *c, const struct summary_row *row)
{
	for (int i = 0; (c->markdown || row->show != SUMMARY_LONG) && i < c->count; i++)
		if (figure(c, i, row) != 0)
			return true;
	return false;
}

/*
 * A figure with the decimals that the table of smesh sim has, and two more of hops where pages
 * quote it. Stock plugins tell no times.
 */
static void print_figure(const struct columns *c, int i, const struct summary_row *row)
{
	bool untold = !strncmp(row->key, "decision_", 9) && figure(c, i, row) == 0;
	int more = c->markdown && row->decimals == 2 ? 2 : 0;
	char text[32];

	snprintf(text, sizeof(text), "%.*f", row->decimals + more, figure(c, i, row));
	print_cell(c, false, untold ? "-" : text);
}

static void print_table(const struct columns *c)
{
	int columns = 2;

	print_cell(c, true, "strategy");
	for (const struct summary_row *row = summary_rows; row->key; row++)
		if (has_column(c, row) && ++columns)
			print_cell(c, false, row->title);
	print_cell(c, false, "replay s");
	putchar('\n');
	if (c->markdown)
		print_rule(columns);
	for (int i = 0; i < c->count; i++) {
		json_t *all = c->result[i];
		char text[32];

		print_cell(c, true, json_string_value(json_object_get(all, "name")));
		for (const struct summary_row *row = summary_rows; row->key; row++)
			if (has_column(c, row))
				print_figure(c, i, row);
		snprintf(text, sizeof(text), "%.1f",
			json_number_value(json_object_get(all, "replay_seconds")));
		print_cell(c, false, text);
		putchar('\n');
	}
}

/* The shape of smesh sim --json. */
static int print_json(const struct columns *c)
{
	json_t *out = json_object(), *strategies = json_object();
	int rc;

	json_object_set(out, "trace", json_object_get(c->result[0], "trace"));
	json_object_set_new(out, "strategies", strategies);
	for (int i = 0; i < c->count; i++)
		json_object_set(strategies,
			json_string_value(json_object_get(c->result[i], "name")),
			json_object_get(c->result[i], "figures"));
	rc = json_dumpf(out, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(out);
	return rc ? SMESH_FAILED : SMESH_OK;
}

static int read_result(const char *path, json_t **out)
{
	json_error_t error;

	*out = json_load_file(path, 0, &error);
	if (!json_is_object(json_object_get(*out, "figures")) ||
		!json_string_value(json_object_get(*out, "name")))
		return smesh_fail(SMESH_USAGE, "%s: not a result of replay", path);
	return SMESH_OK;
}

/* replay --table|--markdown|--merge FILE... */
static int side_by_side(const char *how, int count, char **paths)
{
	struct columns c = {.count = count, .markdown = !strcmp(how, "--markdown")};
	int code = SMESH_OK;

	c.result = calloc((size_t)count, sizeof(*c.result));
	if (!c.result)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < count && code == SMESH_OK; i++)
		code = read_result(paths[i], &c.result[i]);
	if (code == SMESH_OK && !strcmp(how, "--merge"))
		code = print_json(&c);
	else if (code == SMESH_OK)
		print_table(&c);
	for (int i = 0; i < count; i++)
		json_decref(c.result[i]);
	free(c.result);
	return code;
}

int main(int argc, char **argv)
{
	struct session s = {.workload = WORKLOAD_USUAL};
	int code;

	if (argc > 2 && (!strcmp(argv[1], "--table") || !strcmp(argv[1], "--markdown") ||
				!strcmp(argv[1], "--merge")))
		return side_by_side(argv[1], argc - 2, argv + 2);
	code = options_read(&command, argc, argv, &s);
	code = code ? code : prepare(&s);
	if (!code)
		code = s.associations ? write_associations(&s) : run(&s);
	drive_release(&s.result, s.trace.njobs);
	associate_free(s.map);
	happen_release(&s.drive.happenings);
	trace_release(&s.trace);
	topoconf_free(s.conf);
	return code;
}
