/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/summary.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "sim/need.h"

#define ROW(field, title, help, unit, decimals, better, show, needs) \
	{#field, title, help, offsetof(struct summary, field), HUMAN_##unit, decimals, better, \
		SUMMARY_##show, SUMMARY_##needs},

const struct summary_row summary_rows[] = {SUMMARY_ROWS(ROW){0}};

static double *field_of(struct summary *s, const struct summary_row *row)
{
	return (double *)(void *)((char *)s + row->offset);
}

void summary_nothing(struct summary *s)
{
	for (const struct summary_row *row = summary_rows; row->key; row++)
		*field_of(s, row) = (double)NAN;
}

const struct summary_row *summary_find(const char *key)
{
	for (const struct summary_row *row = summary_rows; row->key; row++)
		if (!strcmp(row->key, key))
			return row;
	return NULL;
}

bool summary_alike(const struct summary *a, const struct summary *b)
{
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		double x = summary_value(a, row), y = summary_value(b, row);

		if (strncmp(row->key, "decision_", 9) && (x < y || x > y || isnan(x) != isnan(y)))
			return false;
	}
	return true;
}

/* The smallest value that at least this share of the sorted values does not exceed. */
static double percentile(const double *value, int n, double share)
{
	/* 0.07 * 100 is a little more than 7. */
	int at = (int)ceil(share * n - 1e-9) - 1;

	return n ? value[at < 0 ? 0 : at] : (double)NAN;
}

/* Add to sums over jobs of more than one node; the end divides them. */
static void add_shape(struct summary *s, const struct engine_record *r, int count, double *weight)
{
	double node_seconds = sim_seconds(r->end - r->start) * count;

	s->jobs_parallel++;
	s->mean_pairwise_hops += (double)r->pairwise_hops;
	s->mean_hops += r->mean_hops;
	s->weighted_mean_hops += r->mean_hops * node_seconds;
	*weight += node_seconds;
	s->mean_diameter += r->diameter;
	s->mean_box_ratio += (double)r->box_ratio;
	s->mean_components += r->components;
}

static double ratio(double value, double by)
{
	return by > 0 ? value / by : (double)NAN;
}

static void divide_all(struct summary *s, double weight)
{
	double *per_parallel[] = {&s->mean_pairwise_hops, &s->mean_hops, &s->mean_diameter,
		&s->mean_box_ratio, &s->mean_components, &s->mean_stretch, &s->stretch_deviation};
	double *per_job[] = {&s->mean_wait, &s->mean_turnaround, &s->mean_run,
		&s->mean_bounded_slowdown, &s->decision_us_mean};

	for (unsigned i = 0; i < sizeof(per_parallel) / sizeof(per_parallel[0]); i++)
		*per_parallel[i] = ratio(*per_parallel[i], s->jobs_parallel);
	for (unsigned i = 0; i < sizeof(per_job) / sizeof(per_job[0]); i++)
		*per_job[i] = ratio(*per_job[i], s->jobs);
	s->stretch_deviation = sqrt(s->stretch_deviation);
	s->weighted_mean_hops = ratio(s->weighted_mean_hops, weight);
}

static double bounded_slowdown(const struct trace_job *job, const struct engine_record *r)
{
	double run = sim_seconds(r->end - r->start),
	       wait = sim_seconds(r->start - job->submit);

	return fmax(1, (wait + run) / fmax(run, 10));
}

static void add_job(struct summary *s, const struct trace_job *job, const struct engine_record *r)
{
	double wait = sim_seconds(r->start - job->submit),
	       run = sim_seconds(r->end - r->start);

	s->jobs++;
	s->mean_wait += wait;
	s->max_wait = wait > s->max_wait ? wait : s->max_wait;
	s->mean_turnaround += wait + run;
	s->mean_run += run;
	s->mean_bounded_slowdown += bounded_slowdown(job, r);
	s->decision_us_mean += r->decision_ns / 1000.0;
}

/* The sum of squares is about the running mean (Welford), to keep the last digits. */
static void add_stretch(struct summary *s, double stretch)
{
	double before = s->jobs_parallel > 1 ? s->mean_stretch / (s->jobs_parallel - 1) : stretch;

	s->mean_stretch += stretch;
	s->stretch_deviation +=
		(stretch - before) * (stretch - s->mean_stretch / s->jobs_parallel);
}

/* Set figures that the engine was not asked for to NAN. */
static void leave_out(struct summary *s, const struct summary_options *o)
{
	const bool known[] = {[SUMMARY_NOTHING] = true,
		[SUMMARY_MESH] = !o->rewired,
		[SUMMARY_SHAPES] = !o->hops_only && !o->rewired,
		[SUMMARY_BOXES] = !o->hops_only && !o->rewired && !o->cabled,
		[SUMMARY_LINKS] = o->contention,
		[SUMMARY_CUBES] = o->cubes};

	s->cubes_lost = o->cubes_lost;
	for (const struct summary_row *row = summary_rows; row->key; row++)
		if (!known[row->needs])
			*field_of(s, row) = (double)NAN;
}

void summarise(struct summary *s, const struct trace *trace, const struct engine_result *result,
	const struct summary_options *options)
{
	struct arena arena = {0};
	double *wait = need_get(&arena, trace->njobs, sizeof(*wait));
	double *decision = need_get(&arena, trace->njobs, sizeof(*decision));
	int64_t first = trace->njobs ? trace->job[0].submit : 0, last = 0;
	double weight = 0, busy = 0;
	int n = 0;

	memset(s, 0, sizeof(*s));
	for (int i = 0; i < trace->njobs; i++) {
		const struct engine_record *r = &result->record[i];

		s->refused += r->refused;
		s->unstarted += r->start < 0 && !r->refused;
		last = r->end > last ? r->end : last;
		if (r->start < 0)
			continue;
		wait[n] = sim_seconds(r->start - trace->job[i].submit);
		decision[n++] = r->decision_ns / 1000.0;
		add_job(s, &trace->job[i], r);
		busy += sim_seconds(r->end - r->start) * trace->job[i].count;
		if (trace->job[i].count > 1) {
			add_shape(s, r, trace->job[i].count, &weight);
			add_stretch(s, engine_stretch(&trace->job[i], r));
		}
	}
	sort_doubles(wait, (size_t)n);
	sort_doubles(decision, (size_t)n);
	s->p95_wait = percentile(wait, n, 0.95);
	s->decision_us_median = percentile(decision, n, 0.5);
	s->decision_us_p99 = percentile(decision, n, 0.99);
	divide_all(s, weight);
	s->makespan = sim_seconds(last - first);
	s->peak_link_load = result->peak_load;
	s->mean_shared_links = ratio(result->shared_links, s->makespan);
	s->utilization = ratio(busy, s->makespan * options->nodes);
	s->largest_free_box = ratio(result->free_box, result->free_box_time);
	s->fragmentation = ratio(result->fragmented, s->makespan * options->nodes);
	leave_out(s, options);
	arena_release(&arena);
}

/*
 * 97.5% points of Student's t, by degrees of freedom 1..30; beyond, from the normal distribution's
 * z by the first terms of Fisher's expansion (Abramowitz and Stegun, 26.7.5).
 */
double summary_student(int freedom)
{
	const double z = 1.959964, f = freedom;
	static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
		2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
		2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

	if (freedom <= 30)
		return t[freedom - 1];
	return z + (pow(z, 3) + z) / (4 * f) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * f * f);
}

/* Half the 95% interval of a mean, from the squares of n distances from it; NAN for one. */
static double margin_of(double squares, int n)
{
	return n < 2 ? (double)NAN : summary_student(n - 1) * sqrt(squares / (n - 1) / n);
}

/* Average a figure over the runs that have it. */
static void average_row(const struct summary_row *row, const struct summary *run, int runs,
	double *mean, double *plusminus)
{
	double sum = 0, squares = 0, value;
	int n = 0;

	for (int i = 0; i < runs; i++)
		if (!isnan(value = summary_value(&run[i], row))) {
			sum += value;
			n++;
		}
	*mean = ratio(sum, n);
	for (int i = 0; i < runs; i++)
		if (!isnan(value = summary_value(&run[i], row)))
			squares += (value - *mean) * (value - *mean);
	*plusminus = margin_of(squares, n);
}

void summary_average(struct summary *mean, struct summary *plusminus, const struct summary *run,
	int n)
{
	for (const struct summary_row *row = summary_rows; row->key; row++)
		average_row(row, run, n, field_of(mean, row), field_of(plusminus, row));
}

/* The ratio of two means and its margin, from the pairs' distances (Cochran, 1977, 6.4). */
static double change_row(const struct summary_row *row, const struct summary *run,
	const struct summary *against, int runs, double *margin)
{
	double ours = 0, theirs = 0, squares = 0, off;
	int n = 0;

	for (int i = 0; i < runs; i++)
		if (!isnan(summary_value(&run[i], row) - summary_value(&against[i], row))) {
			ours += summary_value(&run[i], row);
			theirs += summary_value(&against[i], row);
			n++;
		}
	*margin = (double)NAN;
	if (!(theirs > 0))
		return *margin;
	for (int i = 0; i < runs; i++)
		if (!isnan(off = summary_value(&run[i], row) -
			   summary_value(&against[i], row) * (ours / theirs)))
			squares += off * off;
	*margin = 100 * margin_of(squares, n) / (theirs / n);
	return 100 * (ours / theirs - 1);
}

void summary_change(struct summary *percent, struct summary *margin, const struct summary *run,
	const struct summary *against, int n)
{
	for (const struct summary_row *row = summary_rows; row->key; row++)
		*field_of(percent, row) = change_row(row, run, against, n, field_of(margin, row));
}

void summary_text(const struct summary_row *row, double value, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else if (row->unit == HUMAN_NUMBER)
		snprintf(text, size, "%.*f", row->decimals, value);
	else
		human_text(row->unit, value, text, size);
}

/* --- by job size ------------------------------------------------------------------------- */

static int size_class(int count)
{
	int class = 0;

	while (class < PROFILE_SIZES - 1 && 1 << class < count)
		class++;
	return class;
}

/* Sort value[n] and take its quartiles. */
static void quartiles(double *value, int n, double *out)
{
	sort_doubles(value, (size_t)n);
	for (int q = 0; q < PROFILE_QUARTILES; q++)
		out[q] = percentile(value, n, (q + 1) / 4.0);
}

/* Sort value[n]: the value that each percent of them does not exceed. */
static void shares(double *value, int n, double *out)
{
	sort_doubles(value, (size_t)n);
	for (int i = 0; i < PROFILE_SHARES && n; i++)
		out[i] = percentile(value, n, i / (PROFILE_SHARES - 1.0));
}

static void profile_all(struct profile *p, const struct trace *trace,
	const struct engine_record *record, double *slowdown, double *wait)
{
	int n = 0;

	for (int i = 0; i < trace->njobs; i++)
		if (record[i].start >= 0) {
			slowdown[n] = bounded_slowdown(&trace->job[i], &record[i]);
			wait[n++] = sim_seconds(record[i].start - trace->job[i].submit);
		}
	shares(slowdown, n, p->slowdown);
	shares(wait, n, p->wait);
}

void profile_make(
	struct profile *p, const struct trace *trace, const struct engine_record *record)
{
	size_t room = (size_t)trace->njobs + 1;
	double *value = need(malloc(2 * room * sizeof(*value))), *run = value + room;

	memset(p, 0, sizeof(*p));
	for (int class = 0; class < PROFILE_SIZES; class++) {
		struct profile_size *size = &p->size[class];

		for (int i = 0; i < trace->njobs; i++) {
			const struct trace_job *job = &trace->job[i];

			if (record[i].start < 0 || size_class(job->count) != class)
				continue;
			value[size->jobs] = bounded_slowdown(job, &record[i]);
			run[size->jobs] = engine_stretch(job, &record[i]);
			size->jobs++;
			size->hops += record[i].mean_hops;
			size->wait += sim_seconds(record[i].start - job->submit);
			size->stretch += engine_stretch(job, &record[i]);
		}
		if (!size->jobs)
			continue;
		quartiles(value, size->jobs, size->slowdown);
		quartiles(run, size->jobs, size->variation);
		size->hops /= size->jobs;
		size->wait /= size->jobs;
		size->stretch /= size->jobs;
	}
	profile_all(p, trace, record, value, run);
	free(value);
}
