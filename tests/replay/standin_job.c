// SPDX-License-Identifier: GPL-2.0-or-later
// What a node answers, and the jobs that "run" on the nodes. The answers are slurmd's own, as in
// src/slurmd/slurmd/req.c: a node on which nothing of the job is left to clean up says at once
// that the job is complete there; a node with an epilog or the batch step says so later.
#include "standin.h"

#include "standin_compat.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/pack.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

enum { JOB_BUCKETS = 1 << 14 };

// A batch job on its first node. The other nodes of a job have nothing to remember.
struct job {
	struct job *next; // in the bucket
	uint32_t id;
	uint64_t launch;   // which launch of the id: a requeued job comes again
	struct standin_node *node;
	int64_t end_ms;    // when it is over; while suspended: what is left
	int status;        // of wait(2), once it is over
	int holding;       // nodes that have not yet said that they are done with it; -1: all
	bool suspended, over;
	bool told;         // slurmctld knows that it is over
	bool owes;         // the first node's epilog comes when it does
};

static struct job *buckets[JOB_BUCKETS];

static struct job **job_slot(uint32_t id)
{
	struct job **at = &buckets[id % JOB_BUCKETS];

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	return at;
}

static struct job *job_find(uint32_t id)
{
	return *job_slot(id);
}

static void job_forget(uint32_t id)
{
	struct job **at = job_slot(id), *job = *at;

	if (job) {
		*at = job->next;
		free(job);
	}
}

// The job of this launch, if it still is the one.
static struct job *job_of(uint32_t id, uint64_t launch)
{
	struct job *job = job_find(id);

	return job && job->launch == launch ? job : NULL;
}

// ---- The end of a job ----

static void *epilog_make(const struct call *call)
{
	epilog_complete_msg_t *msg = xmalloc(sizeof(*msg));

	compat_name_job(msg, call->id);
	msg->node_name = xstrdup(call->node->name);
	return msg;
}

// The last two jobs that all nodes were done with. slurmctld may have to read the last answer yet.
static uint32_t last_done[2];

// One more node has said that it is done with the job.
static void job_release(struct job *job)
{
	if (--job->holding > 0)
		return;
	last_done[1] = last_done[0] ? last_done[0] : job->id;
	last_done[0] = job->id;
	if (!job->told) // the answer is still on its way
		control_tell("over %u\n", job->id);
	control_tell("free %u\n", job->id);
	job_forget(job->id);
}

static void epilog_done(const struct call *call, int rc)
{
	struct job *job = job_of(call->id, call->arg);

	(void)rc;
	if (job)
		job_release(job);
}

static void epilog_over(uint32_t id, uint64_t node)
{
	struct job *job = job_find(id);

	call_queue(&(struct call){.type = MESSAGE_EPILOG_COMPLETE,
				  .make = epilog_make,
				  .done = epilog_done,
				  .one_way = true,
				  .node = &standin.nodes[node],
				  .id = id,
				  .arg = job ? job->launch : 0});
}

static void epilog_start(uint32_t id, struct standin_node *node)
{
	int64_t ms = standin.epilog_ms > 0 ? standin.epilog_ms : 0;

	timer_add(now_ms() + ms, epilog_over, id, (uint64_t)(node - standin.nodes));
}

static void *nudge_make(const struct call *call)
{
	epilog_complete_msg_t *msg = xmalloc(sizeof(*msg)); // of no node

	compat_name_job(msg, compat_nudge_by(call->id));
	return msg;
}

void nudge(void)
{
	call_queue(&(struct call){.type = MESSAGE_EPILOG_COMPLETE,
				  .make = nudge_make,
				  .one_way = true,
				  .node = &standin.nodes[0],
				  .id = last_done[1]});
}

static void *complete_make(const struct call *call)
{
	complete_batch_script_msg_t *msg = xmalloc(sizeof(*msg));
	struct job *job = job_of(call->id, call->arg);

	compat_name_job(msg, call->id);
	msg->node_name = xstrdup(call->node->name);
	msg->job_rc = job ? (uint32_t)job->status : 0;
	return msg;
}

// slurmctld has heard of the end.
static void complete_done(const struct call *call, int rc)
{
	struct job *job = job_of(call->id, call->arg);

	(void)rc; // unknown or already complete: nothing more to tell
	if (!job)
		return;
	job->told = true;
	control_tell("over %u\n", job->id);
	if (job->owes)
		epilog_start(job->id, job->node);
}

static void job_over(struct job *job, int status)
{
	job->over = true;
	job->status = status;
	standin.completions++;
	call_queue(&(struct call){.type = REQUEST_COMPLETE_BATCH_SCRIPT,
				  .make = complete_make,
				  .done = complete_done,
				  .node = job->node,
				  .id = job->id,
				  .arg = job->launch});
}

bool job_end(uint32_t id)
{
	struct job *job = job_find(id);

	if (!job || job->over)
		return false;
	job_over(job, 0);
	return true;
}

static void job_timer(uint32_t id, uint64_t launch)
{
	struct job *job = job_of(id, launch);

	if (!job || job->over || job->suspended)
		return;
	if (job->end_ms <= now_ms())
		job_over(job, 0);
	else // it was suspended for a while
		timer_add(job->end_ms, job_timer, id, launch);
}

// ---- The start of a job ----

// How long it runs: MESH_RUNTIME=SECONDS in its environment, or the argument of the first `sleep`
// in its script, or the default.
static double job_seconds(const batch_job_launch_msg_t *msg)
{
	const char *key = "MESH_RUNTIME=", *at = msg->script;
	double seconds;

	for (uint32_t i = 0; i < msg->envc; i++)
		if (!strncmp(msg->environment[i], key, strlen(key)))
			return strtod(msg->environment[i] + strlen(key), NULL);
	while (at && (at = strstr(at, "sleep "))) {
		if (sscanf(at + 6, "%lf", &seconds) == 1)
			return seconds;
		at += 6;
	}
	return standin.default_time;
}

static int launch_batch(struct standin_node *node, const batch_job_launch_msg_t *msg)
{
	static uint64_t launches;
	double seconds = job_seconds(msg);
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return ENOMEM;
	if (!(seconds >= 0 && seconds < 1e9))
		seconds = 0;
	job_forget(compat_job_id(msg));
	job->id = compat_job_id(msg);
	job->launch = ++launches;
	job->node = node;
	job->holding = -1;
	job->end_ms = now_ms() + (int64_t)(seconds * 1000);
	*job_slot(job->id) = job;
	timer_add(job->end_ms, job_timer, job->id, job->launch);
	standin.launches++;
	control_tell("start %u %s\n", job->id, msg->nodes);
	return SLURM_SUCCESS;
}

static void *prolog_make(const struct call *call)
{
	complete_prolog_msg_t *msg = xmalloc(sizeof(*msg));

	compat_name_job(msg, call->id);
	msg->node_name = xstrdup(call->node->name);
	return msg;
}

static int launch_prolog(struct standin_node *node, const prolog_launch_msg_t *msg)
{
	call_queue(&(struct call){.type = REQUEST_COMPLETE_PROLOG,
				  .make = prolog_make,
				  .node = node,
				  .id = compat_job_id(msg)});
	return SLURM_SUCCESS;
}

// ---- Orders to jobs ----

static int host_count(const char *nodes)
{
	host_list hosts = hostlist_create(nodes);
	int count = hosts ? hostlist_count(hosts) : 0;

	if (hosts)
		hostlist_destroy(hosts);
	return count;
}

// The first node of a job that is being killed reports its epilog after the batch script's end.
static int terminate(struct standin_node *node, const kill_job_msg_t *msg)
{
	struct job *job = job_find(msg->step_id.job_id);
	bool first = job && job->node == node;

	if (job && job->holding < 0)
		job->holding = host_count(msg->nodes);
	if (first && !job->over) {
		job->owes = true;
		job_over(job, SIGTERM);
	} else if (standin.epilog_ms < 0) {
		if (job && !(first && job->owes))
			job_release(job);
		return ESLURMD_KILL_JOB_ALREADY_COMPLETE;
	} else if (first && !job->told) {
		job->owes = true;
	} else {
		epilog_start(msg->step_id.job_id, node);
	}
	return SLURM_SUCCESS;
}

static int send_signal(struct standin_node *node, const signal_tasks_msg_t *msg)
{
	struct job *job = job_find(msg->step_id.job_id);

	if (!job || job->node != node || job->over)
		return ESLURM_INVALID_JOB_ID;
	if (msg->signal == SIGKILL || msg->signal == SIGTERM || msg->signal == SIGINT)
		job_over(job, msg->signal);
	return SLURM_SUCCESS;
}

static int suspend(struct standin_node *node, const suspend_int_msg_t *msg)
{
	struct job *job = job_find(compat_job_id(msg));
	bool stop = msg->op == SUSPEND_JOB;

	if (!job || job->node != node || job->over || job->suspended == stop)
		return SLURM_SUCCESS;
	job->suspended = stop;
	if (stop) {
		job->end_ms -= now_ms();
	} else {
		job->end_ms += now_ms();
		timer_add(job->end_ms, job_timer, job->id, job->launch);
	}
	return SLURM_SUCCESS;
}

// ---- Registration ----

// One kind of GRES, as gres_node_config_unpack() reads it: a count, without files or cores.
static void pack_gres(buf_t *buffer, char *name, char *type, uint64_t count)
{
	pack32(GRES_MAGIC, buffer);
	pack64(count, buffer);
	pack32(0, buffer); // CPUs
	pack32(0, buffer); // flags
	pack32(gres_build_id(name), buffer);
	packstr(NULL, buffer); // CPUs, links
	packstr(NULL, buffer);
	packstr(name, buffer);
	packstr(type, buffer);
	packstr(NULL, buffer);
}

// A node has what its line says: NAME[:TYPE][:COUNT],... in plain numbers.
static buf_t *gres_report(const char *line)
{
	char *all = xstrdup(line), *kind, *rest = NULL;
	buf_t *kinds = init_buf(256), *buffer = init_buf(256);
	uint16_t n = 0;

	for (kind = all ? strtok_r(all, ",", &rest) : NULL; kind;
		kind = strtok_r(NULL, ",", &rest)) {
		char *type = strchr(kind, ':'), *count = strrchr(kind, ':');

		if (type)
			*type++ = *count++ = 0;
		if (count && !isdigit((unsigned char)*count))
			count = NULL; // NAME:TYPE
		pack_gres(kinds, kind, type == count ? NULL : type,
			count ? strtoull(count, NULL, 10) : 1);
		n++;
	}
	pack16(SLURM_PROTOCOL_VERSION, buffer);
	pack16(n, buffer);
	packbuf(kinds, buffer);
	free_buf(kinds);
	xfree(all);
	return buffer;
}

// Jobs that are on the node, for slurmctld to compare with its own list.
static void fill_jobs(slurm_node_registration_status_msg_t *msg, const struct standin_node *node)
{
	for (int pass = 0; pass < 2; pass++) {
		uint32_t count = 0;

		for (size_t b = 0; b < JOB_BUCKETS; b++)
			for (struct job *job = buckets[b]; job; job = job->next) {
				if (job->node != node || job->over)
					continue;
				if (pass == 1)
					msg->step_id[count] = (slurm_step_id_t){
						.job_id = job->id,
						.step_id = SLURM_BATCH_SCRIPT,
						.step_het_comp = NO_VAL};
				count++;
			}
		if (pass == 0)
			msg->step_id = xcalloc(count ? count : 1, sizeof(*msg->step_id));
		msg->job_count = count;
	}
}

static void *register_make(const struct call *call)
{
	slurm_node_registration_status_msg_t *msg = xmalloc(sizeof(*msg));
	const struct standin_node *node = call->node;

	msg->node_name = xstrdup(node->name);
	msg->hostname = xstrdup(node->hostname);
	msg->version = xstrdup(SLURM_VERSION_STRING);
	msg->arch = xstrdup("virtual");
	msg->os = xstrdup("none");
	msg->cpus = node->conf->cpus;
	msg->boards = node->conf->boards;
	msg->sockets = node->conf->tot_sockets;
	msg->cores = node->conf->cores;
	msg->threads = node->conf->threads;
	msg->real_memory = node->conf->real_memory;
	msg->tmp_disk = node->conf->tmp_disk;
	msg->free_mem = node->conf->real_memory;
	msg->hash_val = slurm_conf.hash_val;
	msg->up_time = (uint32_t)(time(NULL) - standin.started) + 1;
	msg->slurmd_start_time = standin.started;
	msg->timestamp = time(NULL);
	msg->gres_info = gres_report(node->conf->gres);
	fill_jobs(msg, node);
	return msg;
}

static void register_done(const struct call *call, int rc)
{
	call->node->registering = false;
	if (rc)
		fprintf(stderr, "standin: %s: registration refused: %s\n", call->node->name,
			slurm_strerror(rc));
}

void node_register(struct standin_node *node)
{
	if (node->registering)
		return;
	node->registering = true;
	call_queue(&(struct call){.type = MESSAGE_NODE_REGISTRATION_STATUS,
				  .make = register_make,
				  .done = register_done,
				  .node = node});
}

// ---- Answers ----

static struct answer answer_rc(int rc)
{
	return_code_msg_t *msg = xmalloc(sizeof(*msg));

	msg->return_code = (uint32_t)rc;
	return (struct answer){.type = RESPONSE_SLURM_RC, .data = msg};
}

static struct answer answer_ping(const struct standin_node *node)
{
	ping_slurmd_resp_msg_t *msg = xmalloc(sizeof(*msg));

	msg->free_mem = node->conf->real_memory;
	compat_name_node(msg, node->name);
	return (struct answer){.type = RESPONSE_PING_SLURMD, .data = msg};
}

struct answer node_answer(struct standin_node *node, slurm_msg_t *msg)
{
	switch (msg->msg_type) {
	case REQUEST_NODE_REGISTRATION_STATUS:
		node_register(node);
		return answer_ping(node);
	case REQUEST_PING:
		return answer_ping(node);
	case REQUEST_BATCH_JOB_LAUNCH:
		return answer_rc(launch_batch(node, msg->data));
	case REQUEST_LAUNCH_PROLOG:
		return answer_rc(launch_prolog(node, msg->data));
	case REQUEST_TERMINATE_JOB:
	case REQUEST_KILL_TIMELIMIT:
	case REQUEST_KILL_PREEMPTED:
		return answer_rc(terminate(node, msg->data));
	case REQUEST_ABORT_JOB:
		job_forget(((kill_job_msg_t *)msg->data)->step_id.job_id);
		return answer_rc(SLURM_SUCCESS);
	case REQUEST_SIGNAL_TASKS:
	case REQUEST_TERMINATE_TASKS:
		return answer_rc(send_signal(node, msg->data));
	case REQUEST_SUSPEND_INT:
		return answer_rc(suspend(node, msg->data));
	case REQUEST_SHUTDOWN:
		standin.stop = true;
		return answer_rc(SLURM_SUCCESS);
	case REQUEST_HEALTH_CHECK:
	case REQUEST_RECONFIGURE:
	case REQUEST_RECONFIGURE_WITH_CONFIG:
	case REQUEST_REBOOT_NODES:
	case REQUEST_JOB_NOTIFY:
	case REQUEST_NETWORK_CALLERID:
		return answer_rc(SLURM_SUCCESS);
	default: // steps, file transfers, accounting: there is nothing behind them
		return answer_rc(EINVAL);
	}
}
