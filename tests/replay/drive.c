/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drive.h"

#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "network.h"
#include "base/hostlist.h"
#include "sim/engine.h"
#include "slurm_public.h"

/* Of what the drive takes, until it is over. */
static struct arena arena;

/* libslurm has it, but slurm.h forgot it. */
void slurm_free_stats_response_msg(stats_info_response_msg_t *msg);

enum {
	PATIENCE_MS = 20000, /* for an answer that must come */
	NUDGE_MS = 20,
	AWAIT_SECONDS = 600,
	GIVE_UP_DAYS = 14,
	HOUR_MS = 3600 * 1000,
	SETTLE_MS = 5,	     /* for slurmctld's scheduler to take its locks */
	COMPLETE_US = 500,   /* between two looks whether a job's nodes are free */
	LINE_MAX_SIZE = 1 << 20,
};

enum job_state { WAITING, QUEUED, RUNNING, ENDING, FREE };

struct drive {
	const struct mesh *mesh;
	const struct trace *trace;
	const struct drive_options *options;
	struct drive_result *result;
	struct mesh_err *err;
	struct mesh_meter *meter;
	struct network *network; /* NULL: jobs end when the log says */
	int fd;
	char *line; /* what was read of the next line */
	size_t have;
	uint8_t *state;	  /* [njobs] enum job_state */
	int *running;	  /* jobs that run */
	int *ending;	  /* those of them that end now */
	int nrunning;
	int next, head;	  /* the next to submit; the first that has not started */
	int nfree;	  /* nodes */
	int done;
	int *by_name;	  /* [nnodes] nodes by name */
	int *of_id;	  /* [nids] job whose Slurm id is first_id + i, or -1 */
	uint32_t first_id;
	int nids;
	int64_t now;	  /* of the trace; with the clock of events */
	int64_t began;	  /* of this machine, microseconds */
	int64_t nudged;	  /* when, likewise */
	int64_t heard;	  /* when standin last told something, likewise */
	int happened;	  /* of options->happenings */
};

static int64_t machine_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

/* Seconds since 1970. */
static double wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The machine's own, whatever is preloaded: what a replay takes. */
static double own_seconds(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int64_t trace_clock(const struct drive *d)
{
	if (d->options->factor <= 0)
		return d->now;
	return (int64_t)((double)(machine_clock() - d->began) * d->options->factor);
}

/* ---- names ---- */

static int compare_names(const void *a, const void *b, void *mesh)
{
	char **name = ((const struct mesh *)mesh)->node_name;

	return strcmp(name[*(const int *)a], name[*(const int *)b]);
}

static int find_node(const struct drive *d, const char *name)
{
	int low = 0, high = d->mesh->nnodes - 1;

	while (low <= high) {
		int middle = low + (high - low) / 2;
		int order = strcmp(name, d->mesh->node_name[d->by_name[middle]]);

		if (!order)
			return d->by_name[middle];
		if (order < 0)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return -1;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The nodes of a host list, ascending, into a new array. NULL with text. */
static int *read_nodes(struct drive *d, const char *hosts, int count)
{
	struct arena list = {0};
	char **name = NULL;
	int n = hostlist_libslurm.expand(hosts, &list, &name, d->err);
	int *node = n == count ? malloc((size_t)count * sizeof(*node)) : NULL;

	for (int i = 0; node && i < n; i++)
		if ((node[i] = find_node(d, name[i])) < 0) {
			err_printf(d->err, "node %s is not in the mesh", name[i]);
			free(node);
			node = NULL;
		}
	if (n >= 0 && n != count)
		err_printf(d->err, "%d nodes wanted, but slurmctld gave %s", count, hosts);
	if (node)
		qsort(node, (size_t)count, sizeof(*node), compare_ints);
	arena_release(&list);
	return node;
}

/* ---- what standin tells ---- */

static void no_longer_runs(struct drive *d, int job)
{
	for (int i = 0; i < d->nrunning; i++)
		if (d->running[i] == job) {
			d->running[i] = d->running[--d->nrunning];
			return;
		}
}

/* Its nodes failed, or a better job took them, and it was put back into the queue. */
static void restarts(struct drive *d, int job)
{
	if (d->state[job] == FREE) {
		d->done--;
	} else {
		no_longer_runs(d, job);
		d->nfree += d->trace->job[job].count;
	}
	if (d->network)
		network_stop(d->network, job, trace_clock(d));
	free(d->result->job[job].node);
	d->result->restarts++;
}

static int started(struct drive *d, int job, const char *hosts)
{
	struct engine_record *record = &d->result->engine.record[job];
	struct drive_job *placed = &d->result->job[job];
	int count = d->trace->job[job].count;

	if (d->state[job] != QUEUED && !d->options->unhurried)
		return err_printf(d->err, "job %u was launched twice", placed->id);
	if (d->state[job] != QUEUED)
		restarts(d, job);
	placed->node = read_nodes(d, hosts, count);
	if (!placed->node)
		return -1;
	d->result->starts++;
	record->start = trace_clock(d);
	measure_nodes(d->meter, d->mesh,
		&(struct mesh_answer){.node = placed->node, .count = count}, false, record);
	d->state[job] = RUNNING;
	d->running[d->nrunning++] = job;
	d->nfree -= count;
	while (d->head < d->next && d->state[d->head] != QUEUED)
		d->head++;
	if (d->network && network_start(d->network, job, placed->node, record->start))
		return err_printf(d->err, "out of memory");
	return 0;
}

static int ended(struct drive *d, int job)
{
	struct engine_record *record = &d->result->engine.record[job];

	if (d->options->factor > 0)
		record->end = trace_clock(d);
	if (record->end < 0 || d->state[job] != RUNNING)
		return err_printf(d->err, "job %u ended by itself", d->result->job[job].id);
	if (d->network)
		network_stop(d->network, job, record->end);
	d->state[job] = ENDING;
	return 0;
}

static void freed(struct drive *d, int job)
{
	d->state[job] = FREE;
	d->result->job[job].freed = (int64_t)(wall_clock() * 1000);
	d->nfree += d->trace->job[job].count;
	d->done++;
	no_longer_runs(d, job);
}

static int told(struct drive *d, const char *line)
{
	unsigned id;
	int hosts = 0, job;
	char what[8];

	if (sscanf(line, "%7s %u %n", what, &id, &hosts) < 2)
		return err_printf(d->err, "standin: cannot read '%.40s'", line);
	if (id < d->first_id || id - d->first_id >= (unsigned)d->nids)
		return 0; /* somebody else's job */
	job = d->of_id[id - d->first_id];
	if (job < 0)
		return 0;
	if (!strcmp(what, "start"))
		return started(d, job, line + hosts);
	if (!strcmp(what, "over"))
		return ended(d, job);
	if (!strcmp(what, "free"))
		freed(d, job);
	return 0;
}

/* Read what is there, waiting for it up to ms. 0, or -1 with text. */
static int hear(struct drive *d, int ms)
{
	struct pollfd poll_fd = {.fd = d->fd, .events = POLLIN};
	ssize_t got;
	char *end;

	if (poll(&poll_fd, 1, ms) <= 0)
		return 0;
	d->heard = machine_clock();
	got = recv(d->fd, d->line + d->have, LINE_MAX_SIZE - 1 - d->have, 0);
	if (got <= 0)
		return err_printf(d->err, "standin is gone");
	d->have += (size_t)got;
	d->line[d->have] = '\0';
	for (char *line = d->line; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (told(d, line))
			return -1;
		if (!strchr(end + 1, '\n')) {
			d->have -= (size_t)(end + 1 - d->line);
			memmove(d->line, end + 1, d->have + 1);
			break;
		}
	}
	return 0;
}

static int tell(struct drive *d, const char *line)
{
	ssize_t size = (ssize_t)strlen(line);

	if (send(d->fd, line, (size_t)size, MSG_NOSIGNAL) != size)
		return err_printf(d->err, "standin is gone");
	return 0;
}

/* ---- submission ---- */

static int note_id(struct drive *d, int job, uint32_t id)
{
	if (!d->nids)
		d->first_id = id;
	if (id < d->first_id)
		return err_printf(d->err, "job ids go down: %u after %u", id, d->first_id);
	while ((unsigned)d->nids <= id - d->first_id) {
		int *more = realloc(d->of_id, ((size_t)d->nids + 1024) * sizeof(int));

		if (!more)
			return err_printf(d->err, "out of memory");
		d->of_id = more;
		for (int i = 0; i < 1024; i++)
			d->of_id[d->nids++] = -1;
	}
	d->of_id[id - d->first_id] = job;
	d->result->job[job].id = id;
	return 0;
}

/* Slurm's limit is in whole minutes. With a clock of our own it only tells strategies what to
 * expect, and nobody is held to it (tests/replay/run sets OverTimeLimit). */
uint32_t drive_limit(const struct trace_job *job, double factor)
{
	int64_t length = job->estimate ? job->estimate : job->run;

	if (factor > 0)
		length = (int64_t)((double)length / factor);
	int64_t minutes = (length + 60 * SIM_SECOND - 1) / (60 * SIM_SECOND);

	return minutes < 1 ? 1 : minutes > 1000000 ? DRIVE_NO_LIMIT : (uint32_t)minutes;
}

/* Whose job it is; the texts belong to the map and the log. */
static int associate(struct drive *d, int job, job_desc_msg_t *desc)
{
	struct association a;
	const struct passwd *user;

	if (!d->options->map)
		return 0;
	a = associate_job(d->options->map, d->trace, job);
	user = getpwnam(a.user);
	if (!user)
		return err_printf(d->err, "user %s is not known to this machine", a.user);
	desc->user_id = user->pw_uid;
	desc->group_id = user->pw_gid;
	desc->account = (char *)(uintptr_t)a.account;
	desc->qos = (char *)(uintptr_t)a.qos;
	desc->partition = (char *)(uintptr_t)a.partition;
	desc->features = (char *)(uintptr_t)a.feature;
	return 0;
}

static int submit(struct drive *d, int job)
{
	const struct trace_job *from = &d->trace->job[job];
	double factor = d->options->factor;
	char runtime[64], path[] = "PATH=/bin:/usr/bin", script[] = "#!/bin/sh\ntrue\n";
	char name[] = "replay", work[] = "/", null[] = "/dev/null";
	char *environment[] = {path, runtime};
	submit_response_msg_t *response = NULL;
	job_desc_msg_t desc;

	snprintf(runtime, sizeof(runtime), "MESH_RUNTIME=%.6f",
		factor > 0 && !d->network ? (double)from->run / SIM_SECOND / factor : 1e8);
	slurm_init_job_desc_msg(&desc);
	desc.name = name;
	desc.script = script;
	desc.work_dir = work;
	desc.std_in = desc.std_out = desc.std_err = null;
	desc.environment = environment;
	desc.env_size = 2;
	desc.user_id = getuid();
	desc.group_id = getgid();
	desc.min_nodes = desc.max_nodes = (uint32_t)from->count;
	desc.num_tasks = (uint32_t)from->count;
	desc.shared = 0; /* whole nodes */
	desc.time_limit = drive_limit(from, factor);
	if (desc.time_limit == DRIVE_NO_LIMIT)
		desc.time_limit = INFINITE;
	if (associate(d, job, &desc))
		return -1;
	if (slurm_submit_batch_job(&desc, &response) != SLURM_SUCCESS)
		return err_printf(d->err, "job of line %d: %s", from->line,
			slurm_strerror(errno));
	d->state[job] = QUEUED;
	d->next = job + 1;
	if (d->head > job)
		d->head = job;
	int rc = note_id(d, job, submitted_id(response));

	slurm_free_submit_response_response_msg(response);
	return rc;
}

/* ---- slurmctld's own figures ---- */

static int statistics(struct drive *d, stats_info_response_msg_t **out)
{
	stats_info_request_msg_t request = {.command_id = STAT_COMMAND_GET};

	if (slurm_get_statistics(out, &request) != SLURM_SUCCESS)
		return err_printf(d->err, "slurmctld's statistics: %s",
			slurm_strerror(errno));
	return 0;
}

static int cycles(struct drive *d, uint64_t *count)
{
	stats_info_response_msg_t *stats = NULL;

	if (statistics(d, &stats))
		return -1;
	*count = stats->schedule_cycle_counter;
	slurm_free_stats_response_msg(stats);
	return 0;
}

/* slurmctld's state of a job, and its start. Comes after what its scheduler is doing just now. */
static int job_state(struct drive *d, int job, uint32_t *state)
{
	job_info_msg_t *info = NULL;

	if (load_job(&info, d->result->job[job].id) != SLURM_SUCCESS)
		return err_printf(d->err, "job %u: %s", d->result->job[job].id,
			slurm_strerror(errno));
	*state = info->record_count ? info->job_array[0].job_state : (uint32_t)JOB_END;
	if (info->record_count)
		d->result->job[job].start = info->job_array[0].start_time;
	slurm_free_job_info_msg(info);
	return 0;
}

/* 1 the job waits, 0 it runs, -1 with text. */
static int is_pending(struct drive *d, int job)
{
	uint32_t state;

	if (job_state(d, job, &state))
		return -1;
	return (state & JOB_STATE_BASE) == JOB_PENDING;
}

/* Until slurmctld has taken in that all nodes of a job are done with it. */
static int wait_complete(struct drive *d, int job)
{
	int64_t until = machine_clock() + PATIENCE_MS * INT64_C(1000);
	uint32_t state;

	while (!job_state(d, job, &state)) {
		if (!(state & JOB_COMPLETING)) {
			d->result->job[job].starts_before_end = d->result->starts;
			return 0;
		}
		if (machine_clock() > until)
			return err_printf(d->err, "job %u keeps its nodes", d->result->job[job].id);
		usleep(COMPLETE_US);
	}
	return -1;
}

/* ---- the clock of events ---- */

/* Until the job is in this state or a later one. */
static int wait_state(struct drive *d, int job, enum job_state state)
{
	int64_t until = machine_clock() + PATIENCE_MS * INT64_C(1000);

	while (d->state[job] < state) {
		if (hear(d, 100) || (d->state[job] < state && tell(d, "nudge\n")))
			return -1;
		if (machine_clock() > until)
			return err_printf(d->err, "job %u (%d nodes) did not %s",
				d->result->job[job].id, d->trace->job[job].count,
				state == FREE ? "end" : "start");
	}
	return 0;
}

/* Does the first job in the queue wait although there are nodes enough? 1, 0, or -1. */
static int refused(struct drive *d, int job, uint64_t before)
{
	int64_t until = machine_clock() + PATIENCE_MS * INT64_C(1000);
	uint64_t after = before;

	if (hear(d, SETTLE_MS))
		return -1;
	while (d->state[job] == QUEUED && after <= before && machine_clock() < until)
		if (cycles(d, &after) || hear(d, 1))
			return -1;
	return d->state[job] == QUEUED ? is_pending(d, job) : 0;
}

/* Until everything has started that can. before: scheduling cycles before the last event. */
static int settle(struct drive *d, uint64_t before)
{
	while (d->head < d->next && d->trace->job[d->head].count <= d->nfree) {
		int job = d->head, rc = d->options->refusing ? refused(d, job, before) : 0;

		if (rc)
			return rc < 0 ? -1 : 0;
		if (wait_state(d, job, RUNNING))
			return -1;
	}
	return 0;
}

static int64_t end_of(const struct drive *d, int job)
{
	return d->result->engine.record[job].start + d->trace->job[job].run;
}

/*
 * May jobs start? Nodes come free one by one, with their epilogs, and each time slurmctld looks
 * at its queue; in the simulation all that is freed at one moment is there at once.
 */
static int open_partition(struct drive *d, bool open)
{
	char name[] = "all";
	partition_info_t part;

	slurm_init_part_desc_msg(&part);
	part.name = name;
	part.state_up = open ? PARTITION_UP : PARTITION_INACTIVE;
	if (slurm_update_partition(&part) != SLURM_SUCCESS)
		return err_printf(d->err, "partition %s: %s", name, slurm_strerror(errno));
	return 0;
}

/* End the n jobs in d->ending now and wait until their nodes are free. */
static int end_these(struct drive *d, int n, int64_t now)
{
	char line[32];

	for (int i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "end %u\n", d->result->job[d->ending[i]].id);
		d->result->engine.record[d->ending[i]].end = now;
		if (tell(d, line))
			return -1;
	}
	for (int i = 0; i < n; i++)
		if (wait_state(d, d->ending[i], FREE) || wait_complete(d, d->ending[i]))
			return -1;
	return 0;
}

static int end_jobs(struct drive *d, int64_t now)
{
	uint64_t before = 0;
	int n = 0, room = d->nfree;
	bool close;

	for (int i = 0; i < d->nrunning; i++)
		if (end_of(d, d->running[i]) == now) {
			d->ending[n++] = d->running[i];
			room += d->trace->job[d->running[i]].count;
		}
	close = d->head < d->next && room >= d->trace->job[d->head].count;
	if (close && open_partition(d, false))
		return -1;
	if (d->options->refusing && !close && cycles(d, &before))
		return -1;
	if (end_these(d, n, now))
		return -1;
	if (close && ((d->options->refusing && cycles(d, &before)) || open_partition(d, true) ||
			     tell(d, "nudge\n")))
		return -1;
	return settle(d, before);
}

static int submit_event(struct drive *d)
{
	int job = d->next;
	bool first = d->head == job;
	uint64_t before = 0;

	if (d->options->refusing && cycles(d, &before))
		return -1;
	if (submit(d, job))
		return -1;
	if (!first || d->trace->job[job].count > d->nfree)
		return 0;
	return tell(d, "nudge\n") ? -1 : settle(d, before);
}

static void show(const struct drive *d)
{
	if (d->options->bar)
		fprintf(stderr, "\r%d of %d jobs ", d->done, d->trace->njobs);
}

static int run_events(struct drive *d)
{
	int n = d->trace->njobs;

	while (d->next < n || d->nrunning) {
		int64_t end = INT64_MAX,
			next = d->next < n ? d->trace->job[d->next].submit : INT64_MAX;

		for (int i = 0; i < d->nrunning; i++)
			if (end_of(d, d->running[i]) < end)
				end = end_of(d, d->running[i]);
		d->now = end <= next ? end : next;
		if (end <= next ? end_jobs(d, end) : submit_event(d))
			return -1;
		show(d);
	}
	return d->done == n ? 0 : err_printf(d->err, "%d jobs never started", n - d->done);
}

/* ---- the clock of this machine ---- */

/* slurmctld would start batch jobs once a second, which is long on a clock that runs fast. */
static int nudge_sometimes(struct drive *d)
{
	int64_t now = machine_clock();

	if (d->options->unhurried || d->head >= d->next ||
		now < d->nudged + NUDGE_MS * INT64_C(1000))
		return 0;
	d->nudged = now;
	return tell(d, "nudge\n");
}

/* When the next job is submitted or done, or something happens to the machine; of the trace's
 * clock. */
static int64_t next_due(const struct drive *d)
{
	const struct happenings *all = &d->options->happenings;
	int64_t job = d->next < d->trace->njobs ? d->trace->job[d->next].submit : INT64_MAX;
	int64_t other =
		d->happened < all->count ? all->list[d->happened].when * SIM_SECOND : INT64_MAX;
	int64_t end = d->network ? network_next(d->network, &(int){0}) : INT64_MAX;

	job = end < job ? end : job;
	return other <= job ? other : job;
}

/* The network says that it is done. */
static int end_job(struct drive *d, int job)
{
	char line[32];

	network_stop(d->network, job, trace_clock(d));
	snprintf(line, sizeof(line), "end %u\n", d->result->job[job].id);
	return tell(d, line);
}

static int do_due(struct drive *d)
{
	const struct happenings *all = &d->options->happenings;
	int job = 0;

	if (d->network && network_next(d->network, &job) <= trace_clock(d))
		return end_job(d, job);
	if (d->happened < all->count && all->list[d->happened].when * SIM_SECOND <= trace_clock(d))
		return happen_now(&all->list[d->happened++], d->began / 1000000, d->err);
	return submit(d, d->next) || hear(d, 0) || nudge_sometimes(d) ? -1 : 0;
}

/* Jobs that Slurm has not done with: they may have been put back into the queue. -1 with text. */
static int unfinished(struct drive *d)
{
	job_info_msg_t *info = NULL;
	int count = 0;

	if (slurm_load_jobs(0, &info, SHOW_ALL) != SLURM_SUCCESS)
		return err_printf(d->err, "jobs: %s", slurm_strerror(errno));
	for (uint32_t i = 0; i < info->record_count; i++)
		count += (info->job_array[i].job_state & JOB_STATE_BASE) < JOB_COMPLETE;
	slurm_free_job_info_msg(info);
	return count;
}

/* With nothing more to submit: has it come to an end, or will it never? 1, 0, or -1 with text. */
static int is_over(struct drive *d)
{
	int left;

	if (d->happened < d->options->happenings.count ||
		(d->nrunning && d->done < d->trace->njobs))
		return 0;
	if (!d->options->unhurried)
		return d->done == d->trace->njobs;
	left = unfinished(d);
	if (left <= 0)
		return left < 0 ? -1 : 1;
	if (machine_clock() > d->heard + GIVE_UP_DAYS * 86400 * INT64_C(1000000))
		return err_printf(d->err, "%d jobs never start, with all nodes idle", left);
	return 0;
}

static int run_real(struct drive *d)
{
	for (;;) {
		int ms = d->options->unhurried ? HOUR_MS : d->head < d->next ? NUDGE_MS : 1000;
		int64_t due = next_due(d), wait = due - trace_clock(d);
		int over = due == INT64_MAX ? is_over(d) : 0;

		if (over)
			return over < 0 ? -1 : 0;
		if (due < INT64_MAX && wait <= 0) {
			if (do_due(d))
				return -1;
			continue;
		}
		if (due < INT64_MAX && (double)wait / d->options->factor / 1000 < ms)
			ms = (int)((double)wait / d->options->factor / 1000) + 1;
		if (hear(d, ms) || nudge_sometimes(d))
			return -1;
		show(d);
	}
}

/* ---- all of it ---- */

static int connect_standin(struct drive *d)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};

	if (strlen(d->options->socket) >= sizeof(to.sun_path))
		return err_printf(d->err, "%s: too long for a socket", d->options->socket);
	strcpy(to.sun_path, d->options->socket);
	d->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (d->fd < 0 || connect(d->fd, (struct sockaddr *)&to, sizeof(to)) < 0)
		return err_printf(d->err, "%s: %s", d->options->socket, strerror(errno));
	return 0;
}

static int begin(struct drive *d)
{
	size_t jobs = (size_t)d->trace->njobs + 1, nodes = (size_t)d->mesh->nnodes;

	d->result->engine.record = calloc(jobs, sizeof(*d->result->engine.record));
	d->result->job = calloc(jobs, sizeof(*d->result->job));
	d->state = calloc(jobs, 1);
	d->running = calloc(jobs, sizeof(int));
	d->ending = calloc(jobs, sizeof(int));
	d->by_name = malloc(nodes * sizeof(int));
	d->line = malloc(LINE_MAX_SIZE);
	d->meter = mesh_meter_new(d->mesh, &arena);
	if (!d->result->engine.record || !d->result->job || !d->state || !d->running ||
		!d->ending || !d->by_name || !d->line || !d->meter)
		return err_printf(d->err, "out of memory");
	for (int i = 0; i < d->trace->njobs; i++)
		d->result->engine.record[i].start = d->result->engine.record[i].end = -1;
	for (int i = 0; i < d->mesh->nnodes; i++)
		d->by_name[i] = i;
	qsort_r(d->by_name, nodes, sizeof(int), compare_names, (void *)(uintptr_t)d->mesh);
	d->nfree = d->mesh->nnodes;
	if (d->options->share > 0 && !(d->network = network_new(d->mesh, d->trace,
			d->options->share / 100, d->options->seed, d->err)))
		return -1;
	slurm_init(NULL);
	return connect_standin(d);
}

static bool all_idle(void)
{
	node_info_msg_t *info = NULL;
	bool idle = slurm_load_node(0, &info, SHOW_ALL) == SLURM_SUCCESS && info->record_count > 0;

	for (uint32_t i = 0; idle && i < info->record_count; i++)
		idle = info->node_array[i].node_state == NODE_STATE_IDLE;
	if (info)
		slurm_free_node_info_msg(info);
	return idle;
}

/* All nodes are idle, and it is time to begin. */
static int await_begin(struct drive *d)
{
	double began = wall_clock(), at = d->options->begin;

	while (!all_idle()) {
		if (wall_clock() > began + AWAIT_SECONDS)
			return err_printf(d->err, "the nodes did not become idle within %d s",
				AWAIT_SECONDS);
		sleep(1);
	}
	while (at < wall_clock())
		at += 60;
	usleep((useconds_t)((at - wall_clock()) * 1e6));
	return 0;
}

static int take_statistics(struct drive *d)
{
	stats_info_response_msg_t *stats = NULL;

	if (statistics(d, &stats))
		return -1;
	d->result->cycles = stats->schedule_cycle_counter;
	d->result->cycle_us = stats->schedule_cycle_counter
		? (double)stats->schedule_cycle_sum / stats->schedule_cycle_counter : 0;
	slurm_free_stats_response_msg(stats);
	return 0;
}

int drive_run(struct drive_result *result, const struct mesh *mesh, const struct trace *trace,
	const struct drive_options *options, struct mesh_err *err)
{
	struct drive d = {.mesh = mesh, .trace = trace, .options = options, .result = result,
		.err = err, .fd = -1};
	stats_info_request_msg_t reset = {.command_id = STAT_COMMAND_RESET};
	int rc;

	memset(result, 0, sizeof(*result));
	rc = mesh->node_name ? begin(&d) : err_printf(err, "the mesh's nodes have no names");
	if (!rc && options->begin > 0)
		rc = await_begin(&d);
	if (!rc) {
		slurm_reset_statistics(&reset);
		result->seconds = -own_seconds();
		d.began = machine_clock();
		rc = options->factor > 0 ? run_real(&d) : run_events(&d);
		result->seconds += own_seconds();
		rc = rc ? rc : take_statistics(&d);
	}
	if (options->bar)
		fputc('\n', stderr);
	if (d.fd >= 0)
		close(d.fd);
	network_free(d.network);
	arena_release(&arena);
	free(d.state);
	free(d.running);
	free(d.ending);
	free(d.by_name);
	free(d.line);
	free(d.of_id);
	return rc;
}

void drive_release(struct drive_result *result, int njobs)
{
	for (int i = 0; result->job && i < njobs; i++)
		free(result->job[i].node);
	free(result->job);
	free(result->engine.record);
	memset(result, 0, sizeof(*result));
}
