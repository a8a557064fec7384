/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/clear.h"

#include "boxes/bitbox.h"
#include "sim/need.h"

struct clear {
	const struct clear_question *question;
	struct bitbox bits;
	int *first, *on; /* the jobs on vertex v, one for each node: on[first[v]..first[v+1]-1] */
	int *seen;	 /* [njobs] the last place in which the job was counted */
	int place;
	int64_t cost, limit; /* of the jobs seen in this place; only cheaper places are wanted */
	struct arena *arena;
};

/* Sort jobs by vertex, by counting. */
static void sort_jobs(struct clear *c)
{
	const struct clear_question *q = c->question;
	const struct mesh *mesh = q->mesh;
	int64_t n = 0;

	for (int j = 0; j < q->njobs; j++)
		n += q->job[j].count;
	need_array(c->arena, c->first, mesh->nvertices + 1);
	need_array(c->arena, c->on, n);
	need_array(c->arena, c->seen, q->njobs);
	for (int j = 0; j < q->njobs; j++)
		for (int i = 0; i < q->job[j].count; i++)
			c->first[mesh->vertex_of[q->job[j].node[i]]]++;
	for (int v = 0; v < mesh->nvertices; v++)
		c->first[v + 1] += c->first[v];
	for (int j = 0; j < q->njobs; j++)
		for (int i = 0; i < q->job[j].count; i++)
			c->on[--c->first[mesh->vertex_of[q->job[j].node[i]]]] = j;
}

/* Load as free all usable nodes, without those of jobs that stay. */
static void load(struct clear *c)
{
	const struct clear_question *q = c->question;
	struct nodeset set;

	need_done(nodeset_get(&set, q->mesh->nnodes, c->arena));
	need_done(bitbox_init(&c->bits, q->mesh, c->arena));
	nodeset_copy(&set, q->usable);
	for (int j = 0; j < q->njobs; j++)
		for (int i = 0; q->job[j].cost == CLEAR_STAYS && i < q->job[j].count; i++)
			nodeset_del(&set, q->job[j].node[i]);
	bitbox_load(&c->bits, &set);
	bitbox_require(&c->bits, NULL);
	c->bits.any_links = q->any_links;
	sort_jobs(c);
}

/* Add up the costs of a box's jobs. False: the box is too expensive. */
static bool is_cheaper(struct clear *c, const struct mesh_box *box)
{
	const struct mesh *mesh = c->question->mesh;

	c->place++;
	c->cost = 0;
	box_each(v, mesh, box) {
		for (int i = c->first[v]; i < c->first[v + 1]; i++) {
			int j = c->on[i];

			c->cost += c->seen[j] == c->place ? 0 : c->question->job[j].cost;
			c->seen[j] = c->place;
		}
		if (c->cost >= c->limit)
			return false;
	}
	return true;
}

/* Look at all places of a row. */
static void look(struct clear *c, const int *side, struct mesh_budget *budget,
	struct clear_answer *answer)
{
	int base[MESH_MAX_DIMS];

	bitbox_places(&c->bits, side);
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

/* List the jobs in the answer's box. */
static void name_jobs(struct clear *c, struct clear_answer *answer)
{
	c->limit = INT64_MAX;
	is_cheaper(c, &answer->box);
	need_array(c->arena, answer->job, c->question->njobs);
	for (int j = 0; j < c->question->njobs; j++)
		if (c->seen[j] == c->place)
			answer->job[answer->njobs++] = j;
}

bool clear_find(const struct clear_question *q, struct mesh_budget *budget,
	struct clear_answer *answer, struct arena *arena)
{
	struct clear c = {.question = q, .limit = q->most < INT64_MAX ? q->most + 1 : q->most,
		.arena = arena};
	int64_t worst = c.limit;
	bool found;

	*answer = (struct clear_answer){.late = false};
	load(&c);
	for (int i = 0; i < q->rows && !answer->late; i++)
		look(&c, q->row[i].side, budget, answer);
	found = c.limit < worst;
	if (found)
		name_jobs(&c, answer);
	return found;
}
