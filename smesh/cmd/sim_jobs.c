/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: writes files with a line for each job.
 */
#include <stdlib.h>

#include "cmd/sim_session.h"
#include "sim/need.h"

/* --- while it runs ---------------------------------------------------------------------- */

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

void sim_job_placed(void *session, int job, const int *node, int count, int64_t now)
{
	struct sim_session *s = session;
	const struct trace_job *j = &s->trace[0].job[job];
	FILE *file = s->file[SIM_PLACED].out.file;
	char *hosts, name[TRACE_NAME];

	if (file) {
		hosts = smesh_nodes_to_hosts(s->mesh, node, count);
		fprintf(file, "%s %.6f %.6f %s\n", trace_job_name(j, name), sim_seconds(now),
			sim_seconds(now + j->run), hosts);
		free(hosts);
	}
	if (s->nodes)
		s->nodes[job] = intervals(node, count);
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
int sim_write_ran(struct sim_session *s, const struct report *report, FILE *out)
{
	(void)report;
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
	return SMESH_OK;
}

/* Fields of a job that never started are empty, which readers take as not a number. */
int sim_write_batsim(struct sim_session *s, const struct report *report, FILE *out)
{
	const struct runner_task *task = &s->runner.task[0];

	(void)report;
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
				s->nodes[i] ? s->nodes[i] : "");
	}
	return SMESH_OK;
}

int sim_write_swf(struct sim_session *s, const struct report *report, FILE *out)
{
	const struct runner_task *task = &s->runner.task[0];
	int n = task->trace->njobs, code;
	struct trace_outcome *outcome = need(calloc((size_t)n + 1, sizeof(*outcome)));

	(void)report;
	for (int i = 0; i < n; i++) {
		const struct engine_record *r = &task->result.record[i];

		outcome[i] = r->start < 0
			? (struct trace_outcome){-1, -1, 5}
			: (struct trace_outcome){r->start - task->trace->job[i].submit,
				  r->end - r->start, !r->killed};
	}
	code = trace_write_swf(task->trace, outcome, out);
	free(outcome);
	return code ? smesh_fail(SMESH_FAILED, "--swf: it could not be written") : SMESH_OK;
}
