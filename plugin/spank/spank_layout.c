/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SPANK has no item for the layout of a step. But the handle of srun's last hook before the launch
 * leads to it (src/srun/srun_job.c, _call_spank_local_user(); src/common/spank.c). From the layout
 * srun then takes the ids of tasks for slurmd, for MPI and for its own input and output. A plugin
 * is compiled for exactly one version of Slurm. The two structs below are the same from 22.05 to
 * 26.11, and everything in them that SPANK tells too is compared.
 */
#include "spank/spank_layout.h"

#include <signal.h>
#define SLURM_BACKWARD_COMPAT 1 /* 26.05: declares slurm_kill_job() with a job's number */
#include <slurm/slurm.h>
#include <slurm/spank.h>

#include "spank/spank_opt.h"

enum { MAGIC = 0x00a5a500 };

struct launcher {
	uid_t uid;
	gid_t gid;
	uint32_t jobid, stepid;
	slurm_step_layout_t *layout;
	int argc;
	char **argv;
};

struct spank_handle {
	int magic;
	void *plugin;
	int phase;
	struct launcher *job;
};

/* Do SPANK's items say the same? */
static bool agrees(struct spank_handle *spank, const struct launcher *job)
{
	uint32_t id, step, tasks, nodes;
	uid_t uid;

	return spank_get_item(spank, S_JOB_ID, &id) == ESPANK_SUCCESS && id == job->jobid &&
		spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
		step == job->stepid &&
		spank_get_item(spank, S_JOB_UID, &uid) == ESPANK_SUCCESS && uid == job->uid &&
		spank_get_item(spank, S_JOB_TOTAL_TASK_COUNT, &tasks) == ESPANK_SUCCESS &&
		tasks == job->layout->task_cnt &&
		spank_get_item(spank, S_JOB_NNODES, &nodes) == ESPANK_SUCCESS &&
		nodes == job->layout->node_cnt;
}

int spank_layout_find(struct spank_handle *spank, struct spank_layout *layout, struct mesh_err *err)
{
	const struct launcher *job = spank->magic == MAGIC ? spank->job : NULL;

	if (!job || !job->layout || !agrees(spank, job))
		return err_printf(err, "the layout of the step was not found");
	*layout = (struct spank_layout){.job = job->jobid,
		.step = job->stepid,
		.nodes = job->layout->node_list,
		.nnodes = (int)job->layout->node_cnt,
		.ntasks = (int)job->layout->task_cnt,
		.share = job->layout->tasks,
		.task = job->layout->tids};
	return 0;
}

void spank_layout_cancel(const struct spank_layout *layout, bool step_only)
{
	if (layout->job && step_only)
		spank_opt_end_step(layout->job, layout->step, layout->nnodes);
	else if (layout->job)
		slurm_kill_job(layout->job, SIGKILL, 0);
}
