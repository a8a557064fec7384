/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forge NODES[@PARTITION] NAME=VALUE...: submit a job with this spank environment, which no command
 * of Slurm would let pass but any program can send. 0 nodes: nothing is said of them. FORGE_QOS
 * and FORGE_ACCOUNT in the environment name those. Prints the job's id.
 */
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slurm_public.h"

int main(int argc, char *argv[])
{
	char *environment[] = {(char[]){"PATH=/bin:/usr/bin"}, NULL};
	submit_response_msg_t *response;
	job_desc_msg_t job;

	if (argc < 2)
		return 1;
	slurm_init(NULL);
	slurm_init_job_desc_msg(&job);
	job.name = (char[]){"forged"};
	job.script = (char[]){"#!/bin/sh\nsleep 100\n"};
	job.std_out = (char[]){"/dev/null"};
	job.qos = getenv("FORGE_QOS");
	job.account = getenv("FORGE_ACCOUNT");
	job.work_dir = (char[]){"/tmp"};
	job.user_id = getuid();
	job.group_id = getgid();
	if (atoi(argv[1]))
		job.min_nodes = (uint32_t)atoi(argv[1]);
	if (strchr(argv[1], '@'))
		job.partition = strchr(argv[1], '@') + 1;
	job.environment = environment;
	job.env_size = 1;
	job.spank_job_env = argv + 2;
	job.spank_job_env_size = (uint32_t)(argc - 2);
	if (slurm_submit_batch_job(&job, &response)) {
		slurm_perror("forge");
		return 1;
	}
	printf("%u\n", submitted_id(response));
	slurm_free_submit_response_response_msg(response);
	return 0;
}
