/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: sets up jobs and runs from the options.
 */
#include "config.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/sim_session.h"
#include "conf/strategies.h"
#include "sim/human.h"
#include "sim/need.h"

/* Load workload i: each has another seed, and if it is a log another perturbation. */
static int load(struct sim_session *s, int i)
{
	struct workload_options workload = s->workload;
	struct jobcomm_options comm = s->comm;
	struct mesh_err err = {{0}};
	int code;

	workload.seed += i < s->repeat ? (uint64_t)(s->first_run - 1 + i) : 0;
	if ((code = workload_load(&s->trace[i], &workload, s->mesh)))
		return code;
	if (!s->jobcomm)
		return SMESH_OK;
	comm.seed = workload.seed;
	if (!(s->jobcomm[i] = jobcomm_make(&s->trace[i], &comm, &s->trace[i].comm_lines,
		      &s->arena, &err)))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	return SMESH_OK;
}

/* Make room for the workloads, none of which is loaded. */
static void make_room(struct sim_session *s)
{
	for (int k = 0; k < COMM_KINDS; k++)
		s->runner.engine.comm.calibration[k] = 1;
	s->runner.engine.comm.contention = s->contention;
	need_array(&s->arena, s->trace, s->repeat + 1);
	if (s->contention || s->comm.file)
		need_array(&s->arena, s->jobcomm, s->repeat + 1);
}

/* Do runs differ by their seeds: in their jobs, or in what these send? */
static bool left_to_chance(const struct sim_session *s)
{
	const struct workload_options *workload = &s->workload;
	const double *share = s->comm.mix.share;
	bool all_alike = share[COMM_RING] >= 1 || share[COMM_GRID] >= 1;

	for (int k = COMM_PATTERNS; k < COMM_KINDS; k++)
		all_alike |= share[k] >= 1;
	return (s->contention && !all_alike) || !workload->trace || workload->shake > 0 ||
		workload->overestimate > 1;
}

/* Jobs of a log want boxes: name the strategies that give none, where slurmctld would. */
static void report_boxless(const struct sim_session *s, const struct trace *trace)
{
	char names[256] = "";
	bool wanted = false;
	int n = 0;

	for (int i = 0; i < trace->njobs; i++)
		wanted |= trace->job[i].shape.ndims && !trace->job[i].shape.walk;
	for (int i = 0; i < s->nops; i++)
		if (!(s->ops[i]->flags & STRATEGY_CONTIGUOUS) && s->ops[i] != &s->cubes_ops)
			human_add(names, sizeof(names), "%s%s", n++ ? ", " : "", s->ops[i]->name);
	if (wanted && n && s->workload.trace)
		smesh_fail(0, "%s: no boxes for jobs with a shape, only as many nodes; slurmctld "
			"takes %s for such jobs", names, strategy_for(STRATEGY_BOXES)->name);
}

/* --comm-file: count the jobs whose grid of ranks their nodes cannot share evenly. */
static void report_uneven(const struct sim_session *s, const struct trace *trace)
{
	char name[TRACE_NAME];
	int n = 0, first = 0;

	for (int i = 0; s->comm.file && i < trace->njobs; i++) {
		const struct comm_grid *grid = &s->jobcomm[s->run_1][i].told.grid;

		if (!grid->ndims || (comm_grid_ranks(grid) > 0 &&
			comm_grid_ranks(grid) % trace->job[i].count == 0))
			continue;
		first = n++ ? first : i;
	}
	if (n)
		smesh_fail(0, "%s: the %d nodes of job %s cannot share its grid's ranks evenly: a "
			"grid of its nodes, as cubic as possible, takes its place (%d in all)",
			s->comm.file, trace->job[first].count,
			trace_job_name(&trace->job[first], name), n);
}

/* Options that have no effect on these jobs, or on this form of the report. */
static void report_unused(const struct sim_session *s, const struct trace *trace)
{
	bool limits = false;

	for (int i = 0; i < trace->njobs; i++)
		limits |= trace->job[i].estimate > 0;
	if (s->runner.engine.kill_at_limit && !limits)
		smesh_fail(0, "--kill-at-limit has no effect: no job has a limit (a user estimate; "
			"--overestimate gives one)");
	if (s->matrix && (s->form.csv || s->form.latex))
		smesh_fail(0, "--matrix has no effect on %s: the table and --json have the matrix",
			s->form.csv ? "--csv" : "--latex");
}

/* Load all workloads. */
static int load_workloads(struct sim_session *s)
{
	int code = SMESH_OK;

	make_room(s);
	s->run_1 = s->first_run > 1 ? s->repeat : 0;
	for (int i = 0; code == SMESH_OK && i < s->repeat + (s->run_1 > 0); i++)
		code = load(s, i);
	s->alike = s->all_runs > 1 && !left_to_chance(s);
	if (code || s->quiet)
		return code;
	workload_report(&s->trace[s->run_1], &s->workload, s->mesh);
	workload_report_byjob(s->comm.file, &s->trace[s->run_1].comm_lines);
	report_uneven(s, &s->trace[s->run_1]);
	report_boxless(s, &s->trace[s->run_1]);
	report_unused(s, &s->trace[s->run_1]);
	if (s->alike)
		smesh_fail(0,
			"--repeat: the log is the same in every run; --shake=SECONDS makes them "
			"differ");
	return SMESH_OK;
}

static void make_tasks(struct sim_session *s)
{
	struct runner *runner = &s->runner;

	runner->ntasks = s->nops * s->repeat;
	need_array(&s->arena, runner->task, runner->ntasks);
	for (int i = 0; i < runner->ntasks; i++) {
		struct runner_task *task = &runner->task[i];

		task->ops = s->ops[i / s->repeat];
		task->trace = &s->trace[i % s->repeat];
		task->comm = s->jobcomm ? s->jobcomm[i % s->repeat] : NULL;
		task->seed = s->workload.seed + (uint64_t)(s->first_run - 1 + i % s->repeat);
	}
	if (s->matrix) {
		runner->engine.decide = s->ops;
		runner->engine.ndecide = s->nops;
	}
}

/* The cores that this process may use (job, container, taskset); 1 if that is unknown. */
static int cores(void)
{
	cpu_set_t *set;
	int n = 0;

	/* A set that is too small for the machine fails. */
	for (size_t most = 1024; n < 1 && most <= 1 << 20; most *= 2) {
		if (!(set = CPU_ALLOC(most)))
			break;
		if (!sched_getaffinity(0, CPU_ALLOC_SIZE(most), set))
			n = CPU_COUNT_S(CPU_ALLOC_SIZE(most), set);
		CPU_FREE(set);
	}
	return n > 0 ? n : 1;
}

static void choose_threads(struct runner *runner)
{
	if (!runner->threads)
		runner->threads = cores();
	runner->progress.bar = smesh_is_terminal(STDERR_FILENO);
	if (!runner->progress.begun)
		runner->progress.begun = time(NULL);
}

/* --runs=A-B or A: choose these of the runs that --repeat makes. */
static int choose_runs(struct sim_session *s)
{
	long first = 1, last = s->repeat;
	char none[] = "", *end = none;

	s->all_runs = s->repeat;
	if (s->runs)
		first = last = strtol(s->runs, &end, 10);
	if (*end == '-')
		last = strtol(end + 1, &end, 10);
	if (*end || first < 1 || last < first || last > s->repeat)
		return smesh_fail(SMESH_USAGE,
			"--runs=%s: expected A-B or A, among the runs 1-%d of --repeat", s->runs,
			s->repeat);
	s->first_run = (int)first;
	s->repeat = (int)(last - first) + 1;
	return SMESH_OK;
}

int sim_setup(struct sim_session *s)
{
	int code;

	if ((code = choose_runs(s)) || (code = sim_list_strategies(s)) ||
		(code = sim_open_machine(s)))
		return code;
	choose_threads(&s->runner);
	if ((code = load_workloads(s)))
		return code;
	make_tasks(s);
	return sim_resume(s);
}

void sim_release(struct sim_session *s)
{
	for (int k = 0; k < SIM_FILES; k++)
		output_drop(&s->file[k].out);
	for (int i = 0; s->nodes && i < s->trace[0].njobs; i++)
		free(s->nodes[i]);
	for (int i = 0; s->timeline && i < s->nops; i++)
		timeline_release(&s->timeline[i]);
	runner_release(&s->runner);
	if (s->journal)
		fclose(s->journal);
	for (int i = 0; s->trace && i <= s->repeat; i++)
		trace_release(&s->trace[i]);
	topoconf_free(s->conf);
	json_decref(s->options);
	arena_release(&s->arena);
}
