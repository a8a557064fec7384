/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outlook.h"

#include <math.h>
#include <stdlib.h>

#include "sim/freebox.h"

/* What is free: up and without a job. */
static int free_set(const struct picture *p, struct nodeset *set)
{
	if (nodeset_init(set, p->mesh->nnodes))
		return -1;
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->state[i] == NODE_UP && p->job_of[i] < 0)
			nodeset_add(set, i);
	return 0;
}

int outlook_now(struct outlook *o, const struct picture *p)
{
	struct freebox *box = freebox_new(p->mesh);
	struct nodeset set = {0};
	int code = box && !free_set(p, &set) ? 0 : -1, parallel = 0;

	*o = (struct outlook){.mean_hops = 0};
	if (!code) {
		o->free_nodes = nodeset_count(&set);
		o->largest_box = freebox_largest(box, &set) * p->mesh->nodes_per_vertex;
	}
	for (int i = 0; i < p->njobs; i++) {
		o->running += p->job[i].count > 0;
		parallel += p->job[i].count > 1;
		o->mean_hops += p->job[i].count > 1 ? p->job[i].mean_hops : 0;
	}
	o->mean_hops = parallel ? o->mean_hops / parallel : (double)NAN;
	nodeset_release(&set);
	freebox_free(box);
	return code;
}

/* Insertion by time left; jobs without a limit last. */
static int by_end(const struct picture *p, int *order)
{
	int n = 0;

	for (int i = 0; i < p->njobs; i++) {
		int at = n;

		if (!p->job[i].count)
			continue;
		for (; at && p->job[i].left >= 0 && (p->job[order[at - 1]].left < 0 ||
				p->job[order[at - 1]].left > p->job[i].left); at--)
			order[at] = order[at - 1];
		order[at] = i;
		n++;
	}
	return n;
}

int outlook_ends(const struct picture *p, int nodes, bool want_box, int *order)
{
	struct freebox *box = want_box ? freebox_new(p->mesh) : NULL;
	struct nodeset set = {0};
	int n = by_end(p, order), ends = -1;

	if (free_set(p, &set) || (want_box && !box))
		ends = -2;
	for (int i = 0; ends == -1 && i <= n; i++) {
		int room = want_box ? freebox_largest(box, &set) * p->mesh->nodes_per_vertex
				    : nodeset_count(&set);

		if (room >= nodes)
			ends = i;
		if (i < n && p->job[order[i]].left < 0)
			break; /* nobody knows when the next ones end */
		for (int v = 0; i < n && v < p->mesh->nnodes; v++)
			if (p->job_of[v] == order[i] && p->state[v] == NODE_UP)
				nodeset_add(&set, v);
	}
	nodeset_release(&set);
	freebox_free(box);
	return ends;
}
