/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which tasks of a step run on which node of its job.
 *
 * All of this runs in the user's own srun, sbatch or salloc. When srun knows the nodes of its
 * step, the step exists. Until srun launches the tasks, it can still change which tasks each node
 * is told to start.
 */
#include <fcntl.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/walk_kind.h"
#include "conf/topoconf.h"
#include "ranks/rankmix.h"
#include "ranks/rankorder.h"
#include "spank/spank_more.h"
#include "spank/spank_opt.h"
#include "spank/spank_user.h"

enum kind { ORDER, GRID, TRAFFIC, AUTO, NODE };

struct ranks {
	struct arena arena;
	enum kind kind;
	const char *path; /* the file of traffic */
	enum walk_kind walk; /* ORDER: the walk to go along */
	struct traffic_grid grid;
	int grid_ranks;
	int ntasks;	  /* tasks of the step; 0: not known yet */
	int behind;	  /* ranks behind each task that is a proxy; 1: a task is a rank */
	int *mesh, *node; /* [nnodes] the mesh of each, and its node number there */
	int nnodes;
	bool several;	  /* the nodes are in several meshes */
	const uint16_t *share; /* [nnodes] the number of its tasks */
	uint32_t *const *task; /* [nnodes][share] their ids, before the exchange */
	int *place;	  /* [ntasks] index into node[] */
	bool learnt;	  /* the order comes from a record, and will be judged */
};

/* --- the value -------------------------------------------------------------------- */

static int parse_grid(struct ranks *r, const char *text, struct mesh_err *err)
{
	const struct spank_more *more = spank_more_load(err);

	r->kind = GRID;
	r->grid_ranks = more ? more->grid_parse(&r->grid, text, err) : -1;
	return r->grid_ranks < 0 ? -1 : 0;
}

static int parse_order(const char *value, struct ranks *r, struct mesh_err *err)
{
	struct mesh_err why = {{0}};

	*r = (struct ranks){.behind = 1};
	if (!strcmp(value, "order"))
		return 0;
	if (!strcmp(value, "auto") || !strcmp(value, "node")) {
		r->kind = *value == 'a' ? AUTO : NODE;
		return 0;
	}
	for (enum walk_kind w = WALK_LINE; walk_name(w); w++)
		if (!strcmp(value, walk_name(w))) {
			r->walk = w;
			return 0;
		}
	if (!strncmp(value, "grid:", 5))
		return !parse_grid(r, value + 5, &why) ? 0
			: err_printf(err, "--" SPANK_RANKS_OPTION "=%.64s: %s", value, why.text);
	if (!strncmp(value, "traffic:", 8) && value[8]) {
		r->kind = TRAFFIC;
		r->path = value + 8;
		return 0;
	}
	return err_printf(err, "--" SPANK_RANKS_OPTION "=%.64s: expected " SPANK_RANKS_ARGUMENT,
		value);
}

/* The number of tasks, as far as the options say it. A script's steps may have any number. */
static int known_tasks(const struct spank_opt *said)
{
	if (said->ntasks)
		return said->ntasks;
	if (said->per_node)
		return said->exactly * said->per_node;
	return said->srun && !said->by_cpus ? said->exactly : 0;
}

/* Check numbers of tasks and nodes before srun has its nodes. */
static int check_step(const char *value, const struct ranks *r, const struct spank_opt *said,
	struct mesh_err *err)
{
	int tasks = known_tasks(said);
	bool evenly = r->kind == GRID || r->kind == TRAFFIC;

	if (said->arbitrary && r->kind != NODE)
		return err_printf(err, "--" SPANK_RANKS_OPTION ": not together with a list of nodes"
			" (SLURM_HOSTFILE)");
	if (r->kind == GRID && !said->ntasks && !said->per_node)
		spank_opt_ask_tasks(tasks = r->grid_ranks);
	if (evenly && said->exactly && tasks % said->exactly)
		return err_printf(err, "--" SPANK_RANKS_OPTION "=%.64s: %d tasks cannot be spread"
			" evenly over %d nodes", value, tasks, said->exactly);
	return 0;
}

static int check_order(const char *value, struct mesh_err *err)
{
	const struct spank_more *more = NULL;
	struct spank_opt said;
	struct ranks r;
	int ntasks;

	if (parse_order(value, &r, err))
		return -1;
	spank_opt_read(&said);
	if (said.proxies || said.daemons)
		return 0;
	/* What the order needs is missed now, not when the nodes are there. */
	if (r.kind != AUTO && r.kind != NODE &&
		(r.kind != ORDER || r.walk || said.exactly != 1) &&
		!(more = spank_more_load(err)))
		return -1;
	ntasks = known_tasks(&said);
	if (r.kind == GRID && said.ntasks && r.grid_ranks != ntasks)
		return err_printf(err, "--" SPANK_RANKS_OPTION "=%.64s: a grid of %d tasks, but"
			" there are %d", value, r.grid_ranks, ntasks);
	if (said.srun && check_step(value, &r, &said, err))
		return -1;
	if (r.kind != TRAFFIC)
		return 0;
	return more->traffic_check(r.path, ntasks ? ntasks : TRAFFIC_MAX_RANKS, err);
}

/* --- the job's nodes -------------------------------------------------------------- */

/* Find the step's hosts on its map. */
static int find_nodes(struct ranks *r, const struct spank_map *map, struct mesh_err *err)
{
	const struct topoconf *conf = map->conf;

	if (map->nhosts != r->nnodes)
		return err_printf(err, "%d nodes, but a list of %d", r->nnodes, map->nhosts);
	arena_array(&r->arena, r->mesh, r->nnodes);
	if (!arena_array(&r->arena, r->node, r->nnodes))
		return err_printf(err, "out of memory");
	for (int i = 0; i < r->nnodes; i++) {
		r->mesh[i] = -1;
		for (int m = 0; m < conf->nmeshes && r->mesh[i] < 0; m++)
			if ((r->node[i] = mesh_node(conf->mesh[m], map->host[i])) >= 0)
				r->mesh[i] = m;
		if (r->mesh[i] < 0)
			return err_printf(err, "node %.64s is in no mesh", map->host[i]);
		r->several |= r->mesh[i] != r->mesh[0];
	}
	return 0;
}

/* --- the order -------------------------------------------------------------------- */

/* Tasks on each node, rounded. */
static int tasks_each(const struct ranks *r)
{
	return r->ntasks > r->nnodes ? (r->ntasks + r->nnodes / 2) / r->nnodes : 1;
}

static bool evenly(const struct ranks *r)
{
	for (int i = 0; i < r->nnodes; i++)
		if (r->share[i] * r->nnodes != r->ntasks)
			return false;
	return true;
}

/* Has each node consecutive tasks, in the order of the nodes? */
static bool in_blocks(const struct ranks *r)
{
	uint32_t next = 0;

	for (int i = 0; i < r->nnodes; i++)
		for (int k = 0; k < r->share[i]; k++)
			if (r->task[i][k] != next++)
				return false;
	return true;
}

static int order_nodes(const struct ranks *r, const struct spank_more_nodes *nodes, int *order,
	struct mesh_err *err)
{
	const struct rankmix mix = {nodes->n, tasks_each(r) * r->behind, !in_blocks(r)};
	const struct spank_more *more;

	if (r->kind == AUTO)
		return rankorder_mix(nodes->mesh, nodes->node, &mix, order, err);
	if (nodes->n == 1 && !r->walk)
		return *order = 0;
	more = spank_more_load(err);
	return more ? more->order(nodes, r->walk, order, err) : -1;
}

/*
 * Order the nodes of one mesh: indices into node[] from order[0] on. Returns how many there are,
 * or -1 with text.
 */
static int order_in(
	const struct ranks *r, const struct mesh *mesh, int which, int *order, struct mesh_err *err)
{
	struct arena arena = {0};
	int *node = arena_get(&arena, r->nnodes, sizeof(int)), n = 0;
	int *at = arena_get(&arena, r->nnodes, sizeof(int));
	int *way = arena_get(&arena, r->nnodes, sizeof(int));
	int result = way ? 0 : err_printf(err, "out of memory");

	for (int i = 0; !result && i < r->nnodes; i++)
		if (r->mesh[i] == which) {
			at[n] = i;
			node[n++] = r->node[i];
		}
	if (!result && n)
		result = order_nodes(r, &(struct spank_more_nodes){mesh, node, n}, way, err);
	for (int i = 0; !result && i < n; i++)
		order[i] = at[way[i]];
	arena_release(&arena);
	return result ? -1 : n;
}

/* Consecutive tasks on near nodes, one mesh after the other. */
static int place_in_order(struct ranks *r, const struct topoconf *conf, struct mesh_err *err)
{
	int *order = arena_get(&r->arena, r->nnodes, sizeof(int)),
	    n = order ? 0 : err_printf(err, "out of memory");

	if (order && r->several && r->walk)
		n = err_printf(err, "no %s over several meshes", walk_name(r->walk));
	for (int m = 0, done = 0; m < conf->nmeshes && n >= 0; m++, done += n)
		n = order_in(r, conf->mesh[m], m, order + done, err);
	for (int i = 0, task = 0; n >= 0 && i < r->nnodes; i++)
		for (int k = 0; k < r->share[order[i]]; k++)
			r->place[task++] = order[i];
	return n < 0 ? -1 : 0;
}

/* Give node to[i] the tasks that node i has. */
static void exchange(struct ranks *r, const int *to)
{
	for (int i = 0, task = 0; i < r->nnodes; i++)
		for (int k = 0; k < r->share[to[i]]; k++, task++)
			r->place[evenly(r) ? (int)r->task[i][k] : task] = to[i];
}

/*
 * A program of which nothing is known: nodes of the same mesh exchange their tasks. Where nodes
 * have different numbers of tasks, blocks of consecutive tasks are dealt anew; other distributions
 * are an error.
 */
static int place_unknown(struct ranks *r, const struct topoconf *conf, struct mesh_err *err)
{
	int *order = arena_get(&r->arena, r->nnodes, sizeof(int)), n = 0;
	int *to = arena_get(&r->arena, r->nnodes, sizeof(int));

	if (!to)
		return err_printf(err, "out of memory");
	if (!evenly(r) && !in_blocks(r))
		return err_printf(err, "unequal nodes, and their tasks are no blocks");
	for (int m = 0; m < conf->nmeshes && n >= 0; m++) {
		n = order_in(r, conf->mesh[m], m, order, err);
		for (int i = 0, k = 0; i < r->nnodes && k < n; i++)
			if (r->mesh[i] == m)
				to[i] = order[k++];
	}
	if (n >= 0)
		exchange(r, to);
	return n < 0 ? -1 : 0;
}

static int place_by_traffic(struct ranks *r, const struct mesh *mesh, struct mesh_err *err)
{
	const struct spank_more *more;
	const struct spank_more_mapping mapping = {.nodes = {mesh, r->node, r->nnodes},
		.per_node = r->ntasks / r->nnodes,
		.behind = r->behind,
		.grid = r->kind == GRID ? &r->grid : NULL,
		.path = r->path,
		.learnt = r->learnt,
		.place = r->place};

	if (!evenly(r))
		return err_printf(err, "%d tasks cannot be spread evenly over %d nodes", r->ntasks,
			r->nnodes);
	more = spank_more_load(err);
	return more ? more->map(&mapping, err) : -1;
}

/* Place the tasks on the step's nodes, by its map. */
static int place_tasks(struct ranks *r, const struct spank_user_step *step, struct mesh_err *err)
{
	int result = step->map->read(step->map, err);
	const struct topoconf *conf = step->map->conf;

	if (!result)
		result = find_nodes(r, step->map, err);
	if (!result && !arena_array(&r->arena, r->place, r->ntasks))
		result = err_printf(err, "out of memory");
	if (!result && r->kind == AUTO)
		result = place_unknown(r, conf, err);
	else if (!result)
		result = r->kind == ORDER || r->several
			? place_in_order(r, conf, err)
			: place_by_traffic(r, conf->mesh[r->mesh[0]], err);
	return result;
}

/* Write the tasks of place[] into the layout, ascending on each node. */
static int relabel(struct ranks *r, struct spank_layout *layout, struct mesh_err *err)
{
	int *next = arena_get(&r->arena, r->nnodes, sizeof(*next));

	for (int i = 0; next && i < r->ntasks; i++)
		layout->task[r->place[i]][next[r->place[i]]++] = (uint32_t)i;
	return next ? 0 : err_printf(err, "out of memory");
}

/*
 * The number of ranks behind each proxy. mpiexec takes it from the allocation, as 2(x7), unless it
 * is told otherwise. 0: unknown, or not the same for all.
 */
static int ranks_behind(const struct ranks *r, const char *per_node)
{
	int each = strchr(per_node, ',') ? 0 : atoi(per_node);

	if (r->ntasks != r->nnodes || getenv("HYDRA_HOST_FILE"))
		return 0;
	return each > 0 && each < TRAFFIC_MAX_RANKS / r->nnodes ? each : 0;
}

/* Fill *r from the step. 0, or -1 with text. */
static int take_step(struct ranks *r, const struct spank_user_step *step, struct mesh_err *err)
{
	const struct spank_layout *layout = step->layout;
	struct spank_opt said;

	r->nnodes = layout->nnodes;
	r->ntasks = layout->ntasks;
	r->share = layout->share;
	r->task = layout->task;
	if (step->blocks || (spank_opt_read(&said) && said.proxies))
		r->behind = ranks_behind(r, step->per_node);
	r->learnt = step->learnt;
	if (!r->behind)
		return err_printf(err, "the nodes have not equally many ranks");
	if (step->learnt && step->learnt != r->ntasks * r->behind)
		return err_printf(err, "%d tasks, and not %d", r->ntasks, step->learnt);
	if (r->kind == GRID && r->grid_ranks != r->ntasks * r->behind)
		return err_printf(err, "the grid has %d ranks, the step %d", r->grid_ranks,
			r->ntasks * r->behind);
	return 0;
}

static int order_step(const char *value, const struct spank_user_step *step, struct mesh_err *err)
{
	struct spank_opt said;
	struct ranks r;
	int result;

	if (parse_order(value, &r, err))
		return -1;
	if (r.kind == NODE || (r.kind == AUTO && step->layout->nnodes < 3) ||
		(spank_opt_read(&said) && said.daemons))
		return 0;
	result = take_step(&r, step, err);
	if (!result)
		result = place_tasks(&r, step, err);
	if (!result)
		result = relabel(&r, step->layout, err);
	arena_release(&r.arena);
	return result;
}

enum { FIRST_DESCRIPTOR = 100 }; /* scripts use low ones themselves */

/* Write the file, under a name that the processes of this user find. No time of access: unread. */
static int write_hosts(char *const *host, int n, int each, struct spank_user_hostfile *hosts)
{
	static const struct timespec unread[2] = {{0}, {.tv_nsec = UTIME_OMIT}};
	int low = hosts->file < 0 ? memfd_create("hosts", 0) : hosts->file;
	int file = low < 0 ? -1 : fcntl(low, F_DUPFD, FIRST_DESCRIPTOR);
	bool done = file >= 0;

	if (low >= 0)
		close(low);
	for (int i = 0; done && i < n * each; i++)
		done = dprintf(file, "%s\n", host[i / each]) > 0;
	if (!done || futimens(file, unread))
		return -1;
	snprintf(hosts->path, sizeof(hosts->path), "/proc/%d/fd/%d", (int)getpid(), file);
	return 0;
}

/* A layout of one task for each node. Returns the tasks' ids, or NULL. */
static uint32_t *lay_blocks(struct spank_layout *layout, struct arena *arena)
{
	uint32_t *block = arena_get(arena, layout->nnodes, sizeof(*block));
	uint16_t *share = arena_get(arena, layout->nnodes, sizeof(*share));

	if (!arena_array(arena, layout->task, layout->nnodes))
		return NULL;
	for (int i = 0; i < layout->nnodes; i++) {
		block[i] = (uint32_t)i;
		share[i] = 1;
		layout->task[i] = &block[i];
	}
	layout->share = share;
	layout->ntasks = layout->nnodes;
	return block;
}

static int write_hostfile(const char *value, const struct spank_user_step *step,
	struct spank_user_hostfile *hosts, struct mesh_err *err)
{
	struct arena arena = {0};
	struct spank_layout layout = {.nnodes = step->map->nhosts};
	struct spank_user_step blocks = {step->map, step->per_node, &layout, .blocks = true};
	char **sorted = arena_get(&arena, layout.nnodes, sizeof(*sorted));
	uint32_t *block = sorted ? lay_blocks(&layout, &arena) : NULL;
	int result;
	bool moved = false;

	result = block ? order_step(value, &blocks, err)
		       : err_printf(err, "out of memory");
	for (int i = 0; !result && i < layout.nnodes; i++) {
		sorted[block[i]] = step->map->host[i];
		moved |= block[i] != (uint32_t)i;
	}
	if (moved && write_hosts(sorted, layout.nnodes, atoi(step->per_node), hosts))
		result = err_printf(err, "the host file cannot be written");
	arena_release(&arena);
	return result;
}

__attribute__((visibility("default"))) const struct spank_user spank_user = {
	.stamp = SPANK_USER_STAMP(struct spank_user),
	.ranks_check = check_order,
	.ranks_relabel = order_step,
	.ranks_hostfile = write_hostfile,
};
