/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/simd.h"

#define MOST_REACH 150
/* Vectors of look-ups for the last centres of a row run over its end. */
#define OVERRUN 16

/*
 * One row along the cone axis: n cells e, the rays of the row below (left: they came from one
 * step less along the ray axis), and the cones of the row below.
 */
struct sweep {
	size_t n, shift;
	const int *e, *left_below, *right_below, *a_below, *b_below;
	int *left, *right, *a, *b;
};

MESH_VECTORISE
static void sweep_rays(int *restrict to, const int *restrict e, const int *restrict below, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = e[i] + below[i];
}

MESH_VECTORISE
static void sweep_cones(int *restrict to, const int *restrict below, const int *restrict left,
	const int *restrict right, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = below[i] + left[i] + right[i];
}

MESH_VECTORISE
static void take(int *restrict from, const int *restrict e, size_t n)
{
	for (size_t i = 0; i < n; i++)
		from[i] -= e[i];
}

static void sweep(const struct sweep *s)
{
	size_t shift = s->shift, n = s->n;

	/* Rays that enter from outside are empty. */
	memcpy(s->left, s->e, shift * sizeof(int));
	sweep_rays(s->left + shift, s->e + shift, s->left_below, n - shift);
	memcpy(s->right + n - shift, s->e + n - shift, shift * sizeof(int));
	sweep_rays(s->right, s->e, s->right_below + shift, n - shift);
	if (s->b) {
		sweep_cones(s->b, s->b_below, s->left, s->right + shift, n - shift);
		for (size_t i = n - shift; i < n; i++)
			s->b[i] = s->b_below[i] + s->left[i];
	}
	sweep_cones(s->a, s->a_below, s->left, s->right, n);
	take(s->a, s->e, n);
}

/* ---- the mesh and what lies beyond ---- */

static int first_row(const struct cones *cones, int d)
{
	return cones->mesh->wrap[d] ? -cones->reach : 0;
}

/* The row of weights at (y, z), dimension 0 from -reach to side+reach-1. */
static void extend_row(const struct cones *cones, const int *weight, int y, int z, int *to)
{
	const struct mesh *mesh = cones->mesh;
	int at[3] = {0, y, z};
	size_t reach = (size_t)cones->reach, x = (size_t)mesh->side[0];

	for (int d = 1; d < 3; d++) {
		int side = mesh->side[d];

		if (at[d] < 0 || at[d] >= side) {
			if (!mesh->wrap[d]) {
				memset(to, 0, cones->pitch * sizeof(int));
				return;
			}
			at[d] = (at[d] % side + side) % side;
		}
	}
	weight += (size_t)at[1] * (size_t)mesh->stride[1] + (size_t)at[2] * (size_t)mesh->stride[2];
	memcpy(to + reach, weight, x * sizeof(int));
	if (!mesh->wrap[0]) {
		memset(to, 0, reach * sizeof(int));
		memset(to + reach + x, 0, (cones->pitch - reach - x) * sizeof(int));
		return;
	}
	for (size_t i = reach; i-- > 0;)
		to[i] = to[i + x];
	for (size_t i = reach + x; i < cones->pitch; i++)
		to[i] = to[i - x];
}

/* ---- one family of planes ---- */

/* One plane, or all of (y, z) where dimension 0 is the one across. */
static void load_plane(struct cones *cones, struct cone_planes *p, const int *weight, int across,
	int *a, int *b)
{
	const struct mesh *mesh = cones->mesh;
	int side = mesh->side[p->cone], reach = cones->reach, rows = side + reach - p->low;
	bool flat = p->across != 0;
	struct sweep s = {.n = p->row, .shift = p->shift, .e = cones->extended};

	memset(cones->ray[0], 0, s.n * sizeof(int));
	memset(cones->ray[1], 0, s.n * sizeof(int));
	/* An empty row below the first. */
	memset(a, 0, s.n * sizeof(int));
	memset(b, 0, s.n * sizeof(int));
	for (int i = 0; i < rows; i++) {
		int c = p->low + i;

		if (flat) {
			extend_row(cones, weight, p->cone == 1 ? c : across,
				p->cone == 1 ? across : c, cones->extended);
		} else {
			for (int y = -reach; y < mesh->side[1] + reach; y++)
				extend_row(cones, weight, y, c, cones->extended +
					(size_t)(y + reach) * cones->pitch);
		}
		s.left_below = cones->ray[i % 2 * 2];
		s.right_below = cones->ray[i % 2 * 2 + 1];
		s.left = cones->ray[(i + 1) % 2 * 2];
		s.right = cones->ray[(i + 1) % 2 * 2 + 1];
		s.a_below = a + (size_t)i * s.n;
		s.a = a + (size_t)(i + 1) * s.n;
		s.b_below = b + (size_t)i * s.n;
		s.b = c < side ? b + (size_t)(i + 1) * s.n : NULL;
		sweep(&s);
	}
}

static void load_planes(struct cones *cones, struct cone_planes *p, const int *weight)
{
	const struct mesh *mesh = cones->mesh;
	size_t reach = (size_t)cones->reach, rows_a, rows_b;
	int planes = p->across ? mesh->side[p->across] : 1;

	p->low = first_row(cones, p->cone);
	p->shift = p->across ? 1 : cones->pitch;
	p->row = p->across ? cones->pitch :
		((size_t)mesh->side[1] + 2 * reach) * cones->pitch;
	/* One more row below. */
	rows_a = (size_t)(mesh->side[p->cone] + cones->reach - p->low + 1);
	rows_b = (size_t)(mesh->side[p->cone] - p->low + 1);
	p->plane_a = rows_a * p->row;
	p->plane_b = rows_b * p->row;
	int *a = p->memory, *b = p->memory + (size_t)planes * p->plane_a;

	for (int i = 0; i < planes; i++)
		load_plane(cones, p, weight, i, a + (size_t)i * p->plane_a,
			b + (size_t)i * p->plane_b);
	/* To coordinates 0, 0, 0. */
	size_t origin = (size_t)(1 - p->low) * p->row + reach +
		(p->across ? 0 : reach * cones->pitch);

	p->a = a + origin;
	p->b = b + origin;
}

/* ---- all of it ---- */

static size_t planes_room(const struct mesh *mesh, int across, int cone, size_t reach, size_t pitch)
{
	size_t side = (size_t)mesh->side[cone], low = mesh->wrap[cone] ? reach : 0;
	size_t row = across ? pitch : ((size_t)mesh->side[1] + 2 * reach) * pitch;
	size_t planes = across ? (size_t)mesh->side[across] : 1;

	return planes * row * (2 * (side + low + 1) + reach) + OVERRUN;
}

int cones_init(struct cones *cones, const struct mesh *mesh)
{
	static const int axes[3][2] = {{1, 2}, {0, 2}, {0, 1}}; /* ray and cone, by across */
	size_t reach, pitch, plane;

	memset(cones, 0, sizeof(*cones));
	cones->mesh = mesh;
	if (mesh->ndims != 3)
		return 0;
	for (int d = 0; d < 3; d++) {
		int most = mesh->wrap[d] ? (mesh->side[d] + 1) / 2 + 1 : 3 * mesh->side[d] / 2;

		cones->most = most > cones->most ? most : cones->most;
	}
	cones->most = cones->most < MOST_REACH ? cones->most : MOST_REACH;
	reach = (size_t)cones->most;
	pitch = (size_t)mesh->side[0] + 2 * reach;
	plane = pitch * ((size_t)mesh->side[1] + 2 * reach);
	for (int d = 0; d < 3; d++) {
		struct cone_planes *p = &cones->planes[d];

		p->across = d;
		p->ray = axes[d][0];
		p->cone = axes[d][1];
		p->room = planes_room(mesh, d, p->cone, reach, pitch);
		p->memory = calloc(p->room, sizeof(int));
		if (!p->memory)
			return -1;
	}
	for (int i = 0; i < 4; i++)
		if (!(cones->ray[i] = calloc(plane, sizeof(int))))
			return -1;
	cones->extended = calloc(plane, sizeof(int));
	return cones->extended ? 0 : -1;
}

void cones_release(struct cones *cones)
{
	for (int d = 0; d < 3; d++)
		free(cones->planes[d].memory);
	for (int i = 0; i < 4; i++)
		free(cones->ray[i]);
	free(cones->extended);
	memset(cones, 0, sizeof(*cones));
}

void cones_load(struct cones *cones, const int *weight, int reach)
{
	cones->reach = reach < cones->most ? reach : cones->most;
	if (!cones->reach)
		return;
	cones->pitch = (size_t)(cones->mesh->side[0] + 2 * cones->reach);
	for (int d = 0; d < 3; d++)
		load_planes(cones, &cones->planes[d], weight);
}

bool cones_can_serve(const struct cones *cones, int radius)
{
	if (radius >= cones->most)
		return false;
	for (int d = 0; d < 3; d++)
		if (cones->mesh->wrap[d] && 2 * radius + 1 > cones->mesh->side[d])
			return false;
	return true;
}

bool cones_serve(const struct cones *cones, int radius)
{
	return radius < cones->reach && cones_can_serve(cones, radius);
}
