/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * core_reservation NAME USER NODE...: one core of each node, for an hour. By Slurm's API, as
 * scontrol of 22.05 makes core reservations only where SelectType is one of its own.
 */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(int argc, char *argv[])
{
	static uint32_t one_each[65536];
	static char nodes[65536];
	resv_desc_msg_t resv;
	char *name;

	if (argc < 4 || argc - 3 >= (int)(sizeof(one_each) / sizeof(*one_each)))
		return 1;
	slurm_init(NULL);
	slurm_init_resv_desc_msg(&resv);
	resv.name = argv[1];
	resv.users = argv[2];
	resv.start_time = time(NULL);
	resv.duration = 60;
	resv.node_list = nodes;
	for (int i = 3; i < argc; i++) {
		snprintf(nodes + strlen(nodes), sizeof(nodes) - strlen(nodes), "%s%s",
			i > 3 ? "," : "", argv[i]);
		one_each[i - 3] = 1;
	}
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	resv.core_cnt = one_each;
#else
	resv.core_cnt = (uint32_t)argc - 3; /* of all nodes together, from then on */
#endif
	name = slurm_create_reservation(&resv);
	if (!name) {
		slurm_perror("core_reservation");
		return 1;
	}
	/* free() or not: it was malloc's memory once and is Slurm's own now. Exit will do. */
	return 0;
}
