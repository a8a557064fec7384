/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/order.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/textfile.h"
#include "config/settings.h"

static double by_submission(const struct order_facts *f)
{
	(void)f;
	return 0;
}

static double shortest(const struct order_facts *f)
{
	return -f->length;
}

/* Expansion factor: what the wait makes of the run, so far. */
static double expansion(const struct order_facts *f)
{
	return (f->wait + f->length) / f->length;
}

/* Tang, Lan, Desai and Buettner, "Fault-aware, utility-based job scheduling on Blue Gene/P
 * systems", CLUSTER 2009: this and the next one. */
static double wfp3(const struct order_facts *f)
{
	double x = f->wait / f->length;

	return x * x * x * f->nodes;
}

/* Where they had no jobs of one node, whose logarithm is 0: one counts as two. */
static double unicef(const struct order_facts *f)
{
	return f->wait / (log2(f->nodes > 2 ? f->nodes : 2) * f->length);
}

static double smallest_area(const struct order_facts *f)
{
	return -f->nodes * f->length;
}

static double largest_area(const struct order_facts *f)
{
	return f->nodes * f->length;
}

/* Slurm's plugin of that name, where CPUs and nodes are in proportion: a whole number, at least
 * 1. */
static double multifactor(const struct order_facts *f)
{
	const struct order_weights *w = f->weights;
	double age = w->max_age > 0 && f->wait < w->max_age ? f->wait / w->max_age : 1;
	double size = (double)(w->favor_small ? f->total - f->nodes : f->nodes) / f->total;
	double sum = floor(w->age * age + w->size * size + w->fairshare * f->fairshare);

	return sum > 1 ? sum : 1;
}

static double (*const orders[ORDERS])(const struct order_facts *) = {
	[ORDER_DEFAULT] = by_submission,
	[ORDER_FCFS] = by_submission,
	[ORDER_SJF] = shortest,
	[ORDER_LXF] = expansion,
	[ORDER_WFP3] = wfp3,
	[ORDER_UNICEF] = unicef,
	[ORDER_SAF] = smallest_area,
	[ORDER_LAF] = largest_area,
	[ORDER_MULTIFACTOR] = multifactor,
};

double order_priority(enum order order, const struct order_facts *facts)
{
	return orders[order](facts);
}

/* --- slurm.conf's words ------------------------------------------------------------------ */

void order_weights_default(struct order_weights *weights)
{
	*weights = (struct order_weights){1000, 1000, 1000, 7 * 86400, 7 * 86400, false};
}

static int take_weight(const char *value, double *out)
{
	char *end;

	*out = strtod(value, &end);
	return end == value || *end || !(*out >= 0 && *out <= 4294967295.0) ? -1 : 0;
}

static int take_time(const char *value, double *out)
{
	int64_t time = mesh_time_parse(value);

	*out = (double)time;
	return time < 0 ? -1 : 0;
}

static int take_pair(
	struct order_weights *w, const char *name, const char *value, struct mesh_err *err)
{
	static const struct {
		const char *name;
		int (*take)(const char *value, double *out);
		size_t offset;
	} keys[] = {
		{"PriorityWeightAge", take_weight, offsetof(struct order_weights, age)},
		{"PriorityWeightJobSize", take_weight, offsetof(struct order_weights, size)},
		{"PriorityWeightFairshare", take_weight, offsetof(struct order_weights, fairshare)},
		{"PriorityMaxAge", take_time, offsetof(struct order_weights, max_age)},
		{"PriorityDecayHalfLife", take_time, offsetof(struct order_weights, half_life)},
	};

	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcasecmp(name, keys[i].name))
			return keys[i].take(value, (double *)(void *)((char *)w + keys[i].offset))
				? err_printf(err, "%s=%s is not what slurm.conf takes", name, value)
				: 0;
	if (!strcasecmp(name, "PriorityFavorSmall"))
		return textfile_yes_no(value, &w->favor_small)
			? err_printf(err, "%s=%s is neither yes nor no", name, value) : 0;
	return err_printf(err, "what is %s?", name);
}

int order_weights_parse(struct order_weights *weights, const char *text, struct mesh_err *err)
{
	char *copy = strdup(text), *rest = copy, *pair;
	int code = copy ? 0 : err_printf(err, "out of memory");

	while (!code && (pair = strsep(&rest, ","))) {
		char *value = strchr(pair, '=');

		if (value)
			*value++ = '\0';
		code = value ? take_pair(weights, pair, value, err)
			     : err_printf(err, "'%s' is not NAME=VALUE", pair);
	}
	free(copy);
	return code;
}
