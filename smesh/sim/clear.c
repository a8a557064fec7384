/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/clear.h"

#include <stdlib.h>

#include "boxes/bitbox.h"

struct clear {
	const struct clear_question *question;
	struct bitbox bits;
	int *first, *on; /* the jobs on vertex v, one for each node: on[first[v]..first[v+1]-1] */
	int *seen;	 /* [njobs] the last place in which it was counted */
	int place;
	int64_t cost, limit; /* of the jobs seen in this place; cheaper ones are wanted */
};

/* Who is on which vertex, ordered by counting. 0, or -1 when memory is out. */
static int sort_jobs(struct clear *c)
{
	const struct clear_question *q = c->question;
	const struct mesh *mesh = q->mesh;
	size_t n = 1;

	c->first = calloc((size_t)mesh->nvertices + 1, sizeof(*c->first));
	for (int j = 0; j < q->njobs; j++)
		n += (size_t)q->job[j].count;
	c->on = malloc(n * sizeof(*c->on));
	c->seen = calloc((size_t)q->njobs + 1, sizeof(*c->seen));
	if (!c->first || !c->on || !c->seen)
		return -1;
	for (int j = 0; j < q->njobs; j++)
		for (int i = 0; i < q->job[j].count; i++)
			c->first[mesh->vertex_of[q->job[j].node[i]]]++;
	for (int v = 0; v < mesh->nvertices; v++)
		c->first[v + 1] += c->first[v];
	for (int j = 0; j < q->njobs; j++)
		for (int i = 0; i < q->job[j].count; i++)
			c->on[--c->first[mesh->vertex_of[q->job[j].node[i]]]] = j;
	return 0;
}

/* A place may have all that is usable, but for the nodes of jobs that stay. */
static int load(struct clear *c)
{
	const struct clear_question *q = c->question;
	struct nodeset set = {0};
	int code = nodeset_init(&set, q->mesh->nnodes) || bitbox_init(&c->bits, q->mesh) ? -1 : 0;

	if (!code) {
		nodeset_copy(&set, q->usable);
		for (int j = 0; j < q->njobs; j++)
			for (int i = 0; q->job[j].cost == CLEAR_STAYS && i < q->job[j].count; i++)
				nodeset_del(&set, q->job[j].node[i]);
		bitbox_load(&c->bits, &set);
		bitbox_require(&c->bits, NULL);
	}
	nodeset_release(&set);
	return code ? code : sort_jobs(c);
}

/* Count the jobs of a box from dimension d down, at vertex v so far. False: it is too dear. */
static bool count_jobs(struct clear *c, const struct mesh_box *box, int d, int v)
{
	const struct mesh *mesh = c->question->mesh;

	for (int i = 0; d >= 0 && i < box->side[d]; i++)
		if (!count_jobs(c, box, d - 1,
			    v + (box->base[d] + i) % mesh->side[d] * mesh->stride[d]))
			return false;
	for (int i = c->first[v]; d < 0 && i < c->first[v + 1]; i++) {
		int j = c->on[i];

		c->cost += c->seen[j] == c->place ? 0 : c->question->job[j].cost;
		c->seen[j] = c->place;
	}
	return c->cost < c->limit;
}

static bool is_cheaper(struct clear *c, const struct mesh_box *box)
{
	c->place++;
	c->cost = 0;
	return count_jobs(c, box, c->question->mesh->ndims - 1, 0);
}

/* The places of a row. */
static void look(struct clear *c, const int *side, struct mesh_budget *budget,
	struct clear_answer *answer)
{
	int base[MESH_MAX_DIMS];

	bitbox_bases(&c->bits, side);
	bitbox_restrict(&c->bits, side);
	for (int bit = -1; c->limit > 0 && (bit = bitbox_next(&c->bits, bit + 1)) >= 0;) {
		struct mesh_box box;

		if ((answer->late = mesh_budget_late(budget)))
			return;
		bitbox_coord(&c->bits, bit, base);
		box = box_at(c->question->mesh->ndims, base, side);
		if (is_cheaper(c, &box)) {
			answer->box = box;
			answer->cost = c->limit = c->cost;
		}
	}
}

/* Who is in the box of the answer. */
static int name_jobs(struct clear *c, struct clear_answer *answer)
{
	c->limit = INT64_MAX;
	is_cheaper(c, &answer->box);
	if (!(answer->job = malloc(((size_t)c->question->njobs + 1) * sizeof(int))))
		return -1;
	for (int j = 0; j < c->question->njobs; j++)
		if (c->seen[j] == c->place)
			answer->job[answer->njobs++] = j;
	return 1;
}

int clear_find(const struct clear_question *q, struct mesh_budget *budget,
	struct clear_answer *answer)
{
	struct clear c = {.question = q, .limit = q->most < INT64_MAX ? q->most + 1 : q->most};
	int64_t worst = c.limit;
	int code = load(&c);

	*answer = (struct clear_answer){.late = false};
	for (int i = 0; !code && i < q->rows && !answer->late; i++)
		look(&c, q->row[i].side, budget, answer);
	if (!code && c.limit < worst)
		code = name_jobs(&c, answer);
	bitbox_release(&c.bits);
	free(c.first);
	free(c.on);
	free(c.seen);
	return code;
}
