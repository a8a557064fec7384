/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_validate.h"

#include "ask/extras.h"
#include "conf/remark.h"
#include "conf/strategies.h"

/* In a job's SystemComment: the start of what it asked for, and before its shape's node numbers. */
static const char mark[] = "mesh:";
static const char nodes_mark[] = " nodes=";

/* The most words of ours that are read. No command sends more than one of each option. */
enum { MOST_WORDS = 16 };

/* The job whose size was written last, and its least number before: see restore_size(). */
static struct {
	uint32_t job, least;
} unsettled;
static uint32_t refused; /* id of the last job refused for its size */

struct sizes {
	int least, most;
	bool nowhere; /* no mesh has such a box */
};

/* May the idle mesh have such a box or walk? */
static bool may_have(const struct mesh *mesh, const struct mesh_shape *shape)
{
	struct mesh_err err;
	const struct extras *more = extras(&err);

	return !more || more->boxplan_shape_nodes(mesh, shape, &err);
}

/* The nodes of the shape on meshes that have such a box; on all meshes if none has. */
static struct sizes nodes_of(const struct mesh_shape *shape)
{
	const struct mesh_conf *conf = mesh_conf();
	struct sizes fits = {.least = INT32_MAX}, all = fits;

	/* Walks have the same number on each mesh that has one, and a look for one takes long. */
	for (int i = 0; i < conf->topo->nmeshes && !(shape->walk && fits.most); i++) {
		const struct mesh *mesh = conf->part[i].mesh;
		int nodes = mesh_shape_nodes(mesh, shape);

		all = (struct sizes){MIN(all.least, nodes), MAX(all.most, nodes), false};
		if (may_have(mesh, shape))
			fits = (struct sizes){MIN(fits.least, nodes), MAX(fits.most, nodes), false};
	}
	all.nowhere = true;
	return fits.most ? fits : all;
}

bool mesh_validated(const job_record_t *job)
{
	return job->system_comment && strstr(job->system_comment, mark);
}

/* The size that the SystemComment has; least is 0 if it has none. */
static struct sizes size_written(const job_record_t *job)
{
	const char *at = mesh_validated(job) ? strstr(job->system_comment, nodes_mark) : NULL;
	struct sizes size = {0};
	int n = at ? sscanf(at + strlen(nodes_mark), "%d-%d", &size.least, &size.most) : 0;

	if (n < 2)
		size.most = size.least;
	return size;
}

bool mesh_validate_whole(const job_record_t *job)
{
	struct sizes size = size_written(job);

	return size.least < size.most;
}

bool mesh_validate_contradicts(const job_details_t *details, const struct mesh_shape *shape)
{
	struct sizes of_shape =
		shape->ndims ? nodes_of(shape) : (struct sizes){.most = INT32_MAX};
	uint32_t most = details->max_nodes ? details->max_nodes : INT32_MAX;

	/* The map may come back, and then tell the shape's nodes. */
	return !of_shape.nowhere && (details->min_nodes > (uint32_t)of_shape.most ||
					    (shape->walk && most < (uint32_t)of_shape.least));
}

static bool is_dropped(const job_record_t *job)
{
	return mesh_remark_none(job->comment) || mesh_remark_none(job->admin_comment) ||
	       mesh_remark_none(job->system_comment);
}

void mesh_validate_options(const job_record_t *job, unsigned allowed, struct useroptions *asked)
{
	struct mesh_err err;

	if (!job->spank_job_env_size || is_dropped(job))
		useroptions_init(asked);
	else
		useroptions_read(asked, job->spank_job_env,
			MIN(job->spank_job_env_size, MOST_WORDS), allowed, &err);
}

static int check_option(const struct useroption *option, const char *value, struct mesh_err *err)
{
	struct useroptions asked;

	if (!(mesh_conf()->settings.user_options & option->bit))
		return err_printf(err, "--%s is not allowed here", option->option);
	useroptions_init(&asked);
	if (useroptions_take(&asked, option, value, err))
		return -1;
	return *asked.strategy && !strategy_named(asked.strategy, err) ? -1 : 0;
}

/*
 * Remove wrong options from the job's environment, move the others to its beginning, and append
 * these to *said. Returns how many were wrong.
 */
static int sift(job_record_t *job, char **said, struct mesh_err *err)
{
	uint32_t kept = 0, ours = 0, all = job->spank_job_env_size;
	char **env = job->spank_job_env;

	for (uint32_t i = 0; i < all; i++) {
		char *pair = env[i];
		const char *value;
		const struct useroption *o = useroptions_find(pair, &value);

		if (o && (ours == MOST_WORDS ? err_printf(err, "--%s: said too often", o->option)
					     : check_option(o, value, err))) {
			xfree(env[i]);
			continue;
		}
		if (o)
			xstrfmtcat(*said, " %s=%s", o->option + strlen("mesh-"), value);
		env[kept] = o ? env[ours] : pair;
		if (o)
			env[ours++] = pair;
		kept++;
	}
	job->spank_job_env_size = kept;
	return (int)(all - kept);
}

static void validate(job_record_t *job)
{
	struct mesh_err err = {{0}};
	char *said = NULL;
	int wrong = sift(job, &said, &err);

	if (wrong)
		info("%s: JobId=%u: %s: ignored%s", plugin_type, job->job_id, err.text,
			wrong > 1 ? ", and more" : "");
	/* The mark also spares another look through a large environment. */
	if (said || wrong || job->spank_job_env_size > MOST_WORDS)
		xstrfmtcat(job->system_comment, "%s%s%s", job->system_comment ? "; " : "", mark,
			said ? said : " none");
	xfree(said);
}

/* Ask for the CPUs that sbatch would ask for with -N, where the user said nothing of tasks. */
static void set_tasks(job_details_t *details, uint32_t nodes)
{
	uint32_t each = details->cpus_per_task;

	if (details->ntasks_per_node && details->ntasks_per_node != NO_VAL16 &&
		details->num_tasks == details->ntasks_per_node * MAX(details->min_nodes, 1))
		details->num_tasks = details->ntasks_per_node * nodes;
	if (!each || each == NO_VAL16 || details->overcommit)
		each = 1;
	details->min_cpus = MAX(details->min_cpus, MAX(details->num_tasks, nodes) * each);
	details->orig_min_cpus = details->min_cpus;
}

static void write_size(job_record_t *job, struct sizes size)
{
	job_details_t *details = job->details;

	unsettled.job = job->job_id;
	unsettled.least = details->min_nodes;
	set_tasks(details, (uint32_t)size.least);
	details->min_nodes = MAX(details->min_nodes, (uint32_t)size.least);
	details->max_nodes = (uint32_t)size.most;
}

/*
 * Write the size for the first time. Not if the job requires more nodes by name: that can never
 * be.
 */
static void set_size(job_record_t *job, struct sizes size)
{
	if ((uint32_t)size.most < job->details->min_nodes)
		return;
	write_size(job, size);
	xstrfmtcat(job->system_comment, "%s%d", nodes_mark, size.least);
	if (size.least < size.most)
		xstrfmtcat(job->system_comment, "-%d", size.most);
	job_set_req_tres(job, false);
	last_job_update = time(NULL);
}

bool mesh_validate_counts_features(const job_details_t *details)
{
	return details->features && strchr(details->features, '*');
}

/*
 * Write the size again if the job's least number of nodes is the one from before. Another number is
 * of scontrol update.
 */
static void mend_size(job_record_t *job)
{
	struct sizes size = size_written(job);
	const job_details_t *details = job->details;
	uint32_t before = unsettled.job == job->job_id ? unsettled.least : 1;

	if (size.least && details->max_nodes == (uint32_t)size.most &&
		details->min_nodes < (uint32_t)size.least && details->min_nodes == before &&
		!mesh_validate_counts_features(details))
		write_size(job, size);
}

/*
 * slurmctld's select_nodes() restores a job's least number of nodes after its tests. It is done
 * with the job when another job is tested; then write the size again.
 */
static void restore_size(const job_record_t *tested)
{
	job_record_t *job;

	if (!unsettled.job || unsettled.job == tested->job_id)
		return;
	job = find_job_record(unsettled.job);
	if (job && IS_JOB_PENDING(job) && job->details)
		mend_size(job);
	unsettled.job = 0;
}

/*
 * Put the job's numbers into *test. Slurm took those of *test before the size was written, and may
 * ask with them several times.
 */
static void raise_numbers(struct job_test *test)
{
	const job_details_t *details = test->job->details;

	if (test->mode == SELECT_MODE_TEST_ONLY || !test->max_nodes)
		test->max_nodes = details->max_nodes;
	test->max_nodes = MIN(test->max_nodes, details->max_nodes);
	test->min_nodes = details->min_nodes;
	test->req_nodes = MAX(test->max_nodes, test->min_nodes);
}

/* Has the job more nodes than its QOS allows, and refuses the QOS that at submission? */
static bool qos_denies(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = job->qos_ptr;

	return qos && qos->flags & QOS_FLAG_DENY_LIMIT && qos->max_tres_pj_ctld &&
	       slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS &&
	       job->details->min_nodes > qos->max_tres_pj_ctld[TRES_ARRAY_NODE];
}

static bool is_beyond_limits(job_record_t *job)
{
	return (slurm_conf.enforce_part_limits != PARTITION_ENFORCE_NONE &&
		       job_limits_check(&job, false) == WAIT_PART_NODE_LIMIT) ||
	       qos_denies(job);
}

/*
 * Note if the shape is beyond limits that the site enforces at submission. slurmctld compared the
 * limits with the job's own numbers, before TEST_ONLY. It would have refused the same size given
 * by -N.
 */
static void note_refusal(const struct job_test *test)
{
	job_record_t *job = test->job;

	if (test->mode != SELECT_MODE_TEST_ONLY || !is_beyond_limits(job))
		return;
	refused = job->job_id;
	info("%s: JobId=%u: refused: its shape is of %u nodes, more than partition %s or its QOS "
	     "allows",
		plugin_type, job->job_id, job->details->min_nodes, job->part_ptr->name);
}

bool mesh_validate_refuses(const struct job_test *test)
{
	/* slurmctld asks several times, for each partition of the job: the job must be within the
	 * limits of all of them, or of any. */
	if (test->mode == SELECT_MODE_TEST_ONLY && test->job->job_id == refused &&
		(slurm_conf.enforce_part_limits == PARTITION_ENFORCE_ALL ||
			is_beyond_limits(test->job)))
		return true;
	return test->max_nodes && test->min_nodes > test->max_nodes;
}

void mesh_validate(struct job_test *test)
{
	job_record_t *job = test->job;
	job_details_t *details = job->details;
	struct useroptions asked;

	restore_size(job);
	if (!job->spank_job_env_size || !details || !test->min_nodes)
		return;
	if (!mesh_validated(job))
		validate(job);
	if (details->max_nodes ||
		mesh_validate_counts_features(details)) { /* -N was given, or the size is written */
		mend_size(job);
	} else {
		mesh_validate_options(job, mesh_conf()->settings.user_options, &asked);
		if (asked.shape.ndims) {
			set_size(job, nodes_of(&asked.shape));
			note_refusal(test);
		}
	}
	if (details->max_nodes && test->min_nodes < details->min_nodes &&
		!mesh_validate_counts_features(details))
		raise_numbers(test);
}
