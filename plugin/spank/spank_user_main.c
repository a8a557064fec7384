/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_user.h"

#include <slurm/slurm.h>

#include "ask/extras.h"
#include "conf/topoconf.h"
#include "spank/spank_ranks.h"
#include "spank/spank_records.h"

/* 0 where meshes differ in the shape's number of nodes; -1 with the reason of the last mesh. */
static int shape_nodes(
	const struct topoconf *conf, const struct mesh_shape *shape, struct mesh_err *err)
{
	const struct extras *more = extras(NULL);
	int nodes = conf->nmeshes && more ? -1 : 0;

	for (int i = 0; more && i < conf->nmeshes; i++) {
		struct mesh_err why = {{0}};
		int here = more->boxplan_shape_nodes(conf->mesh[i], shape, &why);

		/* Prefer the reason of a mesh that has the shape's type. */
		if (!here && (!*err->text || mesh_shape_suits(conf->mesh[i], shape, NULL)))
			err_printf(err, "%.180s (mesh %.64s)", why.text, conf->mesh[i]->name);
		if (!here)
			continue;
		if (nodes < 0)
			nodes = here > 0 ? here : 0;
		else if (nodes != here)
			nodes = 0;
	}
	return nodes;
}

extern const struct spank_user spank_user;
__attribute__((visibility("default"))) const struct spank_user spank_user = {
	.stamp = SPANK_USER_STAMP,
	.shape_nodes = shape_nodes,
	.ranks_check = spank_ranks_check,
	.ranks_relabel = spank_ranks_relabel,
	.ranks_hostfile = spank_ranks_hostfile,
	.learn_find = spank_records_find,
	.learn_measure = spank_records_measure,
	.learn_script = spank_records_script,
	.learn_collect = spank_records_collect,
};
