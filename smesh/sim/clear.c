/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/clear.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/legal.h"
#include "geometry/sumtable.h"

struct clear {
	const struct mesh *mesh;
	struct sumtable cost, wall; /* bounds; vertices that no box may have */
	uint32_t *value; /* [nvertices] scratch: what is summed up */
	int shift; /* bounds are in units of 2^shift, so that all of them fit 32 bits */
	const struct clear_job *job;
	int njobs;
	int *first, *on; /* the jobs on vertex v, one for each node: on[first[v]..first[v+1]-1] */
	int *inside, *found; /* [njobs] nodes of each in the window; those of the answer */
	bool *legal; /* [nvertices] scratch: where a box may begin */
	/* The window: a box of the row's sides that is built up slice by slice along dimension
	 * `along`. */
	const int *side;
	int base[MESH_MAX_DIMS], along, low,
		high; /* it has the slices low..high-1, beyond the edge too */
	int64_t sum; /* of the jobs in it */
};

struct clear *clear_new(const struct mesh *mesh)
{
	struct clear *c = calloc(1, sizeof(*c));
	size_t n = (size_t)mesh->nvertices;

	if (!c)
		return NULL;
	c->mesh = mesh;
	c->value = malloc(n * sizeof(*c->value));
	c->first = malloc((n + 1) * sizeof(*c->first));
	c->legal = malloc(n * sizeof(*c->legal));
	if (!sumtable_init(&c->cost, mesh) && !sumtable_init(&c->wall, mesh) && c->value &&
		c->first && c->legal)
		return c;
	clear_free(c);
	return NULL;
}

void clear_free(struct clear *c)
{
	if (!c)
		return;
	sumtable_release(&c->cost);
	sumtable_release(&c->wall);
	free(c->value);
	free(c->first);
	free(c->on);
	free(c->inside);
	free(c->found);
	free(c->legal);
	free(c);
}

/* --- a state ------------------------------------------------------------------------ */

/* Who is on which vertex, ordered by counting. */
static int sort_jobs(struct clear *c)
{
	const struct mesh *mesh = c->mesh;
	size_t jobs = (size_t)c->njobs + 1, n = 1;

	memset(c->first, 0, ((size_t)mesh->nvertices + 1) * sizeof(*c->first));
	for (int j = 0; j < c->njobs; j++) {
		n += (size_t)c->job[j].count;
		for (int i = 0; i < c->job[j].count; i++)
			c->first[mesh->vertex_of[c->job[j].node[i]]]++;
	}
	for (int v = 0, sum = 0; v <= mesh->nvertices; v++)
		c->first[v] = sum += v < mesh->nvertices ? c->first[v] : 0;
	free(c->on);
	free(c->inside);
	free(c->found);
	c->on = malloc(n * sizeof(*c->on));
	c->inside = calloc(jobs, sizeof(*c->inside));
	c->found = malloc(jobs * sizeof(*c->found));
	if (!c->on || !c->inside || !c->found)
		return -1;
	for (int j = 0; j < c->njobs; j++)
		for (int i = 0; i < c->job[j].count; i++)
			c->on[--c->first[mesh->vertex_of[c->job[j].node[i]]]] = j;
	return 0;
}

static bool is_wall(const struct clear *c, const struct nodeset *usable, int v)
{
	const struct mesh *mesh = c->mesh;
	bool wall = mesh_nodes_on(mesh, v) < mesh->nodes_per_vertex;

	for (int i = mesh->first[v]; i < mesh->first[v + 1] && !wall; i++)
		wall = !nodeset_has(usable, mesh->node_at[i]);
	for (int i = c->first[v]; i < c->first[v + 1] && !wall; i++)
		wall = c->job[c->on[i]].cost == CLEAR_STAYS;
	return wall;
}

int clear_load(
	struct clear *c, const struct nodeset *usable, const struct clear_job *job, int njobs)
{
	const struct mesh *mesh = c->mesh;
	int64_t all = 0;

	c->job = job;
	c->njobs = njobs;
	if (sort_jobs(c))
		return -1;
	for (int v = 0; v < mesh->nvertices; v++)
		c->value[v] = is_wall(c, usable, v);
	sumtable_build(&c->wall, c->value, mesh->side);
	memset(c->value, 0, (size_t)mesh->nvertices * sizeof(*c->value));
	for (int j = 0; j < njobs; j++)
		all += job[j].cost > 0 ? job[j].cost : 0;
	for (c->shift = 0; all >> c->shift > UINT32_MAX;)
		c->shift++;
	for (int j = 0; j < njobs; j++)
		for (int i = 0; i < job[j].count && job[j].cost > 0; i++)
			c->value[mesh->vertex_of[job[j].node[i]]] +=
				(uint32_t)((job[j].cost >> c->shift) / job[j].count);
	sumtable_build(&c->cost, c->value, mesh->side);
	return 0;
}

/* --- the window --------------------------------------------------------------------- */

static void turn(struct clear *c, int v, int sign)
{
	for (int i = c->first[v]; i < c->first[v + 1]; i++) {
		int j = c->on[i], before = c->inside[j];

		c->inside[j] += sign;
		if (!before || !c->inside[j])
			c->sum += sign * c->job[j].cost;
	}
}

/* Put the vertices of the slice at coordinate x of `along` in (1), or take them out (-1). */
static void slice(struct clear *c, int d, int v, int x, int sign)
{
	const struct mesh *mesh = c->mesh;

	if (d < 0) {
		turn(c, v, sign);
		return;
	}
	for (int i = 0; i < (d == c->along ? 1 : c->side[d]); i++)
		slice(c, d - 1,
			v + (d == c->along ? x : c->base[d] + i) % mesh->side[d] * mesh->stride[d],
			x, sign);
}

static void empty(struct clear *c)
{
	while (c->low < c->high)
		slice(c, c->mesh->ndims - 1, 0, c->low++, -1);
}

/* To a base on this line that is not before the last. */
static int64_t move(struct clear *c, int base)
{
	while (c->low < c->high && c->low < base)
		slice(c, c->mesh->ndims - 1, 0, c->low++, -1);
	if (c->low == c->high)
		c->low = c->high = base;
	while (c->high < base + c->side[c->along])
		slice(c, c->mesh->ndims - 1, 0, c->high++, 1);
	return c->sum;
}

/* --- the search --------------------------------------------------------------------- */

/* How many places there are along d. Where a box spans a ring they are all the same. */
static int places_along(const struct mesh *mesh, const int *side, int d)
{
	if (!mesh->wrap[d])
		return mesh->side[d] - side[d] + 1;
	return side[d] == mesh->side[d] && !mesh->nlegal ? 1 : mesh->side[d];
}

static void mark_legal(struct clear *c, const int *side)
{
	const struct mesh *mesh = c->mesh;

	memset(c->legal, !mesh->nlegal, (size_t)mesh->nvertices * sizeof(*c->legal));
	for (int i = 0; i < mesh->nlegal; i++)
		if (!memcmp(mesh->legal[i].side, side, (size_t)mesh->ndims * sizeof(*side)))
			for (struct legal_walk w = legal_walk(mesh, &mesh->legal[i]); !w.done;
				legal_next(&w))
				c->legal[mesh_vertex(mesh, w.base)] = true;
}

struct search {
	struct sumtable_box cost, wall; /* of the row's sides */
	struct clear_answer *answer;
	int64_t limit; /* cheaper ones are wanted */
	int64_t least; /* bound of any place, */
	int at[MESH_MAX_DIMS]; /* and where that is */
};

/* What the box at c->base costs at least; INT64_MAX: it cannot be there. */
static int64_t bound(const struct clear *c, const struct search *s)
{
	int64_t at = sumtable_at(&c->cost, c->base); /* both tables have the same layout */

	if (!c->legal[mesh_vertex(c->mesh, c->base)] || sumtable_get(&c->wall, &s->wall, at))
		return INT64_MAX;
	return (int64_t)sumtable_get(&c->cost, &s->cost, at) << c->shift;
}

static void look(struct clear *c, struct search *s)
{
	int64_t cost = move(c, c->base[c->along]);

	if (cost >= s->limit)
		return;
	s->limit = s->answer->cost = cost;
	s->answer->box = box_at(c->mesh->ndims, c->base, c->side);
}

static void find_least(struct clear *c, struct search *s)
{
	int64_t low = bound(c, s);

	if (low >= s->least)
		return;
	s->least = low;
	memcpy(s->at, c->base, sizeof(s->at));
}

static void look_if_less(struct clear *c, struct search *s)
{
	if (bound(c, s) < s->limit)
		look(c, s);
}

/* Each place of the row, line by line. False: the time is over. */
static bool each(struct clear *c, struct search *s, struct mesh_budget *budget,
	void (*visit)(struct clear *, struct search *))
{
	const struct mesh *mesh = c->mesh;
	int d;

	memset(c->base, 0, sizeof(c->base));
	do {
		for (int x = 0, n = places_along(mesh, c->side, c->along); x < n; x++) {
			c->base[c->along] = x;
			visit(c, s);
		}
		empty(c);
		if (mesh_budget_late(budget))
			return false;
		for (d = 0; d < mesh->ndims; d++) {
			if (d == c->along)
				continue;
			if (++c->base[d] < places_along(mesh, c->side, d))
				break;
			c->base[d] = 0;
		}
	} while (d < mesh->ndims);
	return true;
}

static bool find_in_row(struct clear *c, struct search *s, struct mesh_budget *budget)
{
	bool in_time;

	c->along = 0;
	for (int d = 1; d < c->mesh->ndims; d++)
		if (c->side[d] > c->side[c->along])
			c->along = d;
	sumtable_box(&c->cost, c->side, &s->cost);
	sumtable_box(&c->wall, c->side, &s->wall);
	mark_legal(c, c->side);
	s->least = s->limit;
	in_time = each(c, s, budget, find_least);
	if (s->least == s->limit)
		return in_time;
	memcpy(c->base, s->at, sizeof(c->base));
	look(c, s);
	empty(c);
	return in_time && each(c, s, budget, look_if_less);
}

/* Who is in the box of the answer. */
static void name_jobs(struct clear *c, struct clear_answer *answer)
{
	c->side = answer->box.side;
	memcpy(c->base, answer->box.base, sizeof(c->base));
	move(c, c->base[c->along]);
	answer->job = c->found;
	for (int j = 0; j < c->njobs; j++)
		if (c->inside[j])
			c->found[answer->njobs++] = j;
	empty(c);
}

bool clear_find(struct clear *c, const struct clear_question *question, struct mesh_budget *budget,
	struct clear_answer *answer)
{
	int64_t most = question->most;
	struct search s = {.answer = answer, .limit = most < INT64_MAX ? most + 1 : most};
	int64_t worst = s.limit;

	*answer = (struct clear_answer){.late = false};
	for (int i = 0; i < question->rows && !answer->late && s.limit > 0; i++) {
		c->side = question->row[i].side;
		answer->late = !find_in_row(c, &s, budget);
	}
	if (s.limit == worst)
		return false;
	name_jobs(c, answer);
	return true;
}
