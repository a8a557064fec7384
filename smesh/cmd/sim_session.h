/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of smesh sim share: options (cmd_sim.c), the machine (sim_machine.c), its jobs and
 * the runs (sim_setup.c, sim_calibrate.c), and what is written of them (sim_outputs.c).
 */
#ifndef SMESH_SIM_SESSION_H
#define SMESH_SIM_SESSION_H

#include <jansson.h>

#include "view/record.h"
#include "cli/output.h"
#include "sim/cubes.h"
#include "sim/report.h"
#include "sim/runner.h"
#include "cli/workload.h"
#include "cli/smesh.h"

struct sim_session;

/* Files with a line for each job (sim_jobs.c). */
enum sim_jobs_kind {
	SIM_JOBS_PLACED, /* id start end nodes, as they start */
	SIM_JOBS_RAN,	 /* times, hops, stretch, under each strategy */
	SIM_JOBS_BATSIM, /* the columns of Batsim's jobs.csv, which evalys reads */
	SIM_JOBS_SWF,	 /* Standard Workload Format, with the waits of the simulation */
	SIM_JOBS_KINDS
};

struct sim_jobs {
	const char *path[SIM_JOBS_KINDS]; /* of the options; NULL: not wanted */
	struct output out[SIM_JOBS_KINDS];
	char **nodes; /* [njobs] for Batsim: intervals of node numbers; NULL: never started */
};

struct sim_session {
	/* From the options. */
	const char *topology, *mesh_name, *strategies, *against, *down_hosts, *html, *calibrate;
	const char *save, *again, *resume, *per_run, *cubes_text, *down_links;
	int others; /* options that are neither --again nor --threads */
	double availability; /* of a node, 0..1 */
	int argc; /* as given */
	char **argv;
	char *command;
	struct report_form form;
	json_t *options; /* those that change what is computed, name and value, as given */
	bool matrix;
	bool quiet; /* what there is to say of the jobs has been said */
	int repeat;	/* runs that are made here, */
	int first_run;	/* of which this is the first, from 1, */
	int all_runs;	/* of so many */
	const char *runs; /* which, as asked; NULL: all */
	bool alike; /* runs have the same jobs, which send the same */
	bool contention;
	const char *sends; /* what --contention says */
	struct comm_options comm;
	struct workload_options workload;
	/* Of the setup. */
	struct topoconf *conf;
	const struct mesh *mesh;
	struct nodeset down;
	struct arena arena;
	const struct strategy_ops **ops; /* [nops] */
	int nops;
	struct cubes cubes; /* with cubes_text, and the last of ops[] then: */
	struct strategy_ops cubes_ops;
	int against_at; /* the strategy that others are compared with */
	struct trace *trace; /* [repeat], and that of run 1 behind them if it is none of them */
	struct comm_job **comm_job; /* likewise, of each workload's jobs; NULL without contention */
	int base; /* where run 1's workload is, which calibrates and is told of */
	struct runner runner;
	FILE *journal; /* of --resume, or NULL */
	/* Of the outputs. */
	struct output html_out, save_out, per_run_out;
	struct sim_jobs jobs;
	/* For the page, of each strategy's first run: */
	struct profile *profile;   /* [nops] */
	struct record *record;	   /* [nops] */
};

/* Each returns an exit code, with a message said unless it is SMESH_OK. */

/* What is not 0 where no option says anything (cmd_sim.c). */
void sim_defaults(struct sim_session *session);
/* Machine, jobs and runs, up to the figures. */
int sim_run(struct sim_session *session);

/* sim_machine.c: -s; the mesh with its down nodes, broken links and cubes. */
int sim_list_strategies(struct sim_session *session);
int sim_open_machine(struct sim_session *session);
/* All of that, workloads, and a task a run. sim_release() in all cases. */
int sim_setup(struct sim_session *session);
void sim_release(struct sim_session *session);

/* --resume (sim_resume.c): mark what was done before, and note what is done from now on. */
int sim_resume(struct sim_session *session);

/* Of files of jobs. Before the run: open them, hook what they need into it. */
int sim_jobs_open(struct sim_session *session);
/* After it. sim_jobs_release() in all cases. */
int sim_jobs_write(struct sim_session *session);
void sim_jobs_release(struct sim_session *session);
/* Is one of them wanted; on standard output? */
bool sim_jobs_any(const struct sim_jobs *jobs, bool standard);

/* The files that are read: {OPTION: {path, sha256}}. A new object; NULL after a message: one cannot
 * be read a second time. */
json_t *sim_files(const struct sim_session *session);
/* Does an option change what is written, and nothing that is computed? */
bool sim_is_output(const char *option);
/* --save: the identity and the result, which is taken over; NULL: memory is out. */
int sim_save(struct sim_session *session, json_t *result);
/*
 * --again, of a saved file: the arguments, of the arena (argv[argc] is NULL), and the result, new.
 */
int sim_saved(const char *path, char ***argv, int *argc, json_t **result, struct arena *arena);
/* Figure by figure, on standard output. SMESH_OK, or SMESH_FAILED: some differ. */
int sim_compare(const json_t *then, const json_t *now);

/* After the setup, with --calibrate: find what slowdowns are divided by. */
int sim_calibrate(struct sim_session *session);

/* Between setup and run: open the files asked for and hook what they need into the runs. */
int sim_open_outputs(struct sim_session *session);
/* After the run: the report, the page, the files. */
int sim_write_outputs(struct sim_session *session);
/* The report on its own: as a table, or what form says. SMESH_OK, or a code after a message. */
int sim_print_report(const struct report *report, const struct report_form *form, FILE *file);
/* But for the report. */
int sim_write_files(struct sim_session *session, const struct report *report);

/* What the runs have shown. An exit code; its arena frees it in all cases. */
struct sim_report {
	struct arena arena;
	struct report report;
	struct report_strategy *strategy;
};
int sim_report_make(const struct sim_session *session, struct sim_report *out);

#endif
