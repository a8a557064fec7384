/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include <string.h>

/* Add the link from one vertex to the next, and the way round it; place[] has room for that way. */
static int add_detour(struct load_meter *m, int link, const int *between, struct arena *arena)
{
	const struct mesh *mesh = m->mesh;
	struct load_detour *detour = &m->detour[m->ndetours++];

	detour->link = link;
	detour->n = links_route(mesh, between[0], between[1], m->place);
	if (!arena_array(arena, detour->way, detour->n))
		return -1;
	for (int i = 0; i < detour->n; i++)
		detour->way[i] = load_number_of(mesh, m->place[i]);
	return 0;
}

int load_detours_init(struct load_meter *m, struct arena *arena)
{
	const struct mesh *mesh = m->mesh;
	int links = links_count(mesh), broken = 0;

	if (!mesh->down)
		return 0;
	for (int v = 0; v < mesh->nvertices; v++)
		broken += __builtin_popcount(mesh->down[v]);
	arena_array(arena, m->detour, 2 * broken);
	if (!arena_array(arena, m->place, links + links_longest(mesh)))
		return -1;
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int w = mesh_up(mesh, v, d);

			if (!mesh_is_down(mesh, v, d))
				continue;
			if (add_detour(m, load_number(mesh, v, d, true), (int[]){v, w}, arena) ||
				add_detour(m, load_number(mesh, w, d, false), (int[]){w, v}, arena))
				return -1;
		}
	memset(m->place, -1, (size_t)links * sizeof(int));
	return 0;
}

/* Add a load to a link. */
static void add_load(struct load_meter *m, int link, double load)
{
	struct load_job *job = &m->job;

	if (m->place[link] < 0) {
		m->place[link] = job->n;
		job->link[job->n] = link;
		job->load[job->n++] = 0;
	}
	job->load[m->place[link]] += load;
}

void load_detours(struct load_meter *m)
{
	struct load_job *job = &m->job;
	int n = 0;

	if (!m->place)
		return;
	for (int i = 0; i < job->n; i++)
		m->place[job->link[i]] = i;
	for (const struct load_detour *d = m->detour; d < m->detour + m->ndetours; d++) {
		int at = m->place[d->link];

		for (int j = 0; at >= 0 && j < d->n; j++)
			add_load(m, d->way[j],
				job->load[at] * links_slower(m->mesh, d->way[j]));
		if (at >= 0)
			job->load[at] = 0;
	}
	for (int i = 0; i < job->n; i++) {
		m->place[job->link[i]] = -1;
		job->link[n] = job->link[i];
		job->load[n] = job->load[i];
		n += job->load[i] > 0;
	}
	job->n = n;
}
