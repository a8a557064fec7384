/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a job log, compressed or not, in either format. Whatever the bytes, there is
 * one line of text, or jobs that can be simulated.
 */
#include "fuzz.h"
#include "sim/engine.h"
#include "conf/strategies.h"

static struct mesh *machine(void)
{
	static struct mesh *mesh; /* made once */
	struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {4, 4}, .nnodes = 16,
		.nodes_per_vertex = 1};

	if (!mesh)
		mesh = mesh_new(&spec, NULL);
	fuzz_require(mesh);
	return mesh;
}

static void simulate(struct trace *trace)
{
	struct trace_fit_options fit = {.nnodes = 16, .procs_per_node = 2, .too_large = TRACE_CAP};
	struct engine_options options = {.scheduler = ENGINE_EASY, .stop_at = -1};
	struct engine_result result;
	struct mesh_err err = {{0}};
	int read = trace->njobs;

	trace_fit(trace, &fit);
	fuzz_require(trace->njobs + trace->no_time.jobs + trace->no_size.jobs == read);
	if (engine_run(&result, &(struct engine_input){machine(), trace, strategy_find("linear")},
		    &options, &err))
		fuzz_require(*err.text);
	else
		for (int i = 0; i < trace->njobs; i++)
			fuzz_require(result.record[i].start >= trace->job[i].submit);
	engine_release(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_read_options options = {.skip_bad = size & 1};
	struct mesh_err err = {{0}};
	struct trace trace;
	char path[FUZZ_PATH];
	int fd = fuzz_file(data, size, path);

	if (trace_read(&trace, path, &options, &err))
		fuzz_require(*err.text);
	else
		simulate(&trace);
	trace_release(&trace);
	close(fd);
	return 0;
}
