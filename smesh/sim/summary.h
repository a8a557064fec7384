/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The figures of a run, from what became of its jobs: the same for a simulation and for a replay
 * through Slurm.
 */
#ifndef SMESH_SUMMARY_H
#define SMESH_SUMMARY_H

#include "sim/engine.h"
#include "sim/human.h"

/* What must be there for a figure to be known; otherwise it is NAN. */
enum summary_needs {
	SUMMARY_NOTHING,
	SUMMARY_MESH,	/* the boxes of the mesh have a meaning */
	SUMMARY_SHAPES, /* the engine measured more than hops */
	SUMMARY_BOXES,	/* that, and the machine has boxes */
	SUMMARY_LINKS,	/* contention */
	SUMMARY_CUBES,
};

/*
 * Where a figure is shown. LONG: everywhere but in the short table. TABLE: there too. OPTION:
 * there too, but nowhere unless it was measured.
 */
enum summary_show { SUMMARY_LONG, SUMMARY_TABLE, SUMMARY_OPTION };

/*
 * All figures: key in JSON and CSV, title and help in tables, unit and decimals (summary_row),
 * what is better (-1: less, 1: more), where the figure is shown, and what it needs. Times are in
 * seconds. Means of hops and shapes are over jobs of more than one node. A figure that was not
 * measured, and a mean over nothing, is NAN: null in JSON, empty in CSV, a dash in tables.
 */
#define SUMMARY_ROWS(ROW) \
	ROW(jobs, "jobs", "jobs that ran and are counted", COUNT, 0, 0, TABLE, NOTHING) \
	ROW(jobs_parallel, "parallel", "of them, of more than one node", COUNT, 0, 0, LONG, \
		NOTHING) \
	ROW(refused, "refused", "jobs that the strategy can never place", COUNT, 0, -1, LONG, \
		NOTHING) \
	ROW(unstarted, "unstarted", "jobs that had not started at the end", COUNT, 0, -1, LONG, \
		NOTHING) \
	ROW(mean_turnaround, "turnaround", "wait and run time, mean", SECONDS, 1, -1, TABLE, \
		NOTHING) \
	ROW(mean_run, "run time", "run time, mean", SECONDS, 1, -1, TABLE, NOTHING) \
	ROW(makespan, "makespan", "first submission to last end", SECONDS, 0, -1, LONG, NOTHING) \
	ROW(mean_wait, "wait", "wait, mean", SECONDS, 1, -1, TABLE, NOTHING) \
	ROW(p95_wait, "p95 wait", "95th percentile of the wait", SECONDS, 0, -1, LONG, NOTHING) \
	ROW(max_wait, "max wait", "longest wait", SECONDS, 0, -1, LONG, NOTHING) \
	ROW(mean_bounded_slowdown, "slowdown", \
		"bounded slowdown: mean of (wait + run) / run, run at least 10 s", NUMBER, 1, -1, \
		TABLE, NOTHING) \
	ROW(utilization, "util", "utilisation: busy share of the nodes", SHARE, 4, 1, LONG, \
		NOTHING) \
	ROW(fragmentation, "frag", \
		"share of node-seconds idle while the head, small enough, was not placed", SHARE, \
		4, -1, LONG, NOTHING) \
	ROW(largest_free_box, "free box", \
		"vertices of the largest free box, mean over the time in which jobs ran", NUMBER, \
		1, 1, TABLE, MESH) \
	ROW(mean_pairwise_hops, "total hops", \
		"sum of hops over the pairs of a job's nodes, mean over jobs of several nodes", \
		COUNT, 0, -1, LONG, NOTHING) \
	ROW(mean_hops, "hops", "hops between two nodes of a job, mean over jobs of several nodes", \
		NUMBER, 2, -1, TABLE, NOTHING) \
	ROW(weighted_mean_hops, "weighted", \
		"hops between two nodes of a job, weighted by node-seconds", NUMBER, 2, -1, LONG, \
		NOTHING) \
	ROW(mean_diameter, "diam", \
		"most hops between two nodes of a job, mean over jobs of several nodes", NUMBER, \
		1, -1, LONG, SHAPES) \
	ROW(mean_box_ratio, "box", "nodes in the bounding box / nodes of the job, mean", NUMBER, \
		2, -1, LONG, BOXES) \
	ROW(mean_components, "comp", "connected pieces of a job, mean", NUMBER, 2, -1, LONG, \
		SHAPES) \
	ROW(mean_stretch, "stretch", \
		"run time / nominal run time, mean over jobs of several nodes", NUMBER, 2, -1, \
		LONG, LINKS) \
	ROW(stretch_deviation, "spread", \
		"standard deviation of the stretch over these jobs: how much run times vary", \
		NUMBER, 2, -1, LONG, LINKS) \
	ROW(peak_link_load, "peak load", "load of the most loaded link", NUMBER, 1, -1, LONG, \
		LINKS) \
	ROW(mean_shared_links, "shared", "links that carry several jobs' messages, over time", \
		NUMBER, 1, -1, LONG, LINKS) \
	ROW(cubes_lost, "lost cubes", "share of the cubes with a node out of service", SHARE, 4, \
		-1, OPTION, CUBES) \
	ROW(decision_us_median, "decision", "median processor time of a decision", MICROSECONDS, \
		1, -1, TABLE, NOTHING) \
	ROW(decision_us_p99, "p99", "99th percentile of the processor time of a decision", \
		MICROSECONDS, 1, -1, LONG, NOTHING) \
	ROW(decision_us_mean, "mean decision", "mean processor time of a decision", MICROSECONDS, \
		1, -1, LONG, NOTHING)

#define SUMMARY_FIELD(field, ...) double field;
struct summary {
	SUMMARY_ROWS(SUMMARY_FIELD)
};
#undef SUMMARY_FIELD

/* A row of that list makes the table, JSON, CSV and HTML; JSON and CSV have no units. */
struct summary_row {
	const char *key, *title, *help;
	size_t offset; /* of the double */
	enum human_unit unit; /* in tables */
	int decimals;	/* of a HUMAN_NUMBER in tables; of all figures in CSV and JSON */
	int better;
	enum summary_show show;
	enum summary_needs needs;
};

/* Ends with a row without a key. */
extern const struct summary_row summary_rows[];

static inline double summary_value(const struct summary *s, const struct summary_row *row)
{
	return *(const double *)(const void *)((const char *)s + row->offset);
}

/* The row of a figure, or NULL. */
const struct summary_row *summary_find(const char *key);
/* A figure as tables show it: 4.5 d, 29 s, 85.1%. */
void summary_text(const struct summary_row *row, double value, char *text, size_t size);

struct summary_options {
	int nodes;	 /* nodes that are not down */
	bool hops_only;	 /* the engine measured only hops */
	bool contention; /* the engine simulated links */
	bool cubes;	 /* the machine has cubes; cubes_lost is known then */
	double cubes_lost;
	bool rewired;	 /* jobs ran on cubes: boxes of the mesh have no meaning */
	bool cabled;	 /* a machine of cables has no boxes */
};

/* Compute the figures. */
void summarise(struct summary *out, const struct trace *trace, const struct engine_result *result,
	const struct summary_options *options);

/* Set all figures to NAN, for a missing run. */
void summary_nothing(struct summary *summary);

/* Are all figures the same, except for the times of decisions? */
bool summary_alike(const struct summary *a, const struct summary *b);

/* The mean of each figure, and half its 95% confidence interval (Student's t; NAN for one run). */
void summary_average(struct summary *mean, struct summary *plusminus, const struct summary *run,
	int n);

/*
 * By how many percent runs differ from runs of the same jobs under another strategy, figure by
 * figure: the ratio of means over all pairs run[i], against[i] in which both have the figure.
 * margin: half the 95% confidence interval of that ratio, from the spread of the pairs (Student's
 * t; NAN for one pair), so that what both runs of a pair have in common cancels. NAN if the other
 * mean is 0.
 */
void summary_change(struct summary *percent, struct summary *margin, const struct summary *run,
	const struct summary *against, int n);

/* The t of a two-sided 95% interval with so many degrees of freedom (>= 1). */
double summary_student(int freedom);

/* --- by job size, for charts ------------------------------------------------------ */

enum { PROFILE_SIZES = 26 };

/* Lower quartile, median and upper quartile. */
enum { PROFILE_QUARTILES = 3 };

/* Means over jobs, and quartiles. */
struct profile_size {
	int jobs;
	double hops;
	double wait;	/* seconds */
	double stretch; /* run time / nominal */
	double variation[PROFILE_QUARTILES]; /* of engine_stretch() */
	double slowdown[PROFILE_QUARTILES]; /* turnaround / run time of at least 10 s (Feitelson et
					       al. 1997) */
};

enum { PROFILE_SHARES = 101 };

/* size[i] is for jobs of 2^(i-1)+1 .. 2^i nodes (i = 0: one node). */
struct profile {
	struct profile_size size[PROFILE_SIZES];
	/* Over all jobs that started: i percent have at most this value (0: the least). */
	double slowdown[PROFILE_SHARES];
	double wait[PROFILE_SHARES]; /* seconds */
};

void profile_make(
	struct profile *profile, const struct trace *trace, const struct engine_record *record);

#endif
