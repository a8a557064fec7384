/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the table for the terminal and the page have in common.
 */
#include "report.h"

#include <math.h>
#include <string.h>

enum { CELL = 64 };

static double value_of(const struct report *r, const struct summary_row *row, int i)
{
	return summary_value(&r->strategy[i].mean, row);
}

bool report_shows(const struct report *r, const struct summary_row *row)
{
	/* Jobs that did not run are not worth a column as long as there are none. */
	bool lost = !strcmp(row->key, "refused") || !strcmp(row->key, "unstarted");

	for (int i = 0; i < r->nstrategies; i++)
		if (lost ? value_of(r, row, i) > 0 : row->table && !isnan(value_of(r, row, i)))
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

bool report_same(const struct report *r, const struct summary_row *row)
{
	for (int i = 1; i < r->nstrategies; i++)
		if (!reads_alike(r, row, 0, i))
			return false;
	return r->nstrategies > 1;
}

bool report_best(const struct report *r, const struct summary_row *row, int i)
{
	int best = 0, alike = 0;

	if (!row->better || r->nstrategies < 2 || report_same(r, row) || isnan(value_of(r, row, i)))
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

bool report_changes(const struct report *r, const struct summary_row *row)
{
	static const char *const keys[] = {"mean_hops", "mean_wait", "mean_stretch"};

	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(row->key, keys[i]))
			return r->against >= 0 && r->nstrategies > 1 && !report_same(r, row);
	return false;
}

void report_same_text(const struct report *r, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (const struct summary_row *row = summary_rows; row->key && used < size; row++) {
		char cell[CELL];

		if (!report_shows(r, row) || !report_same(r, row))
			continue;
		summary_text(row, value_of(r, row, 0), cell, sizeof(cell));
		used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "",
			row->title, cell);
	}
}

void report_shape(const struct mesh *mesh, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (int d = 0; d < mesh->ndims && used < size; d++)
		used += (size_t)snprintf(text + used, size - used, "%s%d%s", d ? "x" : "",
			mesh->side[d], mesh->wrap[d] ? "*" : "");
}

void report_setting(const struct report *r, char *text, size_t size)
{
	char shape[96], jobs[CELL], runs[CELL] = "";

	report_shape(r->mesh, shape, sizeof(shape));
	human_text(HUMAN_COUNT, r->trace->njobs, jobs, sizeof(jobs));
	if (r->runs > 1)
		snprintf(runs, sizeof(runs), ", %d runs", r->runs);
	snprintf(text, size, "%s: %s jobs on %s (%s, %d nodes), %s%s%s, offered load %.3f%s",
		human_file(r->trace->name), jobs, r->mesh->name, shape, r->nodes, r->scheduler,
		r->order ? " by " : "", r->order ? r->order : "",
		r->offered_load, runs);
}

/* --- the headline ------------------------------------------------------------------- */

struct phrase {
	const char *key, *before, *less, *more, *same, *times;
	bool names; /* ends with the name of the other */
};

static const struct phrase phrases[] = {
	{"mean_hops", "", "fewer hops than", "more hops than", "the same hops as",
		"times the hops of", true},
	{"mean_stretch", "", "less time in communication", "more time in communication",
		"the same time in communication", "times the time in communication", false},
	{"mean_wait", "waits ", "shorter", "longer", "the same", "times as long", false},
};

struct pair {
	double ours, theirs, margin;
};

static struct pair read_pair(const struct report *r, const char *key, int i)
{
	const struct summary_row *row = summary_find(key);
	double a = summary_value(&r->strategy[i].plusminus, row);
	double b = summary_value(&r->strategy[r->against].plusminus, row);
	struct pair pair = {value_of(r, row, i), value_of(r, row, r->against),
		isnan(a) || isnan(b) ? 0 : a + b};

	/* Of the nominal run time, share was communication: the rest is left as it was. */
	if (!strcmp(key, "mean_stretch")) {
		pair.ours -= 1 - r->share;
		pair.theirs -= 1 - r->share;
	}
	/* Nobody notices a second. */
	if (!strcmp(key, "mean_wait") && pair.margin < 1)
		pair.margin = 1;
	return pair;
}

static size_t say(const struct phrase *p, const struct pair *pair, char *text, size_t size)
{
	double ratio = pair->ours / pair->theirs, percent = 100 * fabs(ratio - 1);
	int n;

	if (fabs(pair->ours - pair->theirs) <= pair->margin || percent < 0.5)
		n = snprintf(text, size, "%s%s", p->before, p->same);
	else if (ratio >= 2)
		n = snprintf(text, size, "%s%.*f %s", p->before, ratio < 10, ratio, p->times);
	else
		n = snprintf(text, size, "%s%.0f%% %s", p->before, percent,
			ratio < 1 ? p->less : p->more);
	return (size_t)n;
}

/* Do jobs wait notably longer than under report->against? */
static bool waits_longer(const struct report *r, int i)
{
	struct pair wait = read_pair(r, "mean_wait", i);

	return wait.ours > wait.theirs * 1.05 + wait.margin;
}

/* Is i better than j: it does not make jobs wait, or like j and has fewer hops? */
static bool is_better(const struct report *r, int i, int j)
{
	double a = r->strategy[i].mean.mean_hops, b = r->strategy[j].mean.mean_hops;

	if (waits_longer(r, i) != waits_longer(r, j))
		return waits_longer(r, j);
	return a < b || (isnan(b) && !isnan(a));
}

/* The best of the others; -1: none has a figure. */
static int hero(const struct report *r)
{
	int best = -1;

	for (int i = 0; i < r->nstrategies; i++)
		if (i != r->against && !isnan(r->strategy[i].mean.mean_hops) &&
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

/* With a single strategy there is nothing to compare: what it does. */
static void describe(const struct report *r, char *text, size_t size)
{
	char hops[CELL], wait[CELL], busy[CELL];

	summary_text(summary_find("mean_hops"), r->strategy[0].mean.mean_hops, hops, sizeof(hops));
	summary_text(summary_find("mean_wait"), r->strategy[0].mean.mean_wait, wait, sizeof(wait));
	summary_text(summary_find("utilization"), r->strategy[0].mean.utilization, busy, sizeof(busy));
	snprintf(text, size, "%s: %s%sjobs wait %s, %s of the machine busy", r->strategy[0].name,
		isnan(r->strategy[0].mean.mean_hops) ? "" : hops,
		isnan(r->strategy[0].mean.mean_hops) ? "" : " hops between two nodes of a job, ", wait,
		busy);
}

void report_headline(const struct report *r, char *text, size_t size)
{
	int who = r->against >= 0 && r->nstrategies > 1 ? hero(r) : -1;
	bool first = true;
	size_t used;

	if (who < 0) {
		describe(r, text, size);
		return;
	}
	used = (size_t)snprintf(text, size, "%s: ", r->strategy[who].name);
	for (unsigned i = 0; i < sizeof(phrases) / sizeof(*phrases) && used < size; i++) {
		struct pair pair = read_pair(r, phrases[i].key, who);

		if (isnan(pair.ours) || isnan(pair.theirs))
			continue;
		if (!first)
			used += (size_t)snprintf(text + used, size - used, ", ");
		if (used < size)
			used += say(&phrases[i], &pair, text + used, size - used);
		if (phrases[i].names && used < size)
			used += (size_t)snprintf(text + used, size - used, " %s",
				r->strategy[r->against].name);
		first = false;
	}
}
