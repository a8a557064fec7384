/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/readtraffic.h"

#include "cli/fail.h"

int readtraffic(struct traffic *traffic, char *const *path, int ranks, struct traffic_run *run)
{
	struct mesh_err err = {{0}};

	run->most = SIZE_MAX;
	if (trafficfile_read_all(traffic, path, ranks, run, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (ranks > 1 && traffic_total(traffic) <= 0)
		smesh_fail(SMESH_OK, "%s: no rank sends anything to another", *path);
	else if (run->named < ranks)
		smesh_fail(SMESH_OK, "%s: no line is of a rank above %d: is it whole, and of %d "
			"ranks?", *path, run->named - 1, ranks);
	if (run->split)
		smesh_fail(SMESH_OK, "%s: the trace divides the ranks (comm_split), but does not "
			"say who takes part in what: each collective counts as one of all ranks",
			*path);
	return SMESH_OK;
}
