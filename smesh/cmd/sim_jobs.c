/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: writes files with a line for each job.
 */
#include <stdlib.h>

#include "cmd/sim_session.h"
#include "sim/need.h"

/* --- while it runs ---------------------------------------------------------------------- */

static void write_placement(struct sim_session *s, int job, const int *node, int count, int64_t now)
{
	const struct trace_job *j = &s->trace[0].job[job];
	char *hosts = smesh_nodes_to_hosts(s->mesh, node, count), name[TRACE_NAME];

	fprintf(s->jobs.out[SIM_JOBS_PLACED].file, "%s %.6f %.6f %s\n", trace_job_name(j, name),
		sim_seconds(now), sim_seconds(now + j->run), hosts);
	free(hosts);
}

/* "0-3 7": node numbers, ascending; free() it. */
static char *intervals(const int *node, int count)
{
	char *text = NULL;
	size_t size;
	FILE *file = need(open_memstream(&text, &size));

	for (int i = 0, last; i < count; i = last + 1) {
		for (last = i; last + 1 < count && node[last + 1] == node[last] + 1;)
			last++;
		fprintf(file, last > i ? "%s%d-%d" : "%s%d", i ? " " : "", node[i], node[last]);
	}
	need_done(fclose(file));
	return text;
}

static void placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct sim_session *s = data;

	if (s->jobs.path[SIM_JOBS_PLACED])
		write_placement(s, job, node, count, now);
	if (s->jobs.nodes)
		s->jobs.nodes[job] = intervals(node, count);
}

/* --- what became of each ------------------------------------------------------------------- */

static const char *pattern_of(const struct runner_task *task, int job)
{
	return task->comm ? kind_name(task->comm[job].kind) : "none";
}

static const char *fate(const struct engine_record *r)
{
	if (r->refused)
		return "refused";
	return r->start < 0 ? "waiting" : r->killed ? "killed" : "done";
}

/* Write a line for each job under each strategy in each run. */
static int write_ran(const struct sim_session *s, FILE *out)
{
	fputs("strategy,id,submit,start,end,nodes,pattern,hops,stretch,fate,run\n", out);
	for (int k = 0; k < s->runner.ntasks; k++) {
		const struct runner_task *task = &s->runner.task[k];
		int run = s->first_run + k % s->repeat;

		for (int i = 0; i < task->trace->njobs; i++) {
			const struct trace_job *j = &task->trace->job[i];
			const struct engine_record *r = &task->result.record[i];
			char name[TRACE_NAME];

			fprintf(out, "%s,%s,%.6f,", task->ops->name,
				trace_job_name(j, name), sim_seconds(j->submit));
			if (r->start < 0)
				fprintf(out, ",,%d,%s,,,%s,%d\n", j->count, pattern_of(task, i),
					fate(r), run);
			else
				fprintf(out, "%.6f,%.6f,%d,%s,%.6f,%.6f,%s,%d\n",
					sim_seconds(r->start), sim_seconds(r->end), j->count,
					pattern_of(task, i), r->mean_hops, engine_stretch(j, r),
					fate(r), run);
		}
	}
	return 0;
}

/* Fields of a job that never started are empty, which readers take as not a number. */
static int write_batsim(const struct sim_session *s, FILE *out)
{
	const struct runner_task *task = &s->runner.task[0];

	fputs("job_id,workload_name,profile,submission_time,requested_number_of_resources,"
	      "requested_time,success,final_state,starting_time,execution_time,finish_time,"
	      "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n",
		out);
	for (int i = 0; i < task->trace->njobs; i++) {
		const struct trace_job *j = &task->trace->job[i];
		const struct engine_record *r = &task->result.record[i];
		double submit = sim_seconds(j->submit), start = sim_seconds(r->start),
		       end = sim_seconds(r->end);
		char name[TRACE_NAME];

		fprintf(out, "%s,smesh,%s,%.6f,%d,%.6f,", trace_job_name(j, name),
			pattern_of(task, i), submit, j->count,
			j->estimate ? sim_seconds(j->estimate) : -1);
		if (r->start < 0)
			fputs("0,REJECTED,,,,,,,,-1,\n", out);
		else
			fprintf(out, "%d,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%s,-1,\n", !r->killed,
				r->killed ? "COMPLETED_WALLTIME_REACHED" : "COMPLETED_SUCCESSFULLY",
				start, end - start, end, start - submit, end - submit,
				end > start ? (end - submit) / (end - start) : 1,
				s->jobs.nodes[i] ? s->jobs.nodes[i] : "");
	}
	return 0;
}

static int write_swf(const struct sim_session *s, FILE *out)
{
	const struct runner_task *task = &s->runner.task[0];
	int n = task->trace->njobs, code;
	struct trace_outcome *outcome = need(calloc((size_t)n + 1, sizeof(*outcome)));

	for (int i = 0; i < n; i++) {
		const struct engine_record *r = &task->result.record[i];

		outcome[i] = r->start < 0
			? (struct trace_outcome){-1, -1, 5}
			: (struct trace_outcome){r->start - task->trace->job[i].submit,
				  r->end - r->start, !r->killed};
	}
	code = trace_write_swf(task->trace, outcome, out);
	free(outcome);
	return code;
}

/* --- the files ------------------------------------------------------------------------------- */

static const struct {
	const char *option;
	/* Called when all is over; 0, or -1: writing failed. NULL: lines come during the run. */
	int (*write)(const struct sim_session *s, FILE *out);
} kinds[SIM_JOBS_KINDS] = {
	[SIM_JOBS_PLACED] = {"placements", NULL},
	[SIM_JOBS_RAN] = {"per-job", write_ran},
	[SIM_JOBS_BATSIM] = {"batsim", write_batsim},
	[SIM_JOBS_SWF] = {"swf", write_swf},
};

bool sim_jobs_any(const struct sim_jobs *jobs, bool standard)
{
	for (int k = 0; k < SIM_JOBS_KINDS; k++)
		if (jobs->path[k] && (!standard || output_is_standard(jobs->path[k])))
			return true;
	return false;
}

static int open_one(struct sim_session *s, enum sim_jobs_kind kind)
{
	if (kind != SIM_JOBS_RAN && (s->nops > 1 || s->repeat > 1))
		return smesh_fail(
			SMESH_USAGE, "--%s goes with one strategy and one run", kinds[kind].option);
	if (s->html && (kind == SIM_JOBS_PLACED || kind == SIM_JOBS_BATSIM))
		return smesh_fail(
			SMESH_USAGE, "--html and --%s exclude each other", kinds[kind].option);
	s->runner.keep = true;
	return output_open(&s->jobs.out[kind], s->jobs.path[kind]) ? SMESH_USAGE : SMESH_OK;
}

int sim_jobs_open(struct sim_session *s)
{
	int code = SMESH_OK;

	for (int k = 0; k < SIM_JOBS_KINDS && code == SMESH_OK; k++)
		if (s->jobs.path[k])
			code = open_one(s, (enum sim_jobs_kind)k);
	if (code || (!s->jobs.path[SIM_JOBS_PLACED] && !s->jobs.path[SIM_JOBS_BATSIM]))
		return code;
	if (s->jobs.path[SIM_JOBS_BATSIM])
		need_array(&s->arena, s->jobs.nodes, s->trace[0].njobs);
	s->runner.engine.placed = placed;
	s->runner.engine.data = s;
	return SMESH_OK;
}

int sim_jobs_write(struct sim_session *s)
{
	for (int k = 0; k < SIM_JOBS_KINDS; k++) {
		int code;

		if (!s->jobs.path[k])
			continue;
		if (kinds[k].write && kinds[k].write(s, s->jobs.out[k].file))
			return smesh_fail(
				SMESH_FAILED, "--%s: it could not be written", kinds[k].option);
		if ((code = output_close(&s->jobs.out[k])))
			return code;
	}
	return SMESH_OK;
}

void sim_jobs_release(struct sim_session *s)
{
	for (int k = 0; k < SIM_JOBS_KINDS; k++)
		output_drop(&s->jobs.out[k]);
	for (int i = 0; s->jobs.nodes && i < s->trace[0].njobs; i++)
		free(s->jobs.nodes[i]);
}
