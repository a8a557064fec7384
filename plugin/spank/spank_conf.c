/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_conf.h"

#include "compat/slurm_compat.h"

const char *spank_conf_params(void)
{
	return slurm_conf.sched_params;
}

char *spank_conf_topology(void)
{
	char name[] = "topology.conf";
	char *path = get_extra_conf_path(name), *copy = path ? strdup(path) : NULL;

	xfree(path);
	return copy;
}
