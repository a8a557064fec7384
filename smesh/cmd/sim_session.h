/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of smesh sim share: options (cmd_sim.c), the machine, its jobs and the runs
 * (sim_setup.c, sim_calibrate.c), and what is written of them (sim_outputs.c).
 */
#ifndef SMESH_SIM_SESSION_H
#define SMESH_SIM_SESSION_H

#include <jansson.h>

#include "view/record.h"
#include "cli/output.h"
#include "sim/cubes.h"
#include "sim/profile.h"
#include "sim/report.h"
#include "sim/runner.h"
#include "cli/workload.h"
#include "cmd/sim_jobs.h"
#include "cmd/sim_sweep.h"
#include "cli/smesh.h"

struct sim_session {
	/* From the options. */
	const char *topology, *mesh_name, *strategies, *against, *down_hosts, *html, *calibrate;
	const char *save, *again, *resume, *cubes_text, *down_links;
	int others; /* options that are neither --again nor --threads */
	double availability; /* of a node, 0..1 */
	int argc; /* as given */
	char **argv;
	char *command;
	bool json, csv, matrix;
	bool quiet; /* what there is to say of the jobs has been said */
	int repeat;
	double warmup, cooldown;
	bool contention;
	struct comm_options comm;
	struct workload_options workload;
	const char *fault_file;
	/* Of the setup. */
	struct topoconf *conf;
	const struct mesh *mesh;
	struct nodeset down;
	struct faults_window *window; /* [nwindows] of the fault file */
	int nwindows;
	const struct strategy_ops **ops; /* [nops] */
	int nops;
	struct cubes cubes; /* with cubes_text, and the last of ops[] then: */
	struct strategy_ops cubes_ops;
	int against_at; /* the strategy that others are compared with */
	struct trace *trace; /* [repeat] */
	struct comm_job **comm_job; /* [repeat], of each workload's jobs; NULL without contention */
	struct runner runner;
	struct sweep sweep;
	bool borrowed; /* strategies, machine and runs are another session's */
	double offered_load; /* of trace[0], once it is not in memory any more */
	FILE *journal; /* of --resume, or NULL */
	/* Of the outputs. */
	struct output html_out, save_out;
	struct sim_jobs jobs;
	/* For the page, of each strategy's first run: */
	struct profile *profile;   /* [nops] */
	struct record *record;	   /* [nops] */
};

/* Each returns an exit code, with a message said unless it is SMESH_OK. */

/* Into a zeroed session (cmd_sim.c): all arguments; what does not go together. */
int sim_parse(struct sim_session *session, int argc, char **argv);
int sim_check(struct sim_session *session);
/* What is not 0 where no option says anything. */
void sim_defaults(struct sim_session *session);
/* Machine, jobs and runs, up to the figures. */
int sim_run(struct sim_session *session);

/* --fault-file, once the machine is known (sim_faults.c). */
int sim_read_faults(struct sim_session *session);

/* Strategies, mesh, workloads, and a task a run. sim_release() in all cases. */
int sim_setup(struct sim_session *session);
void sim_release(struct sim_session *session);
/* For a point of a sweep: the same from another session, with these tasks, workloads not loaded. */
int sim_borrow(
	struct sim_session *session, const struct sim_session *from, struct runner_task *task);
/* The i-th workload, and how its jobs communicate; and out of memory again, but for what reports
 * say. */
int sim_load(struct sim_session *session, int i);
void sim_unload(struct sim_session *session, int i);

/* --resume (sim_resume.c): mark what was done before; then note what is done. */
int sim_resume(struct sim_session *session);
void sim_journal(struct sim_session *session, const struct runner_task *task);

/* After the setup, with --calibrate: find what slowdowns are divided by. */
int sim_calibrate(struct sim_session *session);

/* Between setup and run: open the files asked for and hook what they need into the runs. */
int sim_open_outputs(struct sim_session *session);
/* After the run: the report, the page, the files. */
int sim_write_outputs(struct sim_session *session);
/* But for the report. */
int sim_write_files(struct sim_session *session, const struct report *report);

/* What the runs have shown. An exit code; sim_report_release() in all cases. */
struct sim_report {
	struct report report;
	struct report_strategy *strategy;
	double *matrix;
};
int sim_report_make(const struct sim_session *session, struct sim_report *out);
void sim_report_release(struct sim_report *report);

#endif
