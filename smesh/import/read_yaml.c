/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * topology.yaml of Slurm 25.05 and later: tori and rings. Other topologies have no grid; a comment
 * names them.
 *
 * - topology: t
 *   torus3d: {toruses: [{name: pod1, dims: {x: 4, y: 4, z: 2}, nodes: "n[0-31]"}]}
 * - topology: r
 *   ring: {rings: [{ring: ring0, nodes: "p[0-7]"}]}
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "import/yamldoc.h"

/* x, y and z of an object, each at least `least`; 0 without the object. */
static int get_xyz(struct reader *r, const yaml_node_t *map, const char *key, int least,
	int *at)
{
	const yaml_node_t *xyz = yamldoc_get(r, map, key);

	for (int d = 0; d < 3; d++) {
		const char *axis = (const char *[]){"x", "y", "z"}[d];
		const char *text = xyz ? yamldoc_scalar(yamldoc_get(r, xyz, axis)) : "0";
		char *end;
		long value = text ? strtol(text, &end, 10) : -1;

		if (!text || !*text || *end || value < least || value >= MESH_MAX_SIDE)
			return yamldoc_bad(r, map, *key == 'd'
				? "expected dims with x, y and z above 0"
				: "expected an anchor with x, y and z");
		at[d] = (int)value;
	}
	return 0;
}

/* One of a list, or all that there is: Slurm takes a single one without a list, too. */
static const yaml_node_t *one_of(struct reader *r, const yaml_node_t *list, int i)
{
	return list && list->type == YAML_MAPPING_NODE ? i ? NULL : list
						       : yamldoc_item(r, list, i);
}

/* --- tori and rings ------------------------------------------------------------------------ */

/* Put nodes into a box, in the order of its coordinates, the first fastest. */
static int place_nodes(struct reader *r, const yaml_node_t *map, struct grid *grid,
	const int *low, const int *side)
{
	const char *list = yamldoc_scalar(yamldoc_get(r, map, "nodes"));
	struct mesh_err why = {{0}};
	char **name = NULL;
	int n = list ? hostlist_libslurm.expand(list, &r->arena, &name, &why) : -1;
	int64_t room = 1;

	for (int d = 0; d < grid->ndims; d++)
		room *= side[d];
	if (n < 0)
		return yamldoc_bad(r, map, "%s", list ? why.text : "expected nodes");
	if (n > room || (n < room && grid->said))
		return yamldoc_bad(r, map, "%d nodes for %jd coordinates", n, (intmax_t)room);
	for (int i = 0; i < n; i++) {
		int at[MESH_MAX_DIMS], cell = i, places = r->cables->nvertices;

		for (int d = 0; d < grid->ndims; cell /= side[d++])
			at[d] = low[d] + cell % side[d];
		if (reader_place(r, name[i], grid, at, grid->ndims))
			return -1;
		if (r->cables->nvertices == places)
			return yamldoc_bad(r, map, "a coordinate that has a node already");
	}
	return 0;
}

static int take_torus(struct reader *r, const yaml_node_t *torus)
{
	const char *name = yamldoc_scalar(yamldoc_get(r, torus, "name"));
	const yaml_node_t *regions = yamldoc_get(r, torus, "regions"), *region;
	int side[3], low[3] = {0}, inner[3];
	struct grid *grid;

	if (!name)
		return yamldoc_bad(r, torus, "a torus without a name");
	if (get_xyz(r, torus, "dims", 1, side) || !(grid = reader_grid(r, name)))
		return -1;
	if (grid->ndims)
		return yamldoc_bad(r, torus, "a second torus or ring of that name");
	r->import->placements |= yamldoc_get(r, torus, "placements") != NULL;
	grid->ndims = 3;
	grid->said = true;
	memcpy(grid->side, side, sizeof(side));
	if (!regions)
		return place_nodes(r, torus, grid, low, side);
	if (yamldoc_get(r, torus, "nodes"))
		return yamldoc_bad(r, torus, "a torus has nodes or regions, not both");
	for (int i = 0; (region = one_of(r, regions, i)); i++) {
		if (get_xyz(r, region, "anchor", 0, low) ||
			get_xyz(r, region, "dims", 1, inner))
			return -1;
		for (int d = 0; d < 3; d++)
			if (low[d] + inner[d] > side[d])
				return yamldoc_bad(r, region, "a region that is not within the "
					"torus");
		if (place_nodes(r, region, grid, low, inner))
			return -1;
	}
	return 0;
}

static int take_ring(struct reader *r, const yaml_node_t *ring)
{
	const char *name = yamldoc_scalar(yamldoc_get(r, ring, "ring"));
	const int low[] = {0}, side[] = {MESH_MAX_SIDE - 1};
	struct grid *grid;

	if (!name)
		return yamldoc_bad(r, ring, "a ring without a name");
	if (!(grid = reader_grid(r, name)))
		return -1;
	if (grid->ndims)
		return yamldoc_bad(r, ring, "a second torus or ring of that name");
	grid->ndims = 1;
	return place_nodes(r, ring, grid, low, side);
}

static int take_topology(struct reader *r, const yaml_node_t *topology)
{
	const yaml_node_t *one,
		*tori = yamldoc_get(r, yamldoc_get(r, topology, "torus3d"), "toruses"),
		*rings = yamldoc_get(r, yamldoc_get(r, topology, "ring"), "rings");

	if (!yamldoc_get(r, topology, "topology"))
		return yamldoc_bad(r, topology, "expected topology: and a name");
	for (int i = 0; (one = one_of(r, tori, i)); i++)
		if (take_torus(r, one))
			return -1;
	for (int i = 0; (one = one_of(r, rings, i)); i++)
		if (take_ring(r, one))
			return -1;
	r->import->gridless += !tori && !rings;
	return 0;
}

static int take_document(struct reader *r, const yaml_node_t *root)
{
	const yaml_node_t *one;

	if (!one_of(r, root, 0))
		return err_printf(r->err, "expected a list of topologies");
	for (int i = 0; (one = one_of(r, root, i)); i++)
		if (take_topology(r, one))
			return -1;
	return 0;
}

static int yaml_file_end(struct reader *r)
{
	return yamldoc_read(r, take_document);
}

static int yaml_end(struct reader *r)
{
	int n = r->import->gridless;

	return r->cables->nnodes || !n ? 0 : err_printf(r->err, "%d topolog%s, none of torus3d or "
		"ring: flat, block and tree say nothing of a grid", n, n == 1 ? "y" : "ies");
}

const struct import_reader import_yaml = {.name = "yaml", .state = sizeof(struct yamldoc_text),
	.placed = true, .line = yamldoc_line, .file_end = yaml_file_end, .end = yaml_end};
