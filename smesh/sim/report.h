/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes the result of a simulation as a table, JSON and CSV: one struct, one table of figures
 * (summary_rows), several writers.
 */
#ifndef SMESH_REPORT_H
#define SMESH_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/mesh.h"
#include "sim/summary.h"
#include "sim/trace.h"

struct report_strategy {
	const char *name;
	struct summary mean;
	struct summary plusminus; /* NAN: there is no interval */
	/*
	 * Change against report->against, in percent, by pairs of runs (summary_change()); else
	 * NAN.
	 */
	struct summary change, change_margin;
};

/* How a report was made. */
struct report_origin {
	const char *version, *command;
	char date[32];
};

struct report {
	struct report_origin origin;
	/* Replace report_headline() and report_notes() on the page; NULL: not replaced. */
	const char *headline, *caveat;
	const char *title;  /* before the page's title, "lublin.swf on torus0"; NULL: nothing */
	const char *advice; /* what to do next, on the page; NULL: nothing */
	const struct mesh *mesh;
	const struct trace *trace;
	bool log; /* the jobs are those of a log, in every run */
	const char *scheduler;
	double offered_load; /* NAN: all jobs come at once */
	double share; /* part of the run time that is communication; 0: not simulated */
	const char *contention; /* what jobs send, as given; NULL: not simulated */
	double load, shake; /* as given; 0: the log's own load, no shaking */
	uint64_t seed;
	int runs; /* of each strategy */
	int first_run; /* the number of the first run, from 1 */
	int missing; /* how many of all strategies' runs are missing */
	int compared; /* with missing runs: how many all strategies have. Means are of these */
	bool alike; /* all runs have the same jobs and say no more than one: no intervals */
	int nodes; /* nodes that are not down */
	const struct report_strategy *strategy; /* [nstrategies] */
	const struct summary *run; /* [nstrategies * runs] of report_compare() */
	int nstrategies;
	int against; /* the strategy that others are compared with; -1: none */
	/* matrix[situation * nstrategies + decision], mean total hops (NAN: not placed), or NULL */
	const double *matrix;
};

/*
 * Compute means, intervals and changes of report->strategy[] from run[nstrategies * runs], a
 * strategy's runs one after the other. The caller owns strategy[] and has set the names. A missing
 * run has NAN for every figure.
 */
void report_compare(struct report *report, struct report_strategy *strategy,
	const struct summary *run);

/*
 * The change of a figure of strategy i by report_compare(): percent, half its 95% interval (NAN:
 * none), and whether the interval contains 0.
 */
struct report_change {
	double percent, margin;
	bool chance;
};
struct report_change report_change(const struct report *report, const char *key, int i);

/*
 * A column of the short table: a figure that was measured and differs between strategies; or
 * (change) its change against report->against.
 */
struct report_column {
	const struct summary_row *row;
	bool change;
};
enum { REPORT_COLUMNS = 64 };
/* Fill column[REPORT_COLUMNS]. Returns how many. */
int report_columns(const struct report *report, struct report_column *column);
/*
 * The text of a cell: of a strategy's mean, or the title (strategy -1). Without a change if the
 * other strategy refuses more jobs, or fewer: -.
 */
void report_cell(const struct report *report, const struct report_column *column, int strategy,
	char *text, size_t size);
/* Half the 95% interval of a cell, without a sign; empty if there is none. */
void report_interval(const struct report *report, const struct report_column *column,
	int strategy, char *text, size_t size);
/* Is strategy i the best? All equal ones are, unless (nearly) all are equal. */
bool report_best(const struct report *report, const struct summary_row *row, int i);
/* "jobs 1,000, makespan 4.5 d": the figures that are the same for all; may be empty. */
void report_same_text(const struct report *report, char *text, size_t size);
/* The sides, "8x8x4", with * behind those that wrap. */
void report_shape(const struct mesh *mesh, char *text, size_t size);
/* "lublin.swf: 1,000 jobs on torus0 (8*x8*x4*, 256 nodes), fcfs, offered load 0.900". */
void report_setting(const struct report *report, char *text, size_t size);

/*
 * What a reader must know, in sentences: a queue that grows without end, jobs that shared nodes or
 * counts that are processors, no interval or of what it is. May be empty.
 */
void report_notes(const struct report *report, char *text, size_t size);

/*
 * One sentence: "snug: jobs are done 22% sooner than with linear, run times 12% shorter, waits 31%
 * shorter, 34% fewer hops; if 50% of run times is communication". It is about the best strategy:
 * with contention that of the least turnaround, else of the fewest hops. A strategy that refuses
 * jobs which others run does not count, nor one whose jobs are done notably later than with
 * report->against. With several runs a change has its interval, "(+-1.6)", or "(perhaps chance)"
 * if the interval contains 0.
 */
void report_headline(const struct report *report, char *text, size_t size);

/*
 * Order the strategies into order[nstrategies]: the headline's, the one compared with, then the
 * others, best first, and those that refuse jobs last.
 */
void report_order(const struct report *report, int *order);

/* The form of a report: a table, unless it is one of these. */
struct report_form {
	bool json, csv, latex;
};

/* For a paper: a tabular with the package booktabs, and all else as comments. */
void report_latex(const struct report *report, FILE *file);
/* A table for people. */
void report_table(const struct report *report, FILE *file);
/* A new object, or NULL. */
json_t *report_json(const struct report *report);
/* Set what was left out of a log from "workload" of report_json(). */
void report_left_out(const json_t *workload, struct trace *trace);
/* A new number, without a decimal point if it is whole; null for NAN. */
json_t *report_number(double value);
/* A new list of numbers; and of the sides that wrap, as booleans. */
json_t *report_ints(const int *value, int n);
json_t *report_wrap(const struct mesh *mesh);
/* A line of names, then a line for each strategy: all figures, and what distinguishes runs. */
void report_csv(const struct report *report, FILE *file);
/* The same for each run instead of means: a line for each run that exists, strategy by strategy. */
void report_csv_runs(const struct report *report, FILE *file);

#endif
