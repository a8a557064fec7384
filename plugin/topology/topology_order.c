/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topology/topology_order.h"

#include "topology/topology_mesh.h"
#include "shared/mesh_state.h"

#if MESH_SLURM_RANKS

#include <stdio.h>
#include <stdlib.h>

struct topology_order *topology_order_new(int room)
{
	struct topology_order *order = xcalloc(1, sizeof(*order));

	order->place = xcalloc((size_t)room + 1, sizeof(*order->place));
	return order;
}

void topology_order_free(struct topology_order *order)
{
	if (!order)
		return;
	for (int i = 0; i < order->count; i++)
		xfree(order->place[i].name);
	xfree(order->place);
	xfree(order);
}

void topology_order_append(struct topology_order *order, const char *name)
{
	struct topology_place *place = &order->place[order->count];

	place->name = xstrdup(name);
	place->rank = (uint32_t)order->count++;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct topology_place *)a)->name, ((const struct topology_place *)b)->name);
}

static int by_rank(const void *a, const void *b)
{
	uint32_t x = ((const struct topology_place *)a)->rank,
		 y = ((const struct topology_place *)b)->rank;

	return (x > y) - (x < y);
}

void topology_order_sort(struct topology_order *order)
{
	qsort(order->place, (size_t)order->count, sizeof(*order->place), by_name);
}

static int name_at(const void *name, const void *place)
{
	return strcmp(name, ((const struct topology_place *)place)->name);
}

const struct topology_place *topology_order_find(
	const struct topology_order *order, const char *name)
{
	return bsearch(name, order->place, (size_t)order->count, sizeof(*order->place), name_at);
}

/* The places by rank, not the names: xfree(). */
static struct topology_place *ranked(const struct topology_order *order)
{
	struct topology_place *place = xcalloc((size_t)order->count + 1, sizeof(*place));

	memcpy(place, order->place, (size_t)order->count * sizeof(*place));
	qsort(place, (size_t)order->count, sizeof(*place), by_rank);
	return place;
}

bool topology_order_fits(const struct topology_order *before, const struct topology_order *after)
{
	struct topology_place *place = ranked(before);
	int64_t last = -1;
	bool fits = true;

	for (int i = 0; i < before->count && fits; i++) {
		const struct topology_place *found = topology_order_find(after, place[i].name);

		fits = !found || found->rank > last;
		last = found ? found->rank : last;
	}
	xfree(place);
	return fits;
}

/* --- the file: a name a line -------------------------------------------------------- */

static const char name[] = "mesh_order";

struct topology_order *topology_order_restore(void)
{
	char *path = mesh_state_path(name), line[1024];
	FILE *file = fopen(path, "re");
	struct topology_order *order;
	int lines = 0;

	xfree(path);
	if (!file)
		return NULL;
	while (fgets(line, sizeof(line), file))
		lines++;
	rewind(file);
	order = topology_order_new(lines);
	while (order->count < lines && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		topology_order_append(order, line);
	}
	fclose(file);
	topology_order_sort(order);
	return order;
}

void topology_order_save(const struct topology_order *order)
{
	struct topology_place *place = ranked(order);
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	for (int i = 0; file && i < order->count; i++)
		fprintf(file, "%s\n", place[i].name);
	if (!file || fclose(file) || mesh_state_write(name, text, size, true))
		error("%s: the order of nodes cannot be saved in StateSaveLocation/%s: %m",
			plugin_type, name);
	free(text);
	xfree(place);
}

#endif
