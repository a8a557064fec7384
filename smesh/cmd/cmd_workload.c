/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh workload: writes jobs, generated or from a log, as Standard Workload Format.
 */
#include <stdio.h>

#include "cli/workload.h"
#include "cmd/commands.h"

struct session {
	struct command_base base;
	struct workload_options workload;
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	WORKLOAD_OPTIONS,
	{0},
};

static int run(void *session)
{
	struct session *s = session;
	struct trace trace;
	int code;

	if (command_open_mesh(&s->base))
		return SMESH_USAGE;
	if (!(code = workload_load(&trace, &s->workload, s->base.mesh))) {
		workload_report(&trace, &s->workload, s->base.mesh);
		if (trace_write_swf(&trace, NULL, stdout))
			code = smesh_fail(SMESH_FAILED, "cannot write the output");
	}
	trace_release(&trace);
	return code;
}

const struct command cmd_workload = {
	.name = "workload",
	.summary = "write jobs, generated or from a log, in Standard Workload Format",
	.usage = "[-t FILE] --generate MODEL | --trace LOG [OPTION]...",
	.example = "-t topology.conf --generate lublin --jobs 1000 >lublin.swf",
	.options = options,
	.size = sizeof(struct session),
	.usual = &(const struct session){.workload = WORKLOAD_USUAL},
	.run = run,
};
