/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/load_meter.h"

#include <stdlib.h>
#include <string.h>

static int load_number(const struct mesh *mesh, int link)
{
	return load_link(mesh, link / 2 / mesh->ndims, link / 2 % mesh->ndims, link % 2);
}

/* The link from v to its neighbour w along d, and the way round it. `longest`: of a way. */
static int add_broken(struct load_meter *m, int link, int v, int w, int longest)
{
	int n = m->nbroken, at = n ? m->first[n] : 0;
	int *broken = realloc(m->broken, ((size_t)n + 1) * sizeof(int));
	int *first = realloc(m->first, ((size_t)n + 2) * sizeof(int));
	int *way = realloc(m->way, (size_t)(at + longest + 1) * sizeof(int));

	m->broken = broken ? broken : m->broken;
	m->first = first ? first : m->first;
	m->way = way ? way : m->way;
	if (!broken || !first || !way)
		return -1;
	broken[n] = link;
	first[n] = at;
	first[n + 1] = at + links_route(m->mesh, v, w, way + at);
	for (int i = at; i < first[n + 1]; i++)
		way[i] = load_number(m->mesh, way[i]);
	m->nbroken++;
	return 0;
}

int load_detours_init(struct load_meter *m)
{
	const struct mesh *mesh = m->mesh;
	int longest = links_longest(mesh), links = links_count(mesh);

	if (!mesh->down)
		return 0;
	if (!(m->place = malloc((size_t)links * sizeof(int))))
		return -1;
	memset(m->place, -1, (size_t)links * sizeof(int));
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int w = mesh_up(mesh, v, d);

			if (mesh_is_down(mesh, v, d) &&
				(add_broken(m, load_link(mesh, v, d, true), v, w, longest) ||
					add_broken(m, load_link(mesh, w, d, false), w, v, longest)))
				return -1;
		}
	return 0;
}

/* So much more on a link. */
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
	for (int i = 0; i < m->nbroken; i++) {
		int at = m->place[m->broken[i]];

		for (int j = m->first[i]; at >= 0 && j < m->first[i + 1]; j++)
			add_load(m, m->way[j], job->load[at]);
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
