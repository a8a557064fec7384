/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/state.h"

#include <errno.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/places_libslurm.h"
#include "conf/remark.h"
#include "conf/shape.h"
#include "sim/need.h"
#include "cli/smesh.h"
#include "view/allowed.h"
#include "view/nodestate.h"
#include "view/reason.h"

enum { ID_SIZE = 128 };

/* Read the state of each node, and give the mesh the names of the nodes that are there. */
static int read_nodes(struct picture *p, struct topoconf *conf, node_info_msg_t **info,
	struct mesh_err *err)
{
	if (slurm_load_node((time_t)0, info, SHOW_ALL))
		return allowed_not_told(err, "the nodes");
	if (places_libslurm_take(conf, *info, err))
		return -1;
	/* A node that slurmctld does not have counts as down. */
	memset(p->state, NODE_DOWN, (size_t)p->mesh->nnodes);
	for (uint32_t i = 0; i < (*info)->record_count; i++) {
		const node_info_t *node = &(*info)->node_array[i];
		int at = node->name ? mesh_node(p->mesh, node->name) : -1;

		if (at >= 0)
			p->state[at] = (unsigned char)nodestate_of(node->node_state);
	}
	return 0;
}

static const char *user_of(const slurm_job_info_t *job, char *text, size_t size)
{
	struct passwd entry, *found = NULL;
	char buffer[1024];

	if (job->user_name && *job->user_name)
		return job->user_name;
	if (!getpwuid_r(job->user_id, &entry, buffer, sizeof(buffer), &found) && found)
		snprintf(text, size, "%s", found->pw_name);
	else
		snprintf(text, size, "%u", job->user_id);
	return text;
}

/* As squeue prints it: 17, 17_4, 17_[5-9%2] or 17+1. */
static char *id_of(const slurm_job_info_t *job, char *text, size_t size)
{
	if (job->array_job_id && job->array_task_str)
		snprintf(text, size, "%u_[%s]", job->array_job_id, job->array_task_str);
	else if (job->array_job_id && job->array_task_id != NO_VAL)
		snprintf(text, size, "%u_%u", job->array_job_id, job->array_task_id);
	else if (job->het_job_id)
		snprintf(text, size, "%u+%u", job->het_job_id, job->het_job_offset);
	else
		snprintf(text, size, "%u", job->job_id);
	return text;
}

/* Add a job with its nodes that are in the mesh, its times, and what it sends. */
static int add_job(struct picture *p, const slurm_job_info_t *job, struct mesh_err *err)
{
	char id[ID_SIZE], user[64];
	const struct picture_owner owner = {.id = id_of(job, id, sizeof(id)),
		.user = user_of(job, user, sizeof(user)), .partition = job->partition};
	bool may_requeue = job->requeue && job->batch_flag && !(job->job_state & JOB_COMPLETING);
	bool has_limit = job->time_limit != INFINITE && job->time_limit != NO_VAL;
	time_t now = time(NULL);
	struct picture_job *to;
	struct mesh_pattern pattern;
	struct nodeset set;
	int *node, count;

	if (smesh_hosts_here(p->mesh, job->nodes, &set, &p->arena, err) < 0)
		return -1;
	node = need_get(&p->arena, nodeset_count(&set), sizeof(*node));
	if (!(count = nodeset_members(&set, node)))
		return 0;
	to = picture_add(p, owner, node, count);
	to->number = job->job_id;
	to->ran = may_requeue ? difftime(now, job->start_time) : -1;
	to->left = has_limit && job->end_time > now ? difftime(job->end_time, now) : -1;
	mesh_pattern_in(job->system_comment, to->pattern, &pattern);
	return 0;
}

/* The plugin's note of what the job's options ask for; NULL: of nothing, or they are dropped. */
static const char *note_of(const slurm_job_info_t *job)
{
	bool dropped = mesh_remark_none(job->comment) || mesh_remark_none(job->admin_comment);

	return dropped ? NULL : job->system_comment;
}

/* Read what the job wants: from --contiguous, the plugin's note, and its reason to wait. */
static void read_wish(struct picture_waiting *w, const slurm_job_info_t *job)
{
	const char *note = note_of(job), *mesh = note ? strstr(note, "mesh: ") : NULL;
	const char *shape = mesh ? strstr(mesh, " shape=") : NULL;
	struct mesh_pattern pattern;
	struct mesh_err err;
	char text[128];

	mesh_pattern_in(note, w->pattern, &pattern);
	w->box = job->contiguous || shape ||
		(job->state_desc && !strncmp(job->state_desc, "Waits for a box", 15));
	if (!shape)
		return;
	shape += strlen(" shape=");
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(shape, " ;"), shape);
	shape_parse(text, &w->shape, &err);
}

static int add_waiting(struct picture *p, const slurm_job_info_t *job,
	const struct allowed *allowed, struct mesh_err *err)
{
	time_t now = time(NULL);
	char id[ID_SIZE], user[64];
	const char *word = reason_word(job->state_reason);
	struct picture_waiting w = {.id = id_of(job, id, sizeof(id)), .number = job->job_id,
		.why = job->state_desc && *job->state_desc ? job->state_desc : word,
		.reason = word, .user = user_of(job, user, sizeof(user)),
		.nodes = (int)job->num_nodes,
		.since = job->submit_time ? difftime(now, job->submit_time) : -1,
		.start = job->start_time > now ? difftime(job->start_time, now) : -1};

	read_wish(&w, job);
	if (allowed_job(allowed, job, &w.may, &w.must, err))
		return -1;
	picture_wait(p, &w);
	return 0;
}

/* The order of the queue: by priority, as slurmctld's main scheduler tries jobs. */
static int before_in_queue(const void *a, const void *b)
{
	const slurm_job_info_t *x = *(const slurm_job_info_t *const *)a;
	const slurm_job_info_t *y = *(const slurm_job_info_t *const *)b;

	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return (x->job_id > y->job_id) - (x->job_id < y->job_id);
}

static int read_queue(struct picture *p, const job_info_msg_t *info, const node_info_msg_t *nodes,
	struct mesh_err *err)
{
	const slurm_job_info_t **pending =
		need_get(&p->arena, info->record_count, sizeof(*pending));
	struct allowed allowed = {.mesh = p->mesh, .arena = &p->arena};
	int n = 0, code = allowed_load(&allowed, nodes, err);

	for (uint32_t i = 0; i < info->record_count; i++)
		if ((info->job_array[i].job_state & JOB_STATE_BASE) == JOB_PENDING)
			pending[n++] = &info->job_array[i];
	qsort(pending, (size_t)n, sizeof(*pending), before_in_queue);
	for (int i = 0; !code && i < n; i++)
		code = add_waiting(p, pending[i], &allowed, err);
	allowed_release(&allowed);
	return code;
}

static int read_jobs(struct picture *p, const node_info_msg_t *nodes, struct mesh_err *err)
{
	job_info_msg_t *info = NULL;
	int code = 0;

	if (slurm_load_jobs((time_t)0, &info, SHOW_ALL))
		return allowed_not_told(err, "the jobs");
	for (uint32_t i = 0; !code && i < info->record_count; i++) {
		const slurm_job_info_t *job = &info->job_array[i];
		uint32_t state = job->job_state & JOB_STATE_BASE;

		if ((state == JOB_RUNNING || state == JOB_SUSPENDED ||
			    job->job_state & JOB_COMPLETING) && job->nodes && *job->nodes)
			code = add_job(p, job, err);
	}
	if (!code)
		code = read_queue(p, info, nodes, err);
	slurm_free_job_info_msg(info);
	return code;
}

/* libslurm waits a minute for a missing slurm.conf, and exits; so look for it first. */
int live_find(struct mesh_err *err)
{
	const char *named = getenv("SLURM_CONF");

	if (named)
		return access(named, R_OK)
			? err_printf(err, "SLURM_CONF=%s: %s; or name a file by --state", named,
				  strerror(errno))
			: 0;
	if (access("/etc/slurm/slurm.conf", R_OK) && access("/run/slurm/conf/slurm.conf", R_OK))
		return err_printf(err, "no slurm.conf: set SLURM_CONF, or name a file by --state");
	return 0;
}

int live_read(struct picture *p, struct topoconf *conf, struct mesh_err *err)
{
	static bool ready;
	node_info_msg_t *nodes = NULL;
	time_t now = time(NULL);
	struct tm tm;
	char text[40];
	int code;

	if (!ready)
		slurm_init(NULL);
	ready = true;
	code = read_nodes(p, conf, &nodes, err);
	if (!code)
		code = read_jobs(p, nodes, err);
	if (nodes)
		slurm_free_node_info_msg(nodes);
	if (code)
		return -1;
	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(p->title, sizeof(p->title), "%s at %s", p->mesh->name, text);
	picture_measure(p);
	return 0;
}

static void free_conf(slurm_conf_t *conf)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	slurm_free_conf(conf);
#else
	slurm_free_ctl_conf(conf);
#endif
}

bool live_may_requeue(void)
{
	slurm_conf_t *conf = NULL;
	bool may = getuid() == 0;

	if (!may && !slurm_load_ctl_conf((time_t)0, &conf)) {
		may = getuid() == conf->slurm_user_id;
		free_conf(conf);
	}
	return may;
}

int live_counters(char *path, size_t size, struct mesh_err *err)
{
	slurm_conf_t *conf = NULL;
	int n;

	if (slurm_load_ctl_conf((time_t)0, &conf))
		return allowed_not_told(err, "its configuration");
	n = snprintf(path, size, "%s/mesh_budgets.prom", conf->state_save_location);
	free_conf(conf);
	return n < 0 || (size_t)n >= size ? err_printf(err, "StateSaveLocation is too long") : 0;
}
