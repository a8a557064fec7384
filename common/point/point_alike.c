/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Centres that are alike. Around two centres the same nodes are chosen, seen from the centre, where in their
 * balls the same nodes are free, the mesh looks the same, and nodes are numbered in the same order. The
 * last two differ by where along each dimension the numbers begin, if that is in the ball: that place, or
 * that it is not there, is a ball's kind. Where large parts of a machine are free thousands of centres
 * are equally good, and all but some hundreds of them are like another one; most have no busy node around
 * them at all, which the count of free nodes tells.
 */
#include <stdlib.h>

#include "base/random.h"
#include "point/point_centres.h"

/* A power of two: some times the most that decisions were seen to need. */
#define CLASSES 4096

/* When so many were asked about, and fewer than one in so many was like another one: not asked any more. */
#define ASKED 64
#define SELDOM 8

/* A look at a smaller ball of hops takes no longer than the question. */
#define LEAST_RADIUS 3

struct alike_class {
	uint64_t decision; /* it is of; a class of another one does not count */
	int vertex, radius; /* of the first centre */
	size_t kind;
	bool full;     /* all is free */
	uint64_t hash; /* of what is free, or the kind if that is all */
	int64_t known;
};

int point_alike_init(struct point_alike *alike, const struct mesh *mesh)
{
	size_t side = (size_t)mesh->side[0], nrows = 3 * (size_t)mesh->nvertices / side;
	uint64_t seed = 1;

	alike->class = calloc(CLASSES, sizeof(*alike->class));
	alike->row = malloc(nrows * sizeof(*alike->row));
	alike->factor = calloc(side + BATCH_MAX, sizeof(*alike->factor));
	if (!alike->class || !alike->row || !alike->factor)
		return -1;
	for (size_t i = 0; i < side; i++)
		alike->factor[i] = (uint32_t)random_next(&seed) | 1;
	alike->none = alike->factor + side;
	return 0;
}

void point_alike_release(struct point_alike *alike)
{
	free(alike->class);
	free(alike->row);
	free(alike->factor);
}

void point_alike_begin(struct point *point)
{
	struct point_alike *alike = &point->alike;

	alike->decision++;
	alike->classes = alike->asked = 0;
	alike->radius = -1;
}

/* ---- the vertices of a ball ---- */

static size_t add_kind(const struct point *point, int v, int radius, int d, size_t kind)
{
	int c = point->mesh->coord[v][d], side = point->mesh->side[d];
	bool whole = c >= point->space.below[d] + radius && c + point->space.above[d] + radius < side;

	return kind * ((size_t)side + 1) + (size_t)(whole ? side : c);
}

static void list_rows(struct point *point, const struct point_bound *b, int radius, size_t cut)
{
	const struct mesh *mesh = point->mesh;
	const struct ball_space *space = &point->space;
	struct point_alike *alike = &point->alike;
	int side = mesh->side[0];

	if (alike->radius == radius && alike->cut == cut)
		return;
	alike->radius = radius;
	alike->cut = cut;
	alike->nrows = 0;
	point_near(point, b->vertex, b->radius);
	for (int i = 0; i < space->nnear; i++) {
		int line = (space->near[i].row - b->vertex / side) * side;
		struct ball_window w;

		if (!ball_window(space, 0, radius, space->near[i].used, &w))
			continue;
		alike->row[alike->nrows++] = (struct alike_row){line, -w.low, w.high + 1};
		/* What is over an end of a ring comes at its other end. */
		if (mesh->wrap[0]) {
			alike->row[alike->nrows++] = (struct alike_row){line, side - w.low, side};
			alike->row[alike->nrows++] = (struct alike_row){line, -side, w.high + 1 - side};
		}
	}
}

/* ---- classes ---- */

static bool is_like(const struct point *point, const struct alike_class *a, const struct alike_class *b)
{
	const int *weight = point->space.weight;
	int c = point->mesh->coord[b->vertex][0], side = point->mesh->side[0];

	return a->hash == b->hash && a->radius == b->radius && a->kind == b->kind && a->full == b->full &&
		(b->full || point->batch.kernel->cells->same(&point->alike, weight + a->vertex, weight + b->vertex,
				    -c, side - c));
}

/* Like one of the classes so far, or the first of another one; NULL: there are too many. */
static struct alike_class *find_class(struct point *point, const struct alike_class *asked)
{
	struct point_alike *alike = &point->alike;
	struct alike_class *class;

	for (size_t at = asked->hash % CLASSES;; at = (at + 1) % CLASSES) {
		class = &alike->class[at];
		if (class->decision != alike->decision)
			break;
		if (is_like(point, class, asked))
			return class;
	}
	if (alike->classes == CLASSES / 2)
		return NULL;
	alike->classes++;
	*class = *asked;
	return class;
}

int64_t *point_alike(struct point *point, const struct point_bound *b)
{
	struct point_alike *alike = &point->alike;
	const struct mesh *mesh = point->mesh;
	int radius = b->radius + !point->space.boxes, c = mesh->coord[b->vertex][0];
	struct alike_class asked = {.decision = alike->decision, .vertex = b->vertex, .radius = radius,
		.full = b->full};
	struct alike_class *class;
	size_t cut = 0;

	if (!alike->class || point->nrequired || (!point->space.boxes && radius < LEAST_RADIUS) ||
		(alike->asked > ASKED && (alike->asked - alike->classes) * SELDOM < alike->asked))
		return NULL;
	alike->asked++;
	for (int d = 1; d < mesh->ndims; d++)
		cut = add_kind(point, b->vertex, radius, d, cut);
	asked.kind = add_kind(point, b->vertex, radius, 0, cut);
	if (!b->full)
		list_rows(point, b, radius, cut);
	asked.hash = b->full ? asked.kind : point->batch.kernel->cells->hash(alike,
		point->space.weight + b->vertex, -c, mesh->side[0] - c);
	class = find_class(point, &asked);
	return class ? &class->known : NULL;
}
