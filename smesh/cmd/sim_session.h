/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of smesh sim share: options (cmd_sim.c), the machine (sim_machine.c), jobs and
 * runs (sim_setup.c, sim_calibrate.c), and output (sim_outputs.c).
 */
#ifndef SMESH_SIM_SESSION_H
#define SMESH_SIM_SESSION_H

#include <jansson.h>

#include "view/timeline.h"
#include "cli/output.h"
#include "sim/cubes.h"
#include "sim/report.h"
#include "sim/runner.h"
#include "cli/workload.h"
#include "cmd/commands.h"

struct sim_session;

/* Files that are written beside the report, in this order. */
enum sim_file_kind {
	SIM_PAGE,
	SIM_PLACED, /* id start end nodes, when they start */
	SIM_RAN,    /* times, hops, stretch, under each strategy */
	SIM_BATSIM, /* the columns of Batsim's jobs.csv, which evalys reads */
	SIM_SWF,    /* Standard Workload Format, with the waits of the simulation */
	SIM_PER_RUN,
	SIM_SAVE,
	SIM_FILES
};

struct sim_file {
	const char *path; /* of an option; NULL: not wanted */
	struct output out;
};

struct sim_session {
	struct command_base base;
	/* Set by the options. */
	const char *strategies, *against, *down_hosts, *calibrate, *again, *resume, *cubes_text,
		*down_links;
	struct sim_file file[SIM_FILES];
	int others; /* the number of options that are neither --again nor --threads */
	double availability; /* of a node, 0..1 */
	struct report_form form;
	json_t *options; /* options that change what is computed, name and value as given */
	bool matrix;
	bool quiet; /* messages about the jobs have been printed */
	const char *replaced; /* smesh verdict: tell, before the runs, that a page replaces it */
	int repeat;	/* how many runs are made here */
	int first_run;	/* the number of the first of them, from 1 */
	int all_runs;	/* the number of all runs */
	const char *runs; /* the runs asked for; NULL: all */
	bool alike; /* all runs have the same jobs, which send the same */
	bool contention;
	const char *sends; /* the value of --contention */
	struct jobcomm_options comm;
	struct workload_options workload;
	/* Set by the setup. */
	struct topoconf *conf;
	uint64_t map_hash; /* of conf, before --down-links */
	const struct mesh *mesh;
	struct nodeset down;
	struct arena arena;
	const struct strategy_ops **ops; /* [nops] */
	int nops;
	struct cubes cubes; /* if cubes_text is set; the last of ops[] is then cubes_ops: */
	struct strategy_ops cubes_ops;
	int against_at; /* index of the strategy that others are compared with */
	struct trace *trace; /* [repeat], and behind them that of run 1 if it is none of them */
	struct jobcomm **jobcomm; /* the same for each workload's jobs; NULL without contention */
	int run_1; /* index of run 1's workload, for calibration and messages */
	struct runner runner;
	FILE *journal; /* of --resume, or NULL */
	/* Set by the outputs. */
	char **nodes; /* [njobs] for Batsim: intervals of node numbers; NULL: never started */
	/* For the page, from each strategy's first run: */
	struct profile *profile;   /* [nops] */
	struct timeline *timeline; /* [nops] */
};

/* Each function returns SMESH_OK, or another exit code after a message. */

/* The options of smesh sim that are not 0 by default. */
#define SIM_USUAL .comm.share = 0.5, .availability = 1, \
	.runner.engine.scheduler = ENGINE_EASY, .workload = WORKLOAD_USUAL

/* Set up machine and jobs, and run. */
int sim_run(struct sim_session *session);

/* sim_machine.c: read -s; open the mesh with its down nodes, broken links and cubes. */
int sim_list_strategies(struct sim_session *session);
int sim_open_machine(struct sim_session *session);
/* Do both, load workloads, and make a task for each run. Call sim_release() in all cases. */
int sim_setup(struct sim_session *session);
void sim_release(struct sim_session *session);

/* --resume (sim_resume.c): mark runs that are done, and note those that are done from now on. */
int sim_resume(struct sim_session *session);

/* sim_jobs.c: a hook of the engine that notes where jobs are, and what writes files of jobs. */
void sim_job_placed(void *session, int job, const int *node, int count, int64_t now);
int sim_write_ran(struct sim_session *session, const struct report *report, FILE *file);
int sim_write_batsim(struct sim_session *session, const struct report *report, FILE *file);
int sim_write_swf(struct sim_session *session, const struct report *report, FILE *file);

/*
 * The files that are read: {OPTION: {path, sha256}}. A new object; NULL after a message: a file
 * cannot be read a second time.
 */
json_t *sim_files(const struct sim_session *session);
/* Does an option change only what is written, and nothing that is computed? */
bool sim_is_output(const char *option);
/* --save: write the identity and the result. */
int sim_write_save(struct sim_session *session, const struct report *report, FILE *file);
/* --again: read a saved file's arguments into base, with memory of the arena, and a new result. */
int sim_saved(const char *path, struct command_base *base, json_t **result, struct arena *arena);
/* Compare figure by figure, on standard output. SMESH_OK, or SMESH_FAILED: some differ. */
int sim_compare(const json_t *then, const json_t *now);

/* --calibrate, after the setup: find the divisors of slowdowns. */
int sim_calibrate(struct sim_session *session);

/* Between setup and run: open the files that are wanted, and set the hooks that they need. */
int sim_open_outputs(struct sim_session *session);
/* After the run: write the report, the page and the files. */
int sim_write_outputs(struct sim_session *session);
/* Print only the report: as a table, or in the form given. */
int sim_print_report(const struct report *report, const struct report_form *form, FILE *file);
/* Write everything but the report. */
int sim_write_files(struct sim_session *session, const struct report *report);

/* Make the report of the runs. Release its arena in all cases. */
struct sim_report {
	struct arena arena;
	struct report report;
	struct report_strategy *strategy;
};
void sim_report_make(const struct sim_session *session, struct sim_report *out);

#endif
