/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Figures of a run, from what became of its jobs: the same for a simulation and for a replay
 * through Slurm itself.
 */
#ifndef SIM_SUMMARY_H
#define SIM_SUMMARY_H

#include "sim/engine.h"
#include "sim/human.h"

/*
 * Times in seconds. Means of hops and shapes are over jobs of more than one node. What was not
 * measured, and a mean over nothing, is NAN: null in JSON, empty in CSV, a dash in tables.
 */
struct summary {
	double jobs, refused, unstarted; /* counted; the strategy said never; cut off */
	double jobs_parallel;		 /* of more than one node */
	double makespan;		 /* first submission to last end */
	double mean_wait, p95_wait, max_wait;
	double mean_turnaround, mean_run;
	double mean_bounded_slowdown; /* (wait + run) / run, run being at least 10 s */
	double utilization;	      /* of the nodes that are not down, 0..1 */
	double fragmentation;	      /* share of node-seconds, see engine_result.fragmented */
	double placeable; /* share of the free nodes, see engine_result.placeable */
	double largest_free_box;      /* vertices, mean over time; see engine_result.free_box */
	double mean_pairwise_hops, mean_hops;
	double weighted_mean_hops; /* by node-seconds */
	double mean_diameter, mean_box_ratio, mean_components;
	double mean_linear_span, mean_ring_span, mean_stretch_span; /* ring span / nodes */
	/* With contention: run time / nominal, and its standard deviation over jobs; most loaded
	 * link; links of several jobs, over time. */
	double mean_stretch, stretch_deviation, peak_link_load, mean_shared_links;
	double hops_a_byte, mean_job_peak; /* of jobs by themselves: engine_record */
	/* With failures: jobs hit, and hours of nodes: work lost, checkpoints, out of service. */
	double interruptions, lost_node_hours, checkpoint_node_hours, down_node_hours;
	double cubes_lost; /* share of them, with cubes */
	double relaxed; /* jobs in a mesh box that wanted a torus */
	double decision_us_median, decision_us_p99, decision_us_mean;
};

/* One row per figure drives the table, JSON, CSV and HTML; in JSON and CSV without units. */
struct summary_row {
	const char *key;   /* in JSON and CSV */
	const char *title; /* in tables */
	const char *help;
	size_t offset; /* of the double */
	enum human_unit unit; /* in tables */
	int decimals;  /* of a HUMAN_NUMBER in tables, and of all in those for machines */
	int better;    /* -1: less is better, 1: more, 0: neither */
	bool table;    /* in the short table */
	bool option;   /* shown only where it was measured */
};

/* Ends with a row without a key. */
extern const struct summary_row summary_rows[];

static inline double summary_value(const struct summary *s, const struct summary_row *row)
{
	return *(const double *)(const void *)((const char *)s + row->offset);
}

/* The row of a figure, or NULL. */
const struct summary_row *summary_find(const char *key);
/* A figure as tables have it: 4.5 d, 29 s, 85.1%. */
void summary_text(const struct summary_row *row, double value, char *text, size_t size);

struct summary_options {
	int nodes;	 /* that are not down */
	double warmup;	 /* share of the jobs left out at the beginning, 0..1 */
	double cooldown; /* and at the end */
	bool hops_only;	 /* the engine left out the other measures */
	bool contention; /* the engine knew links */
	bool faults;	 /* and failures */
	bool cubes;	 /* there is a machine of cubes; with the share of them that is lost */
	double cubes_lost;
	bool rewired;	 /* and this is it: boxes of the mesh mean nothing */
	bool relax;	 /* and jobs that may give up their torus */
};

/* 0, or -1 when memory is out. */
int summarise(struct summary *out, const struct trace *trace, const struct engine_result *result,
	const struct summary_options *options);

/* Mean and half the 95% confidence interval (Student's t; NAN with one run) of each figure. */
void summary_average(struct summary *mean, struct summary *plusminus, const struct summary *run,
	int n);

/* The t of a two-sided 95% interval, of so many degrees of freedom (>= 1). */
double summary_student(int freedom);

#endif
