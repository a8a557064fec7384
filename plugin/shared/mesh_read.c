/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_read.h"

#include "compat/slurm_compat.h"

#include "shared/hostlist_libslurm.h"

struct topoconf *mesh_read(struct mesh_settings *settings, struct mesh_err *err)
{
	char name[] = "topology.conf";
	struct topoconf *conf;
	char *path;

	if (mesh_settings_parse(slurm_conf.sched_params, settings, err))
		return NULL;
	if (settings->retired)
		info("%s: %s has no effect any more", plugin_type, settings->retired);
	path = settings->conf ? xstrdup(settings->conf) : get_extra_conf_path(name);
	conf = topoconf_read(path, &hostlist_libslurm, err);
	xfree(path);
	if (!conf)
		mesh_settings_release(settings);
	return conf;
}
