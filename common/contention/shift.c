/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contention/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contention/load.h"

/* Drift: the mean message of a step takes a part less than the longest; so much that counts, but
 * never more than the other. Fitted to boxes of 6 to 80 ranks on four tori. */
static const double drift = 5, most_drift = 0.5;

/* n links along one dimension, `by` apart. */
struct stretch {
	int link, by, n;
};

/* A message's way: along each dimension one stretch, and one more beyond the end of a ring. */
struct route {
	int n;
	struct stretch stretch[2 * MESH_MAX_DIMS];
};

struct shift {
	const struct mesh *mesh;
	uint32_t *flows; /* [links] of this step and of others, in LOAD_UNITs */
	struct route route[SHIFT_RANKS];
};

struct shift *shift_new(const struct mesh *mesh)
{
	struct shift *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->mesh = mesh;
	s->flows = malloc((size_t)links_count(mesh) * sizeof(*s->flows));
	if (!s->flows) {
		shift_free(s);
		return NULL;
	}
	return s;
}

void shift_free(struct shift *s)
{
	if (!s)
		return;
	free(s->flows);
	free(s);
}

static void add_stretch(struct route *route, int link, int by, int n)
{
	if (n > 0)
		route->stretch[route->n++] = (struct stretch){link, by, n};
}

/* As links_route(). */
static void find_route(const struct mesh *mesh, int from, int to, struct route *route)
{
	int v = from;

	route->n = 0;
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		int by = mesh->stride[d];

		if (c == end)
			continue;
		if (links_up(mesh, d, c, end)) {
			int here = load_link(mesh, v, d, true);

			add_stretch(route, here, by, end > c ? end - c : side - c);
			add_stretch(route, here - c * by, by, end > c ? 0 : end);
		} else {
			int here = load_link(mesh, v, d, false);

			add_stretch(route, here, -by, end < c ? c - end : c + 1);
			add_stretch(route, here + (side - 1 - c) * by, -by,
				end < c ? 0 : side - 1 - end);
		}
		v += (end - c) * by;
	}
}

static void add_flow(uint32_t *flows, const struct route *route)
{
	for (int i = 0; i < route->n; i++) {
		const struct stretch *x = &route->stretch[i];
		uint32_t *at = flows + x->link;

		for (int k = x->n; k; k--, at += x->by)
			*at += LOAD_UNIT;
	}
}

/* How full the fullest link on the way is. */
static uint32_t fullest(const uint32_t *flows, const struct route *route)
{
	uint32_t most = 0;

	for (int i = 0; i < route->n; i++) {
		const struct stretch *x = &route->stretch[i];
		const uint32_t *at = flows + x->link;

		for (int k = x->n; k; k--, at += x->by)
			most = *at > most ? *at : most;
	}
	return most;
}

/* The links of a route as they are without the job. */
static void clear_route(uint32_t *flows, const struct route *route, const struct load_traffic *other)
{
	for (int i = 0; i < route->n; i++) {
		const struct stretch *x = &route->stretch[i];

		for (int k = 0, link = x->link; k < x->n; k++, link += x->by)
			flows[link] = other ? other[link].load : 0;
	}
}

/* All links that the step uses as they are without the job: all there are, where that is quicker. */
static void clear(struct shift *s, int count, const struct load_traffic *other)
{
	size_t links = (size_t)links_count(s->mesh);

	if (links > 32 * (size_t)count)
		for (int i = 0; i < count; i++)
			clear_route(s->flows, &s->route[i], other);
	else if (other)
		for (size_t i = 0; i < links; i++)
			s->flows[i] = other[i].load;
	else
		memset(s->flows, 0, links * sizeof(*s->flows));
}

/* The sums over steps of the longest message and of all. */
struct times {
	uint64_t longest, all;
};

static void run_step(struct shift *s, int count, const struct load_traffic *other,
	struct times *times)
{
	uint32_t longest = 0;

	clear(s, count, other);
	for (int i = 0; i < count; i++)
		add_flow(s->flows, &s->route[i]);
	for (int i = 0; i < count; i++) {
		uint32_t time = fullest(s->flows, &s->route[i]);

		longest = time > longest ? time : longest;
		times->all += time;
	}
	times->longest += longest;
}

/* One out of each of so many equal parts of the steps, at no regular distance: those of a regular
 * one may all be multiples of a side. */
static int nth_step(int n, int steps, int count)
{
	double part = (count - 1.0) / steps, at = fmod((n + 1) * 0.618034, 1);

	return 1 + (int)((n + at) * part);
}

double shift_time(struct shift *s, const struct shift_ranks *ranks, const struct load_traffic *other, double most)
{
	const int *vertex = ranks->vertex;
	int count = ranks->count;
	int steps = SHIFT_WORK / count < SHIFT_STEPS ? SHIFT_WORK / count : SHIFT_STEPS;
	struct times times = {0, 0};
	double longest, uneven;

	steps = count - 1 < steps ? count - 1 : steps;
	for (int n = 0; n < steps; n++) {
		int by = nth_step(n, steps, count);

		for (int i = 0; i < count; i++)
			find_route(s->mesh, vertex[i],
				vertex[i + by < count ? i + by : i + by - count], &s->route[i]);
		run_step(s, count, other, &times);
		if ((double)times.longest > most * LOAD_UNIT * steps)
			break;
	}
	if (!times.longest)
		return 0;
	longest = (double)times.longest;
	uneven = drift * (longest - (double)times.all / count) / longest;
	return longest / LOAD_UNIT / steps * (1 + fmin(uneven, most_drift));
}
