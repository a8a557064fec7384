/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the table for the terminal and the page have in common.
 */
#include "sim/report.h"

#include <math.h>
#include <string.h>

enum { CELL = 64 };

static double value_of(const struct report *r, const struct summary_row *row, int i)
{
	return summary_value(&r->strategy[i].mean, row);
}

/* Is the figure in the short table? Those that were not measured are not. */
static bool shows(const struct report *r, const struct summary_row *row)
{
	/* Jobs that did not run are not worth a column as long as there are none. */
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

/* Does it read the same for all of several strategies? One line says it then. */
static bool same(const struct report *r, const struct summary_row *row)
{
	for (int i = 1; i < r->nstrategies; i++)
		if (!reads_alike(r, row, 0, i))
			return false;
	return r->nstrategies > 1;
}

bool report_best(const struct report *r, const struct summary_row *row, int i)
{
	int best = 0, alike = 0;

	if (!row->better || r->nstrategies < 2 || same(r, row) ||
		isnan(value_of(r, row, i)))
		return false;
	for (int j = 1; j < r->nstrategies; j++)
		if (isnan(value_of(r, row, best)) ||
			(value_of(r, row, j) - value_of(r, row, best)) * row->better > 0)
			best = j;
	/* What most of them reach is no distinction. */
	for (int j = 0; j < r->nstrategies; j++)
		alike += reads_alike(r, row, best, j);
	return reads_alike(r, row, best, i) && (2 * alike <= r->nstrategies || r->nstrategies < 5);
}

/* Figures whose change is told. The first ends with the name of the other. */
static const struct phrase {
	const char *key, *before, *less, *more, *same, *times;
} phrases[] = {
	{"mean_turnaround", "jobs are done ", "sooner than", "later than", "as soon as",
		"times as late as"},
	{"mean_run", "run times ", "shorter", "longer", "the same", "times as long"},
	{"mean_wait", "waits ", "shorter", "longer", "the same", "times as long"},
	{"mean_hops", "", "fewer hops", "more hops", "the same hops", "times the hops"},
};

/* Is there a column of its change? */
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

	for (const struct summary_row *row = summary_rows; row->key; row++) {
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
	else
		human_percent(value_of(r, c->row, strategy), value_of(r, c->row, r->against), text,
			size);
}

void report_same_text(const struct report *r, char *text, size_t size)
{
	*text = '\0';
	for (const struct summary_row *row = summary_rows; row->key; row++) {
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
	char shape[96], jobs[CELL], runs[CELL] = "";

	report_shape(r->mesh, shape, sizeof(shape));
	human_text(HUMAN_COUNT, r->trace->njobs, jobs, sizeof(jobs));
	if (r->runs > 1)
		snprintf(runs, sizeof(runs), ", %d runs", r->runs);
	snprintf(text, size, "%s: %s jobs on %s (%s, %d nodes), %s, offered load %.3f%s",
		human_file(r->trace->name), jobs, r->mesh->name, shape, r->nodes, r->scheduler,
		r->offered_load, runs);
}

/* --- the headline ------------------------------------------------------------------- */

struct pair {
	double ours, theirs, margin;
	bool chance; /* the runs show no difference */
};

static struct pair read_pair(const struct report *r, const char *key, int i)
{
	const struct summary_row *row = summary_find(key);
	double a = summary_value(&r->strategy[i].plusminus, row);
	double b = summary_value(&r->strategy[r->against].plusminus, row);
	struct pair pair = {value_of(r, row, i), value_of(r, row, r->against),
		isnan(a) || isnan(b) ? 0 : a + b, false};

	pair.chance = pair.theirs > 0 && pair.margin > 0 &&
		fabs(pair.ours - pair.theirs) <= pair.margin;
	/* Nobody notices a second. */
	if (row->unit == HUMAN_SECONDS && pair.margin < 1)
		pair.margin = 1;
	return pair;
}

static void say(const struct phrase *p, const struct pair *pair, char *text, size_t size)
{
	double ratio = pair->ours / pair->theirs, percent = 100 * fabs(ratio - 1);

	if ((!pair->chance && fabs(pair->ours - pair->theirs) <= pair->margin) || percent < 0.5)
		human_add(text, size, "%s%s", p->before, p->same);
	else if (isinf(ratio))
		human_add(text, size, "%s%s", p->before, p->more);
	else if (ratio >= 2)
		human_add(text, size, "%s%.*f %s", p->before, ratio < 10, ratio, p->times);
	else
		human_add(text, size, "%s%.0f%% %s", p->before, percent,
			ratio < 1 ? p->less : p->more);
}

/* Does it refuse jobs that another runs? Its means are not of the same jobs then. */
static bool refuses(const struct report *r, int i)
{
	for (int j = 0; j < r->nstrategies; j++)
		if (r->strategy[i].mean.refused > r->strategy[j].mean.refused)
			return true;
	return false;
}

/* 2: it refuses jobs; 1: under it they are done notably later than under report->against. */
static int fault_of(const struct report *r, int i)
{
	struct pair done = read_pair(r, "mean_turnaround", i);

	return refuses(r, i) ? 2 : done.ours > done.theirs * 1.05 + done.margin;
}

/* Is i better than j? Where messages make jobs slow, its jobs are done sooner; else it has fewer
 * hops. */
static bool is_better(const struct report *r, int i, int j)
{
	const struct summary *a = &r->strategy[i].mean, *b = &r->strategy[j].mean;

	if (fault_of(r, i) != fault_of(r, j))
		return fault_of(r, i) < fault_of(r, j);
	if (r->share > 0)
		return a->mean_turnaround < b->mean_turnaround;
	return a->mean_hops < b->mean_hops || (isnan(b->mean_hops) && !isnan(a->mean_hops));
}

/* The best of the others; -1: none that can be compared. */
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

/* With nothing to compare it with: what one does. */
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

/* How i differs from report->against. */
static void compare(const struct report *r, int i, char *text, size_t size)
{
	bool same_runs = r->share <= 0 && same(r, summary_find("mean_run"));

	for (unsigned k = 0; k < sizeof(phrases) / sizeof(*phrases); k++) {
		struct pair pair = read_pair(r, phrases[k].key, i);

		if (isnan(pair.ours) || isnan(pair.theirs) ||
			(same_runs && !strcmp(phrases[k].key, "mean_run")))
			continue;
		human_add(text, size, "%s", k ? ", " : "");
		say(&phrases[k], &pair, text, size);
		if (!k)
			human_add(text, size, " with %s", r->strategy[r->against].name);
		if (pair.chance && fabs(pair.ours / pair.theirs - 1) >= 0.005)
			human_add(text, size, " (perhaps chance)");
	}
}

void report_headline(const struct report *r, char *text, size_t size)
{
	int who = r->nstrategies > 1 ? hero(r) : -1, alone = 0;

	while (who < 0 && refuses(r, alone))
		alone++;
	snprintf(text, size, "%s: ", r->strategy[who < 0 ? alone : who].name);
	if (who >= 0)
		compare(r, who, text, size);
	else
		describe(r, alone, text, size);
	if (who < 0 && r->nstrategies > 1)
		human_add(text, size, "; not compared: others refuse jobs that it runs");
	else if (r->share > 0)
		human_add(text, size, "; if %.0f%% of run times is communication", 100 * r->share);
	else if (who >= 0)
		human_add(text, size,
			"; placement does not change run times here (see --contention)");
}
