/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_opt.h"

#include "base/textfile.h"
#include "compat/slurm_client.h"
#include "src/common/slurm_protocol_api.h"

/* Symbols of the program that has loaded us. A plugin fits exactly one version of it. */
extern __attribute__((weak)) slurm_opt_t opt;
extern __attribute__((weak)) int error_exit;

const char *spank_opt_params(void)
{
	return slurm_conf.sched_params;
}

char *spank_opt_topology(void)
{
	char name[] = "topology.conf";
	char *path = get_extra_conf_path(name), *copy = path ? strdup(path) : NULL;

	xfree(path);
	return copy;
}

static bool is_client(void)
{
	return &opt && (opt.srun_opt || opt.sbatch_opt || opt.salloc_opt);
}

/* Does this srun make a step of a job that is there? Inside of one Slurm sets --jobid itself. */
static bool is_step(void)
{
	return opt.srun_opt && opt.srun_opt->jobid != NO_VAL;
}

/* hydra_pmi_proxy of MPICH, hydra_bstrap_proxy of Intel's MPI: mpiexec names all their nodes. */
bool spank_opt_is_proxy(const char *program)
{
	const char *name = textfile_name(program);

	return !strncmp(name, "hydra_", 6) && strstr(name, "_proxy");
}

/* Of Open MPI 4 and 5. */
static bool is_daemon(const char *program)
{
	const char *name = textfile_name(program);

	return !strcmp(name, "orted") || !strcmp(name, "prted");
}

bool spank_opt_topology_mesh(void)
{
	return xstrcasestr(slurm_conf.topology_plugin, "topology/mesh");
}

bool spank_opt_read(struct spank_opt *out)
{
	memset(out, 0, sizeof(*out));
	if (!is_client())
		return false;
	out->srun = opt.srun_opt != NULL;
	if (out->srun) {
		out->argc = (int)COMPAT_SRUN_COMMAND(opt)->argc;
		out->argv = COMPAT_SRUN_COMMAND(opt)->argv;
	}
	if (out->argc > 0) {
		out->proxies = spank_opt_is_proxy(out->argv[0]);
		out->daemons = is_daemon(out->argv[0]);
	}
	out->nodelist = opt.nodelist != NULL && !out->proxies;
	out->arbitrary = (opt.distribution & SLURM_DIST_STATE_BASE) == SLURM_DIST_ARBITRARY;
	out->ntasks = opt.ntasks_set ? opt.ntasks : 0;
	out->nodes = opt.nodes_set ? opt.min_nodes : 0;
	out->exactly = out->nodes == opt.max_nodes ? out->nodes : 0;
	out->per_node = opt.ntasks_per_node > 0 ? opt.ntasks_per_node : 0; /* NO_VAL is below */
	out->in_job = is_step();
	out->by_cpus = opt.cpus_set;
	out->name = opt.job_name;
	out->partitions = opt.partition;
	out->directory = opt.chdir;
	return true;
}

void spank_opt_ask_tasks(int ntasks)
{
	if (opt.ntasks_set)
		return;
	opt.ntasks = ntasks;
	opt.ntasks_set = true;
}

int spank_opt_exit_code(void)
{
	return &error_exit ? error_exit : 1;
}

void spank_opt_ask_nodes(int nodes)
{
	/* A step inside a job has its nodes already. With -N the user wants so many of the box. */
	if (!is_client() || opt.max_nodes || opt.min_nodes > nodes || is_step())
		return;
	if (opt.ntasks_per_node > 0 && opt.ntasks == opt.min_nodes * opt.ntasks_per_node)
		opt.ntasks = nodes * opt.ntasks_per_node;
	opt.min_nodes = opt.max_nodes = nodes;
	opt.nodes_set = true;
	/* As with -N: one task on each node. */
	if (!opt.ntasks_set)
		opt.ntasks = nodes;
}

/*
 * No node knows of the step yet, so killing it does nothing: the step would keep its part of the
 * job until the job ends. Tell slurmctld that the step is over on all its nodes, as srun does
 * (src/srun/srun_job.c, _cancel_steps()).
 */
void spank_opt_end_step(uint32_t job, uint32_t step, int nodes)
{
	step_complete_msg_t done = {.range_last = (uint32_t)nodes - 1,
		.step_id = {.job_id = job, .step_id = step, .step_het_comp = NO_VAL},
		.step_rc = SIGKILL};
	slurm_msg_t message;
	int rc;

	slurm_msg_t_init(&message);
	message.msg_type = REQUEST_STEP_COMPLETE;
	message.data = &done;
	slurm_send_recv_controller_rc_msg(&message, &rc, working_cluster_rec);
}
