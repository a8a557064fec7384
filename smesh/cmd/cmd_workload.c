/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh workload: writes jobs, generated or from a log, as Standard Workload Format.
 */
#include <stdio.h>

#include "cli/workload.h"
#include "cmd/commands.h"

struct session {
	const char *topology, *mesh_name;
	struct workload_options workload;
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	WORKLOAD_OPTIONS,
	{0},
};

static int write_workload(const struct workload_options *workload, const struct mesh *mesh)
{
	struct trace trace;
	int code = workload_load(&trace, workload, mesh);

	if (code == SMESH_OK) {
		workload_report(&trace, workload, mesh);
		if (trace_write_swf(&trace, NULL, stdout))
			code = smesh_fail(SMESH_FAILED, "cannot write the output");
	}
	trace_release(&trace);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {.topology = NULL};
	const struct mesh *mesh;
	struct topoconf *conf;
	int code;

	workload_defaults(&s.workload);
	if ((code = options_read(&cmd_workload, argc, argv, &s)))
		return code;
	mesh = smesh_open_mesh(&conf, s.topology, s.mesh_name);
	code = mesh ? write_workload(&s.workload, mesh) : SMESH_USAGE;
	topoconf_free(conf);
	return code;
}

const struct command cmd_workload = {
	.name = "workload",
	.summary = "write jobs, generated or from a log, in Standard Workload Format",
	.usage = "[-t FILE] --generate MODEL | --trace LOG [OPTION]...",
	.example = "-t topology.conf --generate lublin --jobs 1000 >lublin.swf",
	.options = options,
	.run = run,
};
