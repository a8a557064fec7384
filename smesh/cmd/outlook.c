/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/outlook.h"

#include <math.h>
#include <stdlib.h>

#include "boxes/bitbox.h"
#include "cli/smesh.h"
#include "shared/hostlist_libslurm.h"
#include "sim/freebox.h"

enum { HOUR = 3600 };

/* The nodes that nobody is on any more once this job has ended. */
static void end_job(
	const struct picture *p, const struct picture_job *job, int *jobs_on, struct nodeset *set)
{
	for (int i = 0; i < job->count; i++)
		if (!--jobs_on[job->node[i]] && p->state[job->node[i]] == NODE_UP)
			nodeset_add(set, job->node[i]);
}

/* How many jobs are on each node, malloc()ed. */
static int *count_jobs(const struct picture *p)
{
	int *jobs_on = calloc((size_t)p->mesh->nnodes, sizeof(*jobs_on));

	for (int j = 0; jobs_on && j < p->njobs; j++)
		for (int i = 0; i < p->job[j].count; i++)
			jobs_on[p->job[j].node[i]]++;
	return jobs_on;
}

/* Those that are up and without a job in so many seconds, by limits. 0, or -1 when memory is
 * out. */
static int free_in(const struct picture *p, double seconds, struct nodeset *set)
{
	int *jobs_on = count_jobs(p);

	if (!jobs_on || nodeset_init(set, p->mesh->nnodes)) {
		free(jobs_on);
		return -1;
	}
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->state[i] == NODE_UP && p->job_of[i] < 0)
			nodeset_add(set, i);
	for (int i = 0; i < p->njobs; i++)
		if (p->job[i].left >= 0 && p->job[i].left <= seconds)
			end_job(p, &p->job[i], jobs_on, set);
	free(jobs_on);
	return 0;
}

int outlook_now(struct outlook *o, const struct picture *p)
{
	struct freebox *box = freebox_new(p->mesh);
	struct nodeset set = {0}, later = {0};
	int code = box && !free_in(p, -1, &set) && !free_in(p, HOUR, &later) ? 0 : -1,
	    parallel = 0;

	*o = (struct outlook){.mean_hops = 0};
	if (!code) {
		o->free_nodes = nodeset_count(&set);
		o->largest_box = freebox_largest(box, &set) * p->mesh->nodes_per_vertex;
		o->largest_in_hour = freebox_largest(box, &later) * p->mesh->nodes_per_vertex;
	}
	for (int i = 0; i < p->njobs; i++) {
		o->running += p->job[i].count > 0;
		parallel += p->job[i].count > 1;
		o->mean_hops += p->job[i].count > 1 ? p->job[i].mean_hops : 0;
	}
	o->mean_hops = parallel ? o->mean_hops / parallel : (double)NAN;
	nodeset_release(&set);
	nodeset_release(&later);
	freebox_free(box);
	return code;
}

int outlook_kinds(struct outlook_kinds *kinds, const struct picture *p)
{
	struct nodeset now = {0}, later = {0};
	int code = 0;

	*kinds = (struct outlook_kinds){.vacancy = vacancy_new(p->mesh)};
	if (!kinds->vacancy || free_in(p, -1, &now) || free_in(p, HOUR, &later))
		code = -1;
	else if (!(kinds->kind = calloc(
			   (size_t)vacancy_kinds(kinds->vacancy) + 1, sizeof(*kinds->kind))))
		code = -1;
	else
		kinds->n = vacancy_kinds(kinds->vacancy);
	for (int i = 0; i < kinds->n; i++)
		kinds->kind[i] = (struct outlook_kind){vacancy_kind(kinds->vacancy, i)->name,
			vacancy_fit(kinds->vacancy, i, &now),
			vacancy_fit(kinds->vacancy, i, &later),
			vacancy_risk(kinds->vacancy, i, &now)};
	nodeset_release(&now);
	nodeset_release(&later);
	return code;
}

void outlook_kinds_release(struct outlook_kinds *kinds)
{
	vacancy_free(kinds->vacancy);
	free(kinds->kind);
}

int outlook_say(const struct picture *p, FILE *file)
{
	struct outlook_kinds kinds;
	struct outlook o;
	int code = outlook_now(&o, p) | outlook_kinds(&kinds, p);

	if (!code)
		fprintf(file, "\n  free boxes       now    in 1 h  a node that fails takes\n");
	for (int i = 0; !code && i < kinds.n; i++) {
		const struct outlook_kind *k = &kinds.kind[i];

		if (!k->in_hour)
			continue;
		fprintf(file, "  %-12s %7d %9d", k->name, k->now, k->in_hour);
		if (k->now && p->mesh->node_name)
			fprintf(file, "  %.3g%% of the places, %s %.3g%%", 100 * k->risk.mean,
				p->mesh->node_name[k->risk.node], 100 * k->risk.worst);
		fputc('\n', file);
	}
	if (!code)
		fprintf(file, "  %-12s %7d %9d  nodes\n", "the largest", o.largest_box,
			o.largest_in_hour);
	outlook_kinds_release(&kinds);
	return code ? smesh_fail(SMESH_FAILED, "out of memory") : SMESH_OK;
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

int outlook_usable(const struct picture *p, const char *within, struct nodeset *set)
{
	struct mesh_names names = {0};
	struct mesh_err err = {{0}};
	char **name = NULL;
	int n = 0, code = SMESH_OK;

	if (within &&
		(hostlist_check(within, &err) < 0 ||
			(n = hostlist_libslurm.expand(within, &name, &err)) < 0))
		return smesh_fail(SMESH_USAGE, "%s: %s", within, err.text);
	if (nodeset_init(set, p->mesh->nnodes) || mesh_names_init(&names, p->mesh))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; !code && i < (within ? n : p->mesh->nnodes); i++) {
		int at = within ? mesh_names_find(&names, name[i]) : i;

		if (at >= 0 && p->state[at] == NODE_UP)
			nodeset_add(set, at);
	}
	mesh_names_release(&names);
	hostlist_free(name, n);
	return code;
}

/* Is there room for it on these nodes, as far as it may have them? */
struct room {
	const struct picture_waiting *waiting;
	struct boxplan plan;
	struct bitbox bits;
	struct nodeset usable, free;
};

static bool has_room(struct room *r, const struct nodeset *free)
{
	nodeset_copy(&r->free, free);
	nodeset_and(&r->free, &r->usable);
	if (!r->waiting->box)
		return nodeset_count(&r->free) >= r->waiting->nodes;
	bitbox_load(&r->bits, &r->free);
	for (int i = 0; i < r->plan.count; i++)
		if (bitbox_first(&r->bits, r->plan.row[i].side) >= 0)
			return true;
	return false;
}

/* Without a box that could ever serve it the plan is empty. */
static int begin_room(struct room *r, const struct picture *p)
{
	const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	const struct mesh_request request = {
		.count = r->waiting->nodes, .shape = r->waiting->shape};
	struct mesh_err err;

	if (boxplan_init(&r->plan, p->mesh) || bitbox_init(&r->bits, p->mesh) ||
		nodeset_init(&r->free, p->mesh->nnodes) ||
		outlook_usable(p, r->waiting->within, &r->usable))
		return -1;
	bitbox_require(&r->bits, NULL);
	r->bits.any_links = r->waiting->shape.any_links;
	if (r->waiting->box && boxplan_make(&r->plan, &request, least, &err))
		r->plan.count = 0;
	return 0;
}

/* After so many ends; -1: memory is out. */
static int room_after(struct room *r, const struct picture *p, const int *order, int ends)
{
	struct nodeset set = {0};
	int *jobs_on = count_jobs(p), room = -1;

	if (jobs_on && !free_in(p, -1, &set)) {
		for (int i = 0; i < ends; i++)
			end_job(p, &p->job[order[i]], jobs_on, &set);
		room = has_room(r, &set);
	}
	free(jobs_on);
	nodeset_release(&set);
	return room;
}

/* More ends keep the room: the first that is enough is found by halving. */
int outlook_ends(const struct picture *p, const struct picture_waiting *w, int *order)
{
	struct room room = {.waiting = w};
	int low = 0, high = by_end(p, order), enough = begin_room(&room, p) ? -1 : 0, ends = -1;

	while (high && p->job[order[high - 1]].left < 0)
		high--; /* nobody knows when these end */
	for (int middle = high; enough >= 0 && low <= high; middle = low + (high - low) / 2) {
		enough = room_after(&room, p, order, middle);
		if (enough > 0)
			ends = middle;
		else if (ends < 0)
			break;
		high = enough > 0 ? middle - 1 : high;
		low = enough > 0 ? low : middle + 1;
	}
	boxplan_release(&room.plan);
	bitbox_release(&room.bits);
	nodeset_release(&room.usable);
	nodeset_release(&room.free);
	return enough < 0 ? -2 : ends;
}
