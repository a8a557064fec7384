/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh part: divides nodes among tasks that run side by side, and places the parts.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/sort.h"
#include "geometry/metrics_meter.h"
#include "ranks/partition.h"
#include "ranks/placement.h"
#include "cmd/commands.h"
#include "cli/output.h"
#include "sim/human.h"
#include "sim/need.h"
#include "sim/report.h"
#include "cli/tasktable.h"

struct session {
	struct command_base base;
	const char *hosts;
	int nodes, per_node;
	bool json, script;
	struct tasktable table;
	struct partition_problem problem;
	struct partition_answer answer;
	const struct mesh *mesh; /* NULL: none was named */
	struct nodeset allocation; /* with a mesh: the nodes */
	char **host; /* [nhosts] without a mesh: the nodes in list order */
	int nhosts;
	int *placed; /* with a mesh: the nodes, part by part */
	char **part; /* [tasks] host list of each part, or NULL: no nodes are known */
};

static const struct option_row options[] = {
	{'n', "nodes", "N", "nodes to divide (default: those of -w)", OPTION_INT, AT(nodes), 1,
		MESH_MAX_NODES},
	{0, "deadline", "TIME", "the fewest nodes to end in this time; leave the others free",
		OPTION_DOUBLE, AT(problem.deadline), 1e-300, 1e300},
	{'w', "nodelist", "HOSTLIST", "the nodes (default: SLURM_JOB_NODELIST)", OPTION_TEXT,
		AT(hosts)},
	{'t', "topology", "FILE", "the topology.conf with the mesh lines: keep parts compact",
		OPTION_TEXT, AT_MAP(topology)},
	OPTION_MESH,
	{0, "per-node", "P", "processes per node, for --script (default 1)", OPTION_INT,
		AT(per_node), 1, 1 << 16},
	{0, "script", NULL, "print a piece of a batch script that runs the tasks side by side",
		OPTION_FLAG, AT(script)},
	OPTION_JSON,
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--json and --script exclude each other"},
	{RULE_IDLE, "--per-node has no effect without --script"},
	{0},
};

static int read_tables(struct session *s)
{
	struct mesh_err err = {{0}};

	if (!s->base.noperands)
		return smesh_fail(SMESH_USAGE, "part: no FILE with times (see smesh part --help)");
	for (char **path = s->base.operand; *path; path++)
		if (tasktable_read(&s->table, *path, &err))
			return smesh_fail(SMESH_USAGE, "%s", err.text);
	s->problem.task = s->table.task;
	s->problem.ntasks = s->table.count;
	return SMESH_OK;
}

/* A host that is twice in the list would be in two parts. NULL: none is. */
static const char *find_twice(struct session *s)
{
	char **sorted = need_get(&s->base.arena, s->nhosts, sizeof(*sorted));

	memcpy(sorted, s->host, (size_t)s->nhosts * sizeof(*sorted));
	sort_texts(sorted, s->nhosts);
	for (int i = 1; i < s->nhosts; i++)
		if (!strcmp(sorted[i], sorted[i - 1]))
			return sorted[i];
	return NULL;
}

/* Read the nodes of -w or of the job, as a set of the mesh's nodes or as a list of names. */
static int read_hosts(struct session *s)
{
	struct mesh_err err = {{0}};
	const char *twice;

	if (s->base.topology) {
		if (command_open_mesh(&s->base))
			return SMESH_USAGE;
		s->mesh = s->base.mesh;
		need_done(nodeset_get(&s->allocation, s->mesh->nnodes, &s->base.arena));
	}
	if (!s->hosts && (!s->nodes || s->mesh || s->script))
		s->hosts = getenv("SLURM_JOB_NODELIST");
	if (!s->hosts)
		return SMESH_OK;
	if (s->mesh) {
		if (smesh_hosts_to_set(s->mesh, s->hosts, &s->allocation, &err))
			return smesh_fail(SMESH_USAGE, "%s", err.text);
		s->nhosts = nodeset_count(&s->allocation);
		return SMESH_OK;
	}
	if (hostlist_check(s->hosts, &err) < 0 ||
		(s->nhosts = smesh_expand(s->hosts, &s->base.arena, &s->host, &err)) < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if ((twice = find_twice(s)))
		return smesh_fail(SMESH_USAGE, "node %s is in the list twice", twice);
	return SMESH_OK;
}

static int solve(struct session *s)
{
	enum mesh_result result;

	if (!s->nodes && !s->nhosts)
		return smesh_fail(
			SMESH_USAGE, "-n N or -w HOSTLIST is missing, and this is no job");
	if (!s->nodes)
		s->nodes = s->nhosts;
	if (s->hosts && s->nodes > s->nhosts)
		return smesh_fail(
			SMESH_USAGE, "-n %d: the list has %d nodes", s->nodes, s->nhosts);
	s->problem.nodes = s->nodes;
	need_array(&s->base.arena, s->answer.size, s->table.count);
	need_array(&s->base.arena, s->answer.time, s->table.count);
	result = partition_solve(&s->problem, &s->answer);
	if (result == MESH_OK)
		return SMESH_OK;
	return smesh_fail(result == MESH_NO_FIT ? SMESH_NO_FIT
			: result == MESH_NEVER ? SMESH_NEVER : SMESH_USAGE,
		"%s", s->answer.err.text);
}

/* Make the host list of each part. */
static int place(struct session *s)
{
	struct mesh_err err = {{0}};
	int at = 0;

	if (!s->nhosts)
		return SMESH_OK;
	if (s->mesh) {
		struct placement_input in = {.mesh = s->mesh, .allocation = &s->allocation,
			.size = s->answer.size, .nparts = s->table.count};

		need_array(&s->base.arena, s->placed, s->mesh->nnodes);
		if (placement_solve(&in, s->placed, &err))
			return smesh_fail(SMESH_USAGE, "%s", err.text);
	}
	need_array(&s->base.arena, s->part, s->table.count);
	for (int i = 0; i < s->table.count; i++) {
		int size = s->answer.size[i];

		s->part[i] = s->mesh ? smesh_nodes_to_hosts(s->mesh, s->placed + at, size)
				     : need(hostlist_libslurm.compress(s->host + at, size));
		at += size;
	}
	return SMESH_OK;
}

/* --- output ----------------------------------------------------------------------- */

/* Mean hops inside each part, with a mesh. */
static double mean_hops(const struct session *s, int part)
{
	struct mesh_metrics m;
	int at = 0;

	for (int i = 0; i < part; i++)
		at += s->answer.size[i];
	return mesh_measure(s->mesh, s->placed + at, s->answer.size[part], &m) ? -1
									     : m.mean_hops;
}

static void print_text(const struct session *s)
{
	printf("%-20s %6s %12s%s\n", "task", "nodes", "time",
		s->mesh ? "  mean hops  node list" : s->part ? "  node list" : "");
	for (int i = 0; i < s->table.count; i++) {
		printf("%-20s %6d %12.6g", s->table.task[i].name, s->answer.size[i],
			s->answer.time[i]);
		if (s->mesh && s->part)
			printf("  %9.3f", mean_hops(s, i));
		printf("%s%s\n", s->part ? "  " : "", s->part ? s->part[i] : "");
	}
	printf("longest %.9g, %d of %d node%s used%s\n", s->answer.longest, s->answer.used,
		s->nodes, human_s(s->nodes), s->answer.all_best ? ", every task at its best" : "");
}

static void print_json(const struct session *s)
{
	json_t *times = json_array(), *names = json_array();
	json_t *lists = s->part ? json_array() : NULL;
	json_t *hops = s->part && s->mesh ? json_array() : NULL;

	for (int i = 0; i < s->table.count; i++) {
		json_array_append_new(times, json_real(s->answer.time[i]));
		json_array_append_new(names, json_string(s->table.task[i].name));
		if (lists)
			json_array_append_new(lists, json_string(s->part[i]));
		if (hops)
			json_array_append_new(hops, json_real(mean_hops(s, i)));
	}
	output_json(stdout, json_pack("{s:o, s:o, s:f, s:o, s:i, s:i, s:b, s:o*, s:o*}", "nodes",
		report_ints(s->answer.size, s->table.count), "times", times, "longest",
		s->answer.longest, "tasks", names, "used", s->answer.used, "free",
		s->nodes - s->answer.used, "all_best", s->answer.all_best, "nodelists", lists,
		"mean_hops", hops), JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* Print a script. The lists are quoted, as [ is a pattern for the shell. */
static void print_script(const struct session *s)
{
	printf("pids=() status=0\n");
	for (int i = 0; i < s->table.count; i++)
		printf("srun --nodes=%d --ntasks=%" PRId64 " --nodelist='%s' %s & pids+=($!)\n",
			s->answer.size[i], (int64_t)s->answer.size[i] * s->per_node, s->part[i],
			s->table.command[i]);
	printf("for pid in \"${pids[@]}\"; do wait \"$pid\" || status=$?; done\n");
}

static int run(void *session)
{
	struct session *s = session;
	int code;

	if ((code = read_tables(s)) || (code = read_hosts(s)) || (code = solve(s)) ||
		(code = place(s)))
		return code;
	if (s->script && !s->part)
		return smesh_fail(SMESH_USAGE, "--script needs nodes: -w HOSTLIST, or a job");
	(s->json ? print_json : s->script ? print_script : print_text)(s);
	return SMESH_OK;
}

static void end(void *session)
{
	struct session *s = session;

	for (int i = 0; s->part && i < s->table.count; i++)
		free(s->part[i]);
	arena_release(&s->table.arena);
}

const struct command cmd_part = {
	.name = "part",
	.summary = "divide nodes among programs that run side by side",
	.usage = "-n N [OPTION]... FILE...",
	.example = "-n 8 etc/tasks.conf",
	.options = options,
	.rules = rules,
	.operands = 1 << 20,
	.size = sizeof(struct session),
	.usual = &(const struct session){.per_node = 1},
	.run = run,
	.end = end,
};
