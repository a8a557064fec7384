/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/outlook.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "boxes/bitbox.h"
#include "conf/strategies.h"
#include "cli/smesh.h"
#include "sim/freebox.h"
#include "sim/need.h"
#include "decide/strategy_decide.h"

enum { HOUR = 3600 };

static int by_end(const void *a, const void *b, void *job)
{
	const struct picture_job *all = job;
	int x = *(const int *)a, y = *(const int *)b;

	return all[x].left != all[y].left ? (all[x].left > all[y].left ? 1 : -1) : x - y;
}

static bool is_on(const struct picture_job *job, const struct nodeset *set)
{
	for (int i = 0; i < job->count; i++)
		if (!set || nodeset_has(set, job->node[i]))
			return true;
	return false;
}

/* List the running jobs on some nodes (NULL: any) that have a limit, by their end. How many. */
static int list_ends(const struct picture *p, const struct nodeset *of, int *order)
{
	int n = 0;

	for (int i = 0; i < p->njobs; i++)
		if (p->job[i].left >= 0 && is_on(&p->job[i], of))
			order[n++] = i;
	qsort_r(order, (size_t)n, sizeof(*order), by_end, p->job);
	return n;
}

/* The nodes that are up and free when so many jobs have ended. */
static void free_after(const struct picture *p, const int *order, int ends, struct nodeset *set,
	struct arena *arena)
{
	int *jobs_on = need_get(arena, p->mesh->nnodes, sizeof(*jobs_on));

	need_done(nodeset_get(set, p->mesh->nnodes, arena));
	for (int j = 0; j < p->njobs; j++)
		for (int i = 0; i < p->job[j].count; i++)
			jobs_on[p->job[j].node[i]]++;
	for (int e = 0; e < ends; e++)
		for (int i = 0; i < p->job[order[e]].count; i++)
			jobs_on[p->job[order[e]].node[i]]--;
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (!jobs_on[i] && p->state[i] == NODE_UP)
			nodeset_add(set, i);
}

static void count_running(struct outlook *o, const struct picture *p)
{
	int parallel = 0;

	for (int i = 0; i < p->njobs; i++) {
		o->running += p->job[i].count > 0;
		parallel += p->job[i].count > 1;
		o->mean_hops += p->job[i].count > 1 ? p->job[i].mean_hops : 0;
	}
	o->mean_hops = parallel ? o->mean_hops / parallel : (double)NAN;
}

/* Count the boxes in the nodes that are free now, and in those that are free in an hour. */
static void weigh(struct outlook *o, const struct nodeset *now, const struct nodeset *later,
	struct arena *arena)
{
	const struct mesh *mesh = o->vacancy->mesh;
	struct freebox *box = freebox_new(mesh, arena);
	int n = o->vacancy->nkinds;

	need_array(arena, o->kind, n);
	o->free_nodes = nodeset_count(now);
	if (mesh->cabled)
		return;
	o->largest_box = freebox_largest(box, now) * mesh->nodes_per_vertex;
	o->largest_in_hour = freebox_largest(box, later) * mesh->nodes_per_vertex;
	for (; o->nkinds < n; o->nkinds++)
		o->kind[o->nkinds] = (struct outlook_kind){
			o->vacancy->kind[o->nkinds].name,
			vacancy_fit(o->vacancy, o->nkinds, now),
			vacancy_fit(o->vacancy, o->nkinds, later),
			vacancy_risk(o->vacancy, o->nkinds, now)};
}

void outlook_take(struct outlook *o, const struct picture *p, struct arena *arena)
{
	struct nodeset now, later;
	int *order = need_get(arena, p->njobs, sizeof(*order));
	int n = list_ends(p, NULL, order), ends = 0;

	*o = (struct outlook){.vacancy = vacancy_new(p->mesh, arena)};
	count_running(o, p);
	while (ends < n && p->job[order[ends]].left <= HOUR)
		ends++;
	free_after(p, order, 0, &now, arena);
	free_after(p, order, ends, &later, arena);
	weigh(o, &now, &later, arena);
}

/* Print how many places of a kind one failure takes: on average, and at worst. */
static void say_risk(FILE *to, const struct mesh *mesh, const struct vacancy_risk *risk)
{
	fprintf(to, "  node %.3g%%, %s %.3g%%", 100 * risk->node.mean,
		mesh->node_name[risk->node.node], 100 * risk->node.worst);
	if (risk->link.worst > 0)
		fprintf(to, "; link %.3g%%, %s to %s %.3g%%", 100 * risk->link.mean,
			mesh->node_name[risk->link.node], mesh->node_name[risk->link.to],
			100 * risk->link.worst);
}

/* Print the kinds, and the largest free box. A machine of cables has no boxes. */
static void say(FILE *to, const struct outlook *o, const struct mesh *mesh)
{
	if (mesh->cabled)
		return;
	fputs("\n  free boxes       now    in 1 h  "
	      "places lost if a node or link fails: mean, worst\n", to);
	for (const struct outlook_kind *k = o->kind; k < o->kind + o->nkinds; k++) {
		if (!k->in_hour)
			continue;
		fprintf(to, "  %-12s %7d %9d", k->name, k->now, k->in_hour);
		if (k->now)
			say_risk(to, mesh, &k->risk);
		fputc('\n', to);
	}
	fprintf(to, "  %-12s %7d %9d  nodes\n", "the largest", o->largest_box, o->largest_in_hour);
}

void outlook_draw(const struct picture *p, FILE *to, const struct text_style *style)
{
	struct text_style wide = *style;
	struct winsize size = {0};
	struct arena arena = {0};
	struct outlook o;

	outlook_take(&o, p, &arena);
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	if (!wide.width)
		wide.width = size.ws_col ? size.ws_col : 120;
	draw_text(p, to, &wide);
	say(to, &o, p->mesh);
	arena_release(&arena);
}

void outlook_usable(const struct picture *p, const struct picture_waiting *w, struct nodeset *set,
	struct arena *arena)
{
	need_done(nodeset_get(set, p->mesh->nnodes, arena));
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->state[i] == NODE_UP)
			nodeset_add(set, i);
	if (w->may.word)
		nodeset_and(set, &w->may);
	if (w->must.word && nodeset_count(&w->must) >= w->nodes)
		nodeset_and(set, &w->must);
}

void outlook_free(const struct picture *p, const struct picture_waiting *w, struct nodeset *set,
	struct arena *arena)
{
	outlook_usable(p, w, set, arena);
	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->job_of[i] >= 0)
			nodeset_del(set, i);
}

double outlook_least_hops(const struct picture *p, int count)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_for(STRATEGY_DEFAULT), p->mesh, &err);
	double least = (double)NAN;

	if (strategy)
		least = strategy_idle_hops(strategy, count, INT64_C(1000000000));
	strategy_free(strategy);
	return least;
}

static const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

bool outlook_never(const struct mesh *mesh, const struct picture_waiting *w, struct mesh_err *err)
{
	const struct mesh_request request = {.count = w->nodes, .shape = w->shape};
	struct boxplan plan = {0};
	struct arena arena = {0};
	bool never = w->box && mesh->cabled;

	if (never) {
		err_printf(err, "mesh %s has cables (Cables=), and no boxes", mesh->name);
	} else if (w->box) {
		need_done(boxplan_init(&plan, mesh, &arena));
		never = boxplan_make(&plan, &request, least, err);
	}
	arena_release(&arena);
	return never;
}

/* A waiting job, and the nodes that it may have. */
struct room {
	const struct picture_waiting *waiting;
	struct boxplan plan;
	struct bitbox bits;
	struct nodeset usable;
	struct arena arena;
};

/* Begin with a plan, which is empty if no box could ever serve the job. */
static void begin_room(struct room *r, const struct picture *p)
{
	const struct mesh_request request = {
		.count = r->waiting->nodes, .shape = r->waiting->shape};
	struct mesh_err err;

	need_done(boxplan_init(&r->plan, p->mesh, &r->arena));
	need_done(bitbox_init(&r->bits, p->mesh, &r->arena));
	outlook_usable(p, r->waiting, &r->usable, &r->arena);
	bitbox_require(&r->bits, r->waiting->must.word ? &r->waiting->must : NULL);
	r->bits.any_links = r->waiting->shape.any_links;
	if (r->waiting->box && boxplan_make(&r->plan, &request, least, &err))
		r->plan.count = 0;
}

/* Is there room for the job after so many ends? */
static bool has_room(struct room *r, const struct picture *p, const int *order, int ends)
{
	struct nodeset set;
	bool room = false;

	free_after(p, order, ends, &set, &r->arena);
	nodeset_and(&set, &r->usable);
	if (r->waiting->must.word && !nodeset_subset(&r->waiting->must, &set))
		return false;
	if (r->waiting->box)
		bitbox_load(&r->bits, &set);
	else
		room = nodeset_count(&set) >= r->waiting->nodes;
	for (int i = 0; r->waiting->box && !room && i < r->plan.count; i++)
		room = bitbox_first(&r->bits, r->plan.row[i].side) >= 0;
	return room;
}

/* More ends keep the room, so bisection finds the first end that is enough. */
int outlook_ends(const struct picture *p, const struct picture_waiting *w, int *order)
{
	struct room room = {.waiting = w};
	int n, low = 0, high;

	begin_room(&room, p);
	n = list_ends(p, &room.usable, order);
	for (high = n + 1; low < high;) {
		int middle = low + (high - low) / 2;

		if (has_room(&room, p, order, middle))
			high = middle;
		else
			low = middle + 1;
	}
	arena_release(&room.arena);
	return low > n ? -1 : low;
}
