/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/generate.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "sim/need.h"
#include "sim/random.h"

/* --- Lublin and Feitelson --------------------------------------------------------- */

enum { BUCKETS = 48, DAY_START = 11 };

static const double BUCKET_SECONDS = 1800;
/* Logarithms of the longest run time and gap between arrivals. */
static const double LONGEST_RUN = 12, LONGEST_GAP = 13;

struct lublin {
	double serial, pow2;		   /* shares of sizes 1 and 2^i */
	double low, med_below, prob;	   /* two-stage uniform of log2(size) */
	double a1, b1, a2, b2, pa, pb;	   /* hyper-gamma of ln(run time) */
	double aarr, barr, anum, bnum, arar; /* arrivals: gap in rush hours, daily cycle */
};

static const struct lublin all_jobs = {0.244, 0.576, 0.8, 2.5, 0.86, 4.2, 0.94, 312, 0.03, -0.0054,
	0.78, 10.2303, 0.4871, 8.1737, 3.9631, 1.0225};

/* Distribution function of gamma(shape, scale), by the series for the lower incomplete gamma. */
static double gamma_cdf(double x, double shape, double scale)
{
	double z = x / scale, term, sum;

	if (z <= 0)
		return 0;
	term = exp(shape * log(z) - z - lgamma(shape + 1));
	sum = term;
	for (int i = 1; i < 1000 && term > sum * 1e-15; i++) {
		term *= z / (shape + i);
		sum += term;
	}
	return sum < 1 ? sum : 1;
}

struct arrivals {
	double weight[BUCKETS]; /* mean 1: how busy each half hour of the day is */
	double points, part, now;
	int bucket;
};

/* Bucket b of the day is number b-DAY_START of a day that begins in the small hours. */
static void arrivals_init(struct arrivals *a, const struct lublin *m)
{
	double sum = 0;

	memset(a, 0, sizeof(*a));
	for (int i = DAY_START; i < BUCKETS + DAY_START; i++) {
		double share = gamma_cdf(i + 0.5, m->anum, m->bnum) -
			gamma_cdf(i - 0.5, m->anum, m->bnum);

		a->weight[(i - 1) % BUCKETS] = share;
		sum += share;
	}
	for (int i = 0; i < BUCKETS; i++)
		a->weight[i] *= BUCKETS / sum;
}

/* The logarithm of a gap in rush hours. */
static double lublin_gap(const struct lublin *m, uint64_t *random)
{
	double gap;

	do {
		gap = sim_random_gamma(random, m->aarr * m->arar, m->barr);
	} while (gap > LONGEST_GAP);
	return gap;
}

/* Spend a gap of rush-hour time on buckets; each takes time according to how busy it is. */
static void arrivals_step(struct arrivals *a, double gap)
{
	double part;

	a->points += exp(gap) / BUCKET_SECONDS;
	while (a->points > a->weight[a->bucket]) {
		a->points -= a->weight[a->bucket];
		a->bucket = (a->bucket + 1) % BUCKETS;
		a->now += BUCKET_SECONDS;
	}
	part = a->points / a->weight[a->bucket];
	a->now += BUCKET_SECONDS * (part - a->part);
	a->part = part;
}

static int lublin_size(const struct lublin *m, int nnodes, uint64_t *random)
{
	double high = log2(nnodes), med = high - m->med_below, u = random_unit(random), size;
	double low = m->low < high ? m->low : high;
	bool first = random_unit(random) <= m->prob;

	med = med > low ? med : low;
	size = first ? low + (med - low) * random_unit(random)
		     : med + (high - med) * random_unit(random);
	if (u <= m->serial)
		return 1;
	if (u <= m->serial + m->pow2)
		size = floor(size + 0.5);
	size = floor(exp2(size) + 0.5);
	return size > nnodes ? nnodes : (int)size;
}

static double lublin_run(const struct lublin *m, int size, uint64_t *random)
{
	double p = m->pa * size + m->pb, log_run;

	do {
		bool first = random_unit(random) <= p;

		log_run = sim_random_gamma(random, first ? m->a1 : m->a2, first ? m->b1 : m->b2);
	} while (log_run > LONGEST_RUN);
	return floor(exp(log_run)) + 1;
}

static void generate_lublin(
	struct trace *trace, const struct mesh *mesh, int jobs, uint64_t *random)
{
	const struct lublin *model = &all_jobs;
	struct arrivals arrivals;

	arrivals_init(&arrivals, model);
	arrivals_step(&arrivals, lublin_gap(model, random));
	lublin_gap(model, random); /* unused, so that results for a seed stay the same */
	for (int i = 0; i < jobs; i++) {
		struct trace_job *job = trace_add(trace);

		job->submit = (int64_t)arrivals.now * SIM_SECOND;
		job->count = lublin_size(model, mesh->nnodes, random);
		job->run = (int64_t)lublin_run(model, job->count, random) * SIM_SECOND;
		arrivals_step(&arrivals, lublin_gap(model, random));
	}
}

/* --- side lengths ----------------------------------------------------------------- */

static double uniform_side(uint64_t *random, int side, int longest)
{
	(void)longest;
	return (double)sim_random_int(random, 1, side);
}

static double exponential_side(uint64_t *random, int side, int longest)
{
	(void)longest;
	return ceil(sim_random_exponential(random, side / 2.0));
}

static double normal_side(uint64_t *random, int side, int longest)
{
	(void)side;
	return floor(sim_random_normal(random, longest / 2.0, longest / 2.0) + 0.5);
}

typedef double side_model(uint64_t *random, int side, int longest);

static void draw_shape(struct mesh_shape *shape, const struct mesh *mesh,
	const struct generate_options *options, side_model *draw, uint64_t *random)
{
	int longest = mesh_longest_side(mesh);

	shape->ndims = mesh->ndims;
	for (int d = 0; d < mesh->ndims; d++) {
		double side;

		do {
			side = draw(random, mesh->side[d], longest);
		} while (options->redraw && (side < 1 || side > mesh->side[d]));
		side = side < 1 ? 1 : side > mesh->side[d] ? mesh->side[d] : side;
		shape->side[d] = (int)side;
	}
}

/* Makes fewer jobs if the next one came after TRACE_LONGEST. */
static void generate_sides(struct trace *trace, const struct mesh *mesh,
	const struct generate_options *options, side_model *draw, uint64_t *random)
{
	double now = 0;

	for (int i = 0; i < options->jobs && now <= TRACE_LONGEST; i++) {
		struct trace_job *job = trace_add(trace);
		double run = sim_random_exponential(random, options->mean_run);

		draw_shape(&job->shape, mesh, options, draw, random);
		job->count = mesh->nodes_per_vertex;
		for (int d = 0; d < mesh->ndims; d++)
			job->count *= job->shape.side[d];
		if (mesh->cabled) /* it has no boxes */
			job->shape.ndims = 0;
		job->run = (int64_t)(run * (double)SIM_SECOND) + 1;
		job->submit = (int64_t)(now * (double)SIM_SECOND);
		now += sim_random_exponential(random, options->mean_run / options->arrival_rate);
	}
}

/* --- the table -------------------------------------------------------------------- */

static const struct {
	const char *name;
	side_model *draw; /* or NULL: Lublin and Feitelson's */
} models[] = {
	{"lublin", NULL},
	{"uniform", uniform_side},
	{"exponential", exponential_side},
	{"normal", normal_side},
};

enum { NMODELS = sizeof(models) / sizeof(models[0]) };

int generate(struct trace *trace, const struct mesh *mesh, const struct generate_options *options,
	struct mesh_err *err)
{
	uint64_t random;
	int i = 0;

	memset(trace, 0, sizeof(*trace));
	while (i < NMODELS && strcasecmp(models[i].name, options->model))
		i++;
	if (i == NMODELS)
		return err_printf(err, "unknown model '%.32s'", options->model);
	random = random_stream(options->seed, 0);
	trace->name = need_text(&trace->arena, models[i].name);
	trace->nodes = true;
	if (models[i].draw)
		generate_sides(trace, mesh, options, models[i].draw, &random);
	else
		generate_lublin(trace, mesh, options->jobs, &random);
	if (trace->njobs < options->jobs)
		return err_printf(err, "job %d of %d would be submitted after %g s, the longest "
			"time", trace->njobs + 1, options->jobs, TRACE_LONGEST);
	for (int j = 0; j < trace->njobs; j++)
		trace->job[j].id = j + 1;
	trace->read = trace->njobs;
	trace_sort(trace);
	return 0;
}

bool generate_estimates(struct trace *trace, double factor, uint64_t seed)
{
	uint64_t random = random_stream(seed, 3);
	bool any = false;

	for (int i = 0; i < trace->njobs; i++) {
		struct trace_job *job = &trace->job[i];
		double times = 1 + (factor - 1) * random_unit(&random);

		if (job->estimate || job->run <= 0)
			continue;
		job->estimate = (int64_t)llround((double)job->run * times);
		any = true;
	}
	return any;
}
