/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The outcome of a simulation as a table, JSON and CSV: one struct, one table of figures
 * (summary_rows), several ways out.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/mesh.h"
#include "sim/summary.h"
#include "sim/trace.h"

struct report_strategy {
	const char *name;
	struct summary mean;
	struct summary plusminus; /* NAN where there is no interval */
	/* Against report->against, in percent, by pairs of runs (summary_change()); NAN without. */
	struct summary change, change_margin;
};

/* How a report came about. */
struct report_origin {
	const char *version, *command;
	char date[32];
};

struct report {
	struct report_origin origin;
	/* What the page says instead of report_headline() and report_notes(); NULL: those. */
	const char *headline, *caveat;
	const struct mesh *mesh;
	const struct trace *trace;
	const char *scheduler;
	double offered_load;
	double share; /* of the run time that is communication; 0: not simulated */
	const char *contention; /* what jobs send, as asked; NULL: not simulated */
	double load, shake; /* as asked; 0: the log's own, none */
	uint64_t seed;
	int runs; /* of each strategy, */
	int first_run; /* the first of which has this number, from 1 */
	int missing; /* of all strategies' runs, those that are not there */
	bool alike; /* runs of the same jobs, which say no more than one: no intervals */
	int nodes; /* that are not down */
	const struct report_strategy *strategy; /* [nstrategies] */
	const struct summary *run; /* [nstrategies * runs] of report_compare() */
	int nstrategies;
	int against; /* the strategy that others are compared with; -1: none */
	/* matrix[situation * nstrategies + decision], mean total hops (NAN: not placed), or NULL */
	const double *matrix;
};

/*
 * Means, intervals and changes of report->strategy[], which is the caller's and has names, from
 * run[nstrategies * runs], a strategy's runs one after the other. A run that is not there has NAN
 * for every figure.
 */
void report_compare(struct report *report, struct report_strategy *strategy,
	const struct summary *run);

/* What report_compare() found of strategy i: percent, half its 95% interval (NAN: none), and
 * whether the interval holds 0. */
struct report_change {
	double percent, margin;
	bool chance;
};
struct report_change report_change(const struct report *report, const char *key, int i);

/*
 * The columns of the short table: figures that were measured and differ between strategies; behind
 * some of them their change against report->against.
 */
struct report_column {
	const struct summary_row *row;
	bool change;
};
enum { REPORT_COLUMNS = 64 };
/* Into column[REPORT_COLUMNS]; how many. */
int report_columns(const struct report *report, struct report_column *column);
/* What stands there: of a strategy's means, or the title (strategy -1). */
void report_cell(const struct report *report, const struct report_column *column, int strategy,
	char *text, size_t size);
/* Half the 95% interval of that, without a sign; empty where there is none. */
void report_interval(const struct report *report, const struct report_column *column,
	int strategy, char *text, size_t size);
/* Is strategy i best at it? Equal ones all are, unless (nearly) all are equal. */
bool report_best(const struct report *report, const struct summary_row *row, int i);
/* "jobs 1,000, makespan 4.5 d": what is the same for all; empty if nothing is. */
void report_same_text(const struct report *report, char *text, size_t size);
/* The sides, "8x8x4", with * after those that wrap. */
void report_shape(const struct mesh *mesh, char *text, size_t size);
/* "lublin.swf: 1,000 jobs on torus0 (8*x8*x4*, 256 nodes), fcfs, offered load 0.900". */
void report_setting(const struct report *report, char *text, size_t size);

/* What a reader must know of it, in sentences: a queue that grows without end, jobs that shared
 * nodes, no interval. Empty if nothing. */
void report_notes(const struct report *report, char *text, size_t size);

/*
 * One sentence: "snug: jobs are done 22% sooner than with linear, run times 12% shorter, waits 31%
 * shorter, 34% fewer hops; if 50% of run times is communication". Of the best strategy that
 * refuses no job that another runs and whose jobs are not done notably later than with
 * report->against: with contention that of the least turnaround, else of the fewest hops. With
 * several runs a change has its interval, "(+-1.6)", or "(perhaps chance)" if that holds 0.
 */
void report_headline(const struct report *report, char *text, size_t size);

/*
 * The strategies by what they are worth, into order[nstrategies]: that of the headline, the one
 * compared with, then the others, best first, those that refuse jobs last.
 */
void report_order(const struct report *report, int *order);

/* How it is written: as a table, unless it is one of these. */
struct report_form {
	bool json, csv, latex;
};

/* For a paper: a tabular with the package booktabs; what else there is to say are comments. */
void report_latex(const struct report *report, FILE *file);
/* Aligned, for people. */
void report_table(const struct report *report, FILE *file);
/* A new object, or NULL. */
json_t *report_json(const struct report *report);
/* A new number, whole ones without a decimal point; null for NAN. */
json_t *report_number(double value);
/* A new list of numbers; of the sides that wrap, as booleans. */
json_t *report_ints(const int *value, int n);
json_t *report_wrap(const struct mesh *mesh);
/* A line of names, then a line a strategy; all figures, and what tells one run from another. */
void report_csv(const struct report *report, FILE *file);
/* The same of each run instead of means: a line a run that is there, strategy by strategy. */
void report_csv_runs(const struct report *report, FILE *file);

#endif
