/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the table for the terminal and the page share.
 */
#include "sim/report.h"

#include <math.h>
#include <string.h>

#include "base/textfile.h"

enum { CELL = 64 };

/* Did all runs of a strategy end alike, for all strategies? Then chance had no part in them. */
static bool ran_alike(const struct report *r)
{
	for (int i = 0; i < r->nstrategies * r->runs; i++)
		if (!summary_alike(&r->run[i], &r->run[i - i % r->runs]))
			return false;
	return r->runs > 1;
}

/* Do i and the strategy it is compared with run the same jobs? */
static bool comparable(const struct report *r, int i)
{
	return !(fabs(r->strategy[i].mean.refused - r->strategy[r->against].mean.refused) > 0);
}

void report_compare(struct report *r, struct report_strategy *strategy, const struct summary *run)
{
	r->run = run;
	r->alike |= ran_alike(r);
	for (int i = 0; i < r->nstrategies; i++) {
		struct report_strategy *s = &strategy[i];
		const struct summary *against = &run[(r->against < 0 ? i : r->against) * r->runs];

		summary_average(&s->mean, &s->plusminus, &run[i * r->runs], r->runs);
		summary_change(&s->change, &s->change_margin, &run[i * r->runs], against, r->runs);
		if (r->alike) {
			summary_nothing(&s->plusminus);
			summary_nothing(&s->change_margin);
		}
	}
	for (int i = 0; i < r->nstrategies; i++)
		if (i == r->against || (r->against >= 0 && !comparable(r, i))) {
			summary_nothing(&strategy[i].change);
			summary_nothing(&strategy[i].change_margin);
		}
}

/* The order of rows in tables: the slowdown comes before the wait. */
static const struct summary_row *row_after(const struct summary_row *row)
{
	static const char slowdown[] = "mean_bounded_slowdown";

	if (!strcmp(row->key, slowdown))
		return summary_find("mean_wait");
	if (row[1].key && !strcmp(row[1].key, "mean_wait"))
		return summary_find(slowdown);
	return row[1].key && !strcmp(row[1].key, slowdown) ? row + 2 : row + 1;
}

static double value_of(const struct report *r, const struct summary_row *row, int i)
{
	return summary_value(&r->strategy[i].mean, row);
}

/* Is the figure in the short table? Not if it was not measured. */
static bool shows(const struct report *r, const struct summary_row *row)
{
	/* Jobs that did not run get a column only if there are some. */
	bool lost = !strcmp(row->key, "refused") || !strcmp(row->key, "unstarted");

	for (int i = 0; i < r->nstrategies; i++)
		if (lost ? value_of(r, row, i) > 0
			 : row->show != SUMMARY_LONG && !isnan(value_of(r, row, i)))
			return true;
	return false;
}

static bool reads_alike(const struct report *r, const struct summary_row *row, int i, int j)
{
	char a[CELL], b[CELL];

	summary_text(row, value_of(r, row, i), a, sizeof(a));
	summary_text(row, value_of(r, row, j), b, sizeof(b));
	return !strcmp(a, b);
}

/* Is the figure the same for all strategies, before it is rounded? Then one line says it. */
static bool same(const struct report *r, const struct summary_row *row)
{
	double first = value_of(r, row, 0);

	for (int i = 1; i < r->nstrategies; i++)
		if (isnan(first) ? !isnan(value_of(r, row, i))
				 : !(fabs(value_of(r, row, i) - first) <= 1e-9 * fabs(first)))
			return false;
	return r->nstrategies > 1;
}

/* Does strategy i refuse jobs that another runs? Then its means are not of the same jobs. */
static bool refuses(const struct report *r, int i)
{
	for (int j = 0; j < r->nstrategies; j++)
		if (r->strategy[i].mean.refused > r->strategy[j].mean.refused)
			return true;
	return false;
}

bool report_best(const struct report *r, const struct summary_row *row, int i)
{
	int best = -1, alike = 0;

	if (!row->better || r->nstrategies < 2 || same(r, row) || refuses(r, i) ||
		isnan(value_of(r, row, i)))
		return false;
	for (int j = 0; j < r->nstrategies; j++)
		if (!refuses(r, j) && !isnan(value_of(r, row, j)) &&
			(best < 0 ||
				(value_of(r, row, j) - value_of(r, row, best)) * row->better > 0))
			best = j;
	/* What most strategies reach is no distinction. */
	for (int j = 0; j < r->nstrategies; j++)
		alike += reads_alike(r, row, best, j);
	return reads_alike(r, row, best, i) && (2 * alike <= r->nstrategies || r->nstrategies < 5);
}

/* The figures whose change is told. The first text ends with the name of the other strategy. */
static const struct phrase {
	const char *key, *before, *less, *more, *same, *times;
} phrases[] = {
	{"mean_turnaround", "jobs are done ", "sooner than", "later than", "as soon as",
		"times as late as"},
	{"mean_run", "run times ", "shorter", "longer", "the same", "times as long"},
	{"mean_wait", "waits ", "shorter", "longer", "the same", "times as long"},
	{"mean_hops", "", "fewer hops", "more hops", "the same hops", "times the hops"},
};

/* Has the figure a column for its change? */
static bool changes(const struct report *r, const struct summary_row *row)
{
	for (unsigned i = 0; i < sizeof(phrases) / sizeof(*phrases); i++)
		if (!strcmp(row->key, phrases[i].key))
			return r->against >= 0 && r->nstrategies > 1 && !same(r, row);
	return false;
}

int report_columns(const struct report *r, struct report_column *column)
{
	int n = 0;

	for (const struct summary_row *row = summary_rows; row->key; row = row_after(row)) {
		if (!shows(r, row) || same(r, row))
			continue;
		column[n++] = (struct report_column){row, false};
		if (changes(r, row))
			column[n++] = (struct report_column){row, true};
	}
	return n;
}

void report_cell(const struct report *r, const struct report_column *c, int strategy, char *text,
	size_t size)
{
	if (strategy < 0 && c->change)
		snprintf(text, size, "vs %.*s", CELL - 8, r->strategy[r->against].name);
	else if (strategy < 0)
		snprintf(text, size, "%s", c->row->title);
	else if (!c->change)
		summary_text(c->row, value_of(r, c->row, strategy), text, size);
	else if (strategy == r->against)
		*text = '\0';
	else if (!comparable(r, strategy))
		snprintf(text, size, "-");
	else
		human_percent(value_of(r, c->row, strategy), value_of(r, c->row, r->against),
			!isnan(summary_value(&r->strategy[strategy].change_margin, c->row)), text,
			size);
}

void report_interval(const struct report *r, const struct report_column *c, int strategy,
	char *text, size_t size)
{
	const struct report_strategy *s = &r->strategy[strategy];
	double margin = summary_value(c->change ? &s->change_margin : &s->plusminus, c->row);
	bool times = c->change && summary_value(&s->change, c->row) >= HUMAN_TIMES;

	*text = '\0';
	if (isnan(margin) || (c->change && (strategy == r->against || !comparable(r, strategy))))
		return;
	if (c->change)
		snprintf(text, size, times ? "%.1f" : "%.1f%%", times ? margin / 100 : margin);
	else
		summary_text(c->row, margin, text, size);
}

void report_same_text(const struct report *r, char *text, size_t size)
{
	*text = '\0';
	for (const struct summary_row *row = summary_rows; row->key; row = row_after(row)) {
		char cell[CELL];

		if (!shows(r, row) || !same(r, row))
			continue;
		summary_text(row, value_of(r, row, 0), cell, sizeof(cell));
		human_add(text, size, "%s%s %s", *text ? ", " : "", row->title, cell);
	}
}

void report_shape(const struct mesh *mesh, char *text, size_t size)
{
	*text = '\0';
	for (int d = 0; d < mesh->ndims; d++)
		human_add(text, size, "%s%d%s", d ? "x" : "", mesh->side[d],
			mesh->wrap[d] ? "*" : "");
}

void report_setting(const struct report *r, char *text, size_t size)
{
	char shape[96], jobs[CELL], load[CELL] = "-", runs[160] = "";

	report_shape(r->mesh, shape, sizeof(shape));
	human_text(HUMAN_COUNT, r->trace->njobs, jobs, sizeof(jobs));
	if (r->runs > 1)
		snprintf(runs, sizeof(runs), ", %d runs%s", r->runs,
			r->missing ? " of each strategy" : "");
	if (r->missing)
		human_add(runs, sizeof(runs),
			", %d of all %d missing, figures of the %d that all have", r->missing,
			r->runs * r->nstrategies, r->compared);
	if (!isnan(r->offered_load))
		snprintf(load, sizeof(load), "%.3f", r->offered_load);
	snprintf(text, size, "%s: %s job%s on %s (%s, %d node%s), %s, offered load %s%s",
		textfile_name(r->trace->name), jobs, human_s(r->trace->njobs), r->mesh->name,
		shape, r->nodes, human_s(r->nodes), r->scheduler, load, runs);
}

/* Intervals of a log are of the spread that shaking makes, and what else is drawn. */
static void say_spread(const struct report *r, char *text, size_t size)
{
	char most[CELL];

	if (r->runs == 1 || r->alike || !r->log)
		return;
	human_text(HUMAN_SECONDS, r->shake, most, sizeof(most));
	human_add(text, size, " +- is the 95%% interval of runs ");
	if (r->shake > 0)
		human_add(text, size, "with submissions moved by up to %s", most);
	else
		human_add(text, size, "of the same jobs at the same times, with other draws of "
			"what they send or of their limits");
	human_add(text, size, ": other months may differ by more.");
}

void report_notes(const struct report *r, char *text, size_t size)
{
	*text = '\0';
	if (r->offered_load > 1)
		human_add(text, size,
			" The offered load is above 1: the queue grows to the end of the log, "
			"and waits say how long the log is.");
	if (r->trace->busiest > r->nodes)
		human_add(text, size,
			" In the log jobs held up to %d nodes at once, of %d: jobs shared nodes, "
			"or ran on others%s. Each counts here as if its nodes were its own.",
			r->trace->busiest, r->nodes, r->trace->processors
				? ", or the log counts processors (--procs-per-node)" : "");
	for (int i = 0; i < r->nstrategies && r->against >= 0; i++)
		if (!comparable(r, i)) {
			human_add(text, size, " Strategies that refuse more jobs than %s, or "
				"fewer, are not compared with it: other jobs ran.",
				r->strategy[r->against].name);
			break;
		}
	if (r->nstrategies > 1 && (r->runs == 1 || r->alike))
		human_add(text, size, r->runs == 1 ? " One run: no interval."
						   : " The same jobs in every run: no interval.");
	say_spread(r, text, size);
	if (*text)
		memmove(text, text + 1, strlen(text));
}

/* --- the headline ------------------------------------------------------------------- */

struct report_change report_change(const struct report *r, const char *key, int i)
{
	const struct summary_row *row = summary_find(key);
	struct report_change out = {summary_value(&r->strategy[i].change, row),
		summary_value(&r->strategy[i].change_margin, row), false};

	out.chance = fabs(out.percent) <= out.margin; /* false without a margin */
	return out;
}

/* Is the figure too small to matter? Nobody notices a second. */
static bool is_small(const struct report *r, const struct summary_row *row, int i)
{
	return row->unit == HUMAN_SECONDS &&
	       fabs(value_of(r, row, i) - value_of(r, row, r->against)) <= 1;
}

static void say(const struct report *r, const struct phrase *p, int i, char *text, size_t size)
{
	const struct summary_row *row = summary_find(p->key);
	struct report_change c = report_change(r, p->key, i);
	double ratio = 1 + c.percent / 100;

	human_add(text, size, "%s", p->before);
	if ((!c.chance && is_small(r, row, i)) || fabs(c.percent) < 0.5 ||
		(isnan(ratio) && !(value_of(r, row, i) > 0)))
		human_add(text, size, "%s", p->same);
	else if (isnan(ratio))
		human_add(text, size, "%s", p->more);
	else if (ratio >= 2)
		human_add(text, size, "%.*f %s", ratio < 10, ratio, p->times);
	else
		human_add(text, size, "%.*f%% %s", !isnan(c.margin), fabs(c.percent),
			ratio < 1 ? p->less : p->more);
}

/* 2: it refuses jobs; 1: its jobs are done notably later than under report->against; 0: neither. */
static int fault_of(const struct report *r, int i)
{
	const struct summary_row *row = summary_find("mean_turnaround");
	struct report_change done = report_change(r, row->key, i);

	if (refuses(r, i))
		return 2;
	return !is_small(r, row, i) &&
	       done.percent > 5 + (isnan(done.margin) ? 0 : done.margin);
}

/*
 * Is i better than j? If messages slow jobs down, its jobs are done sooner; otherwise it has fewer
 * hops.
 */
static bool is_better(const struct report *r, int i, int j)
{
	const struct summary *a = &r->strategy[i].mean, *b = &r->strategy[j].mean;

	if (fault_of(r, i) != fault_of(r, j))
		return fault_of(r, i) < fault_of(r, j);
	if (r->share > 0)
		return a->mean_turnaround < b->mean_turnaround;
	return a->mean_hops < b->mean_hops || (isnan(b->mean_hops) && !isnan(a->mean_hops));
}

/* The best of the other strategies; -1: none can be compared. */
static int hero(const struct report *r)
{
	int best = -1;

	for (int i = 0; i < r->nstrategies && !refuses(r, r->against); i++)
		if (i != r->against && !refuses(r, i) &&
			!isnan(r->strategy[i].mean.mean_turnaround) &&
			(best < 0 || is_better(r, i, best)))
			best = i;
	return best;
}

void report_order(const struct report *r, int *order)
{
	int n = 0, first = r->against < 0 ? -1 : hero(r), fixed;

	if (first >= 0)
		order[n++] = first;
	if (r->against >= 0)
		order[n++] = r->against;
	fixed = n;
	for (int i = 0; i < r->nstrategies; i++) {
		int at = n;

		if (i == first || i == r->against)
			continue;
		for (; at > fixed && r->against >= 0 && is_better(r, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
		n++;
	}
}

/* Describe a strategy that is compared with nothing. */
static void describe(const struct report *r, int i, char *text, size_t size)
{
	static const struct {
		const char *key, *before, *after;
	} said[] = {{"mean_turnaround", "jobs are done after ", ""}, {"mean_wait", "wait ", ""},
		{"utilization", "", " of the machine busy"},
		{"mean_hops", "", " hops between two nodes of a job"}};

	for (unsigned k = 0; k < sizeof(said) / sizeof(*said); k++) {
		const struct summary_row *row = summary_find(said[k].key);
		char cell[CELL];

		if (isnan(value_of(r, row, i)))
			continue;
		summary_text(row, value_of(r, row, i), cell, sizeof(cell));
		human_add(text, size, "%s%s%s%s", k ? ", " : "", said[k].before, cell,
			said[k].after);
	}
}

/* Tell how i differs from report->against. */
static void compare(const struct report *r, int i, char *text, size_t size)
{
	bool same_runs = r->share <= 0 && same(r, summary_find("mean_run"));

	for (unsigned k = 0; k < sizeof(phrases) / sizeof(*phrases); k++) {
		const struct summary_row *row = summary_find(phrases[k].key);
		struct report_change change = report_change(r, row->key, i);

		if (isnan(value_of(r, row, i)) || isnan(value_of(r, row, r->against)) ||
			(same_runs && !strcmp(row->key, "mean_run")))
			continue;
		human_add(text, size, "%s", k ? ", " : "");
		say(r, &phrases[k], i, text, size);
		if (!k)
			human_add(text, size, " with %s", r->strategy[r->against].name);
		if (fabs(change.percent) >= 0.5 && change.chance)
			human_add(text, size, " (perhaps chance)");
		else if (fabs(change.percent) >= 0.5 && !isnan(change.margin))
			human_add(text, size, " (+-%.1f)", change.margin);
	}
}

void report_headline(const struct report *r, char *text, size_t size)
{
	int who = r->nstrategies > 1 ? hero(r) : -1, alone = 0;

	while (who < 0 && refuses(r, alone))
		alone++;
	if (who < 0 && !(r->strategy[alone].mean.jobs > 0)) {
		snprintf(text, size, "no job ran: %s",
			r->strategy[alone].mean.refused > 0 ? "all were refused"
							    : "all wait");
		return;
	}
	snprintf(text, size, "%s: ", r->strategy[who < 0 ? alone : who].name);
	if (who >= 0)
		compare(r, who, text, size);
	else
		describe(r, alone, text, size);
	if (who < 0 && r->nstrategies > 1)
		human_add(text, size, "; not compared: others refuse jobs that it runs");
	else if (r->share > 0)
		human_add(text, size, "; if %.0f%% of run times is communication", 100 * r->share);
	else if (who >= 0) {
		human_add(text, size, "; placement does not change run times here");
		/* --cubes and --contention exclude each other. */
		if (isnan(r->strategy[who].mean.cubes_lost))
			human_add(text, size,
				" (it does with --contention=programs --calibrate=%s)",
				r->strategy[r->against].name);
	}
}
