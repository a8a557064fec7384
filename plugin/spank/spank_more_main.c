/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_more.h"

#include <slurm/slurm.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "ask/extras.h"
#include "conf/topoconf.h"
#include "learn/trafficfile.h"
#include "ranks/rankmap.h"
#include "ranks/rankorder.h"
#include "spank/spank_records.h"

/* 0 where meshes differ in the shape's number of nodes; -1 with the reason of the last mesh. */
static int shape_nodes(
	const struct topoconf *conf, const struct mesh_shape *shape, struct mesh_err *err)
{
	const struct extras *more = extras(NULL);
	int nodes = conf->nmeshes && more ? -1 : 0;

	for (int i = 0; more && i < conf->nmeshes; i++) {
		struct mesh_err why = {{0}};
		int here = more->boxplan_shape_nodes(conf->mesh[i], shape, &why);

		/* Prefer the reason of a mesh that has the shape's type. */
		if (!here && (!*err->text || mesh_shape_suits(conf->mesh[i], shape, NULL)))
			err_printf(err, "%.180s (mesh %.64s)", why.text, conf->mesh[i]->name);
		if (!here)
			continue;
		if (nodes < 0)
			nodes = here > 0 ? here : 0;
		else if (nodes != here)
			nodes = 0;
	}
	return nodes;
}

enum { MOST_TRAFFIC = 256 << 20 }; /* bytes: 4,096 ranks that send to all others */

/*
 * Read the file if it is a regular one and not too large. srun would wait for the writer of a
 * FIFO, or read for a minute, in a place where Slurm lets nothing stop it.
 */
static int read_traffic(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err)
{
	struct stat file;
	bool there = !stat(path, &file);

	if (there && !S_ISREG(file.st_mode))
		return err_printf(err, "%.256s: not a regular file", path);
	if (there && file.st_size > MOST_TRAFFIC)
		return err_printf(err, "%.256s: larger than %d MiB", path, MOST_TRAFFIC >> 20);
	return trafficfile_read(traffic, path, ranks, err);
}

static int traffic_check(const char *path, int ranks, struct mesh_err *err)
{
	struct traffic traffic;

	if (read_traffic(&traffic, path, ranks, err))
		return -1;
	traffic_release(&traffic);
	return 0;
}

static int grid_parse(struct traffic_grid *grid, const char *text, struct mesh_err *err)
{
	return traffic_grid_parse(grid, text, err) ? -1 : traffic_grid_size(grid, err);
}

/* The traffic between tasks. Where tasks are proxies: between the blocks of ranks behind them. */
static int make_traffic(
	struct traffic *traffic, const struct spank_more_mapping *m, struct mesh_err *err)
{
	int tasks = m->nodes.n * m->per_node, ranks = tasks * m->behind, result;
	struct traffic whole = {0};
	int *block;

	result = m->grid ? traffic_init_grid(&whole, m->grid, err)
			 : read_traffic(&whole, m->path, ranks, err);
	if (result || m->behind == 1) {
		*traffic = whole;
		return result;
	}
	if (!(block = malloc((size_t)ranks * sizeof(*block))))
		result = err_printf(err, "out of memory");
	for (int i = 0; block && i < ranks; i++)
		block[i] = i / m->behind;
	if (block)
		result = traffic_init_groups(traffic, &whole, block, tasks, err);
	free(block);
	traffic_release(&whole);
	return result;
}

static int map(const struct spank_more_mapping *m, struct mesh_err *err)
{
	struct traffic traffic = {0};
	struct rankmap_input in = {.mesh = m->nodes.mesh,
		.node = m->nodes.node,
		.nnodes = m->nodes.n,
		.per_node = m->per_node,
		.traffic = &traffic,
		.grid = m->behind == 1 ? m->grid : NULL,
		/* Measured traffic says how much a link carries. The weights of a grid are a
		   guess. */
		.objective = m->grid ? RANKMAP_HOPS : RANKMAP_PEAK};
	struct rankmap_answer answer = {.place = m->place};
	int result = make_traffic(&traffic, m, err);

	if (!result)
		result = rankmap_solve(&in, &answer, err);
	if (!result && m->learnt)
		result = spank_records_order(&in, m->place, err);
	traffic_release(&traffic);
	return result;
}

static int order(const struct spank_more_nodes *nodes, enum walk_kind walk, int *order,
	struct mesh_err *err)
{
	const struct extras *more = walk ? extras(err) : NULL;

	if (!walk)
		return rankorder(nodes->mesh, nodes->node, nodes->n, order, err);
	if (!more)
		return -1;
	if (!more->walks_order(nodes->mesh, nodes->node, nodes->n, walk, order))
		return 0;
	return err_printf(err, "no %s of the %d nodes was found", walk_name(walk), nodes->n);
}

__attribute__((visibility("default"))) const struct spank_more spank_more = {
	.stamp = SPANK_USER_STAMP(struct spank_more),
	.shape_nodes = shape_nodes,
	.order = order,
	.grid_parse = grid_parse,
	.traffic_check = traffic_check,
	.map = map,
	.learn_find = spank_records_find,
	.learn_measure = spank_records_measure,
	.learn_script = spank_records_script,
	.learn_collect = spank_records_collect,
};
