/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * submit_sizes SECONDS <SIZES: a job of whole nodes for each number of nodes in the input, as
 * sbatch -N would submit it, with a time limit of a minute. The stand-in has it run SECONDS. By the
 * library, a connection after the other: a process for each of 20,000 jobs takes longer than they
 * do.
 */
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <unistd.h>

#include "slurm_public.h"

static int submit(uint32_t nodes, char *runtime)
{
	char *environment[] = {(char[]){"PATH=/bin:/usr/bin"}, runtime};
	submit_response_msg_t *response;
	job_desc_msg_t job;

	slurm_init_job_desc_msg(&job);
	job.name = (char[]){"load"};
	job.script = (char[]){"#!/bin/sh\ntrue\n"};
	job.work_dir = (char[]){"/"};
	job.std_out = (char[]){"/dev/null"};
	job.environment = environment;
	job.env_size = 2;
	job.user_id = getuid();
	job.group_id = getgid();
	job.min_nodes = job.max_nodes = job.num_tasks = nodes;
	job.time_limit = 1;
	if (slurm_submit_batch_job(&job, &response)) {
		slurm_perror("submit_sizes");
		return -1;
	}
	slurm_free_submit_response_response_msg(response);
	return 0;
}

int main(int argc, char *argv[])
{
	char runtime[64];
	uint32_t nodes;

	if (argc != 2)
		return 1;
	snprintf(runtime, sizeof(runtime), "MESH_RUNTIME=%s", argv[1]);
	slurm_init(NULL);
	while (scanf("%u", &nodes) == 1)
		if (submit(nodes, runtime))
			return 1;
	return 0;
}
