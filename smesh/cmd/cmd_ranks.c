/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh ranks: which rank of a job runs on which node and core. Without a grid or other traffic
 * the order is the one that srun uses for unknown programs. Writes a host file for srun
 * --distribution=arbitrary (SLURM_HOSTFILE) and a rank file of Open MPI.
 */
#include <errno.h>
#include <hwloc.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "ranks/rankfold.h"
#include "ranks/rankmap.h"
#include "ranks/rankmix.h"
#include "ranks/rankorder.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cmd/readtraffic.h"
#include "sim/human.h"
#include "sim/need.h"

/* --- the cores of a node --------------------------------------------------------------- */

struct core {
	int package;	/* hwloc's logical number */
	int in_package; /* of the core in its package, logical; -1: this is only a thread */
	int cpu;	/* the operating system's number of its first hardware thread */
};

struct cores {
	hwloc_topology_t topology; /* NULL: not loaded */
	int n;
	struct core *core;	 /* [n] in hwloc's logical order: near numbers are near cores */
	struct assign_sites table; /* levels of the tree up to the common ancestor */
	int ncores;		 /* of the whole node */
	bool threads;		 /* more processes than cores: these are hardware threads */
};

/* Load a node. Caches, packages and groups that do not branch tell nothing about distance. */
static int load_node(struct cores *cores, const char *xml, struct mesh_err *err)
{
	hwloc_topology_t node;
	bool bad;

	need_done(hwloc_topology_init(&cores->topology));
	node = cores->topology;
	/* Which of the calls fails, and with what errno, depends on hwloc's plugins. */
	if (xml && access(xml, R_OK))
		return err_printf(err, "%s: %s", xml, strerror(errno));
	bad = xml && hwloc_topology_set_xml(node, xml);
	hwloc_topology_set_all_types_filter(node, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	hwloc_topology_set_type_filter(node, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(node, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	if (bad || hwloc_topology_load(node))
		return err_printf(err, "%s: hwloc cannot read this topology",
			xml ? xml : "this machine");
	return 0;
}

/*
 * Choose n objects of one type, spread over the machine: hwloc_distrib() gives each process a set,
 * in order, and the process gets the set's first object. If that gives an object twice (uneven
 * machines), the first n objects in order.
 */
static void choose_cores(
	hwloc_topology_t topology, hwloc_obj_type_t type, int n, hwloc_obj_t *object)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	hwloc_bitmap_t *set = need(calloc((size_t)n, sizeof(hwloc_bitmap_t)));
	bool distinct;

	distinct = !hwloc_distrib(topology, &root, 1, set, (unsigned)n,
		hwloc_get_type_depth(topology, type), 0);
	for (int i = 0; distinct && i < n; i++)
		object[i] =
			hwloc_get_next_obj_covering_cpuset_by_type(topology, set[i], type, NULL);
	for (int i = 0; i < n; i++) {
		distinct = distinct && object[i] && (!i || object[i] != object[i - 1]);
		hwloc_bitmap_free(set[i]);
	}
	free(set);
	for (int i = 0; !distinct && i < n; i++)
		object[i] = hwloc_get_obj_by_type(topology, type, (unsigned)i);
}

/* The numbers of an object in rank files and bindings. */
static struct core name_core(hwloc_topology_t topology, hwloc_obj_t object)
{
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
	hwloc_obj_t pu = hwloc_get_obj_inside_cpuset_by_type(topology, object->cpuset,
		HWLOC_OBJ_PU, 0);
	struct core core = {.in_package = -1};

	core.package = package ? (int)package->logical_index : 0;
	core.cpu = pu ? (int)pu->os_index : -1;
	if (object->type == HWLOC_OBJ_CORE)
		core.in_package = package
			? hwloc_get_obj_index_inside_cpuset(topology, package->cpuset, object)
			: (int)object->logical_index;
	return core;
}

/*
 * Choose places for n processes, spread evenly over packages, NUMA nodes and caches. xml: a file
 * that lstopo wrote on the compute node, or NULL: this machine. 0, or -1 with text: no such file,
 * or fewer hardware threads than processes.
 */
static int read_cores(struct cores *cores, const char *xml, struct arena *arena,
	struct mesh_err *err)
{
	int nthreads, n = cores->n;
	hwloc_obj_t *object;

	if (load_node(cores, xml, err))
		return -1;
	nthreads = hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_PU);
	cores->ncores = hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_CORE);
	cores->threads = n > cores->ncores;
	if (n > nthreads)
		return err_printf(err, "%d processes on a node of %d cores and %d hardware threads",
			n, cores->ncores, nthreads);
	need_array(arena, object, n);
	need_array(arena, cores->core, n);
	need_array(arena, cores->table.hops, (int64_t)n * n);
	choose_cores(cores->topology, cores->threads ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE, n, object);
	cores->table.n = n;
	for (int i = 0; i < n; i++) {
		cores->core[i] = name_core(cores->topology, object[i]);
		for (int j = 0; j < n; j++) {
			hwloc_obj_t top = hwloc_get_common_ancestor_obj(cores->topology, object[i],
				object[j]);

			cores->table.hops[(int64_t)i * n + j] =
				(uint16_t)(object[i]->depth - top->depth);
		}
	}
	return 0;
}

/* --- the command ------------------------------------------------------------------------ */

struct session {
	struct command_base base;
	const char *hosts, *grid_text, *periodic, *traffic_path, *hostfile, *rankfile, *hwloc;
	int per_node;
	bool json;
	bool unknown; /* neither a grid nor other traffic was given */
	int *node, nnodes;
	struct traffic_grid grid;
	struct traffic traffic;
	struct rankmap_input input;
	struct rankmap_answer answer;
	struct cores cores;
	struct rankfold_answer fold;
	bool folded; /* cores and fold are set */
	double seconds;
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'w', "nodelist", "HOSTLIST", "the job's nodes (default: SLURM_JOB_NODELIST)", OPTION_TEXT,
		AT(hosts)},
	{'p', "per-node", "P",
		"ranks on each node (default: by the grid, or 1; --traffic needs it)",
		OPTION_INT, AT(per_node), 1, 1 << 16},
	{0, "grid", "AxBxC[:POINTS]",
		"the grid of ranks (16x8*4: 4 times as much along 8; :27: diagonals)",
		OPTION_TEXT, AT(grid_text)},
	{0, "periodic", "YES,NO,...", "which sides of the grid are rings: yes or no each, or all",
		OPTION_TEXT, AT(periodic)},
	{0, "traffic", "FILE", "other traffic: lines RANK RANK BYTES, or Open MPI's measurement",
		OPTION_TEXT, AT(traffic_path)},
	{0, "objective", "hops|peak",
		"make least: hops of a byte, or the load of the fullest link (hops)", OPTION_CHOICE,
		AT(input.objective), RANKMAP_HOPS},
	{0, "hostfile", "FILE", "write a file for SLURM_HOSTFILE, a node a rank; - = output",
		OPTION_TEXT, AT(hostfile)},
	{0, "rankfile", "FILE", "write a rank file of Open MPI; - = output", OPTION_TEXT,
		AT(rankfile)},
	{0, "hwloc", "FILE", "lstopo's XML of a compute node, if it is not like this machine",
		OPTION_TEXT, AT(hwloc)},
	OPTION_JSON,
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--grid or --traffic, not both"},
	{RULE_WITH, "--periodic belongs to --grid"},
	{RULE_WITH, "--traffic needs -p, the ranks on each node"},
	{0},
};

/* --- the nodes -------------------------------------------------------------------- */

static int read_nodes(struct session *s)
{
	struct mesh_err err = {{0}};
	struct nodeset seen;

	if (!s->hosts && !(s->hosts = getenv("SLURM_JOB_NODELIST")))
		return smesh_fail(SMESH_USAGE, "-w HOSTLIST is missing, and this is no job");
	if (command_open_mesh(&s->base))
		return SMESH_USAGE;
	s->nnodes = smesh_hosts_to_nodes(s->base.mesh, s->hosts, &s->base.arena, &s->node, &err);
	if (s->nnodes < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!s->nnodes)
		return smesh_fail(SMESH_USAGE, "the list of nodes is empty");
	need_done(nodeset_get(&seen, s->base.mesh->nnodes, &s->base.arena));
	for (int i = 0; i < s->nnodes; i++) {
		if (nodeset_has(&seen, s->node[i]))
			return smesh_fail(SMESH_USAGE, "node %s is in the list twice",
				s->base.mesh->node_name[s->node[i]]);
		nodeset_add(&seen, s->node[i]);
	}
	return SMESH_OK;
}

/* --- the traffic ------------------------------------------------------------------ */

/* Parse yes or no for each side, or all. */
static int read_periodic(struct traffic_grid *grid, const char *text)
{
	bool all = !strcmp(text, "all");

	for (int d = 0; d < grid->ndims; d++) {
		size_t n = strcspn(text, ",");

		grid->wrap[d] = all || (n == 3 && !strncmp(text, "yes", n));
		if (all)
			continue;
		if ((!grid->wrap[d] && (n != 2 || strncmp(text, "no", n) != 0)) ||
			!text[n] != (d == grid->ndims - 1))
			return -1;
		text += n + 1;
	}
	return 0;
}

static int64_t all_ranks(const struct session *s)
{
	return (int64_t)s->nnodes * s->per_node;
}

static int read_grid(struct session *s)
{
	struct mesh_err err = {{0}};
	int ranks;

	if (traffic_grid_parse(&s->grid, s->grid_text, &err))
		return smesh_fail(SMESH_USAGE, "--grid=%s: %s", s->grid_text, err.text);
	if (s->periodic && read_periodic(&s->grid, s->periodic))
		return smesh_fail(SMESH_USAGE, "--periodic=%s: expected all, or yes or no for"
			" each of %d sides", s->periodic, s->grid.ndims);
	ranks = traffic_grid_size(&s->grid, NULL);
	if (!s->per_node && ranks % s->nnodes)
		return smesh_fail(SMESH_USAGE, "--grid=%s: %d ranks cannot be spread evenly over"
			" %d nodes", s->grid_text, ranks, s->nnodes);
	if (!s->per_node)
		s->per_node = ranks / s->nnodes;
	if (ranks != all_ranks(s))
		return smesh_fail(SMESH_USAGE, "--grid=%s: the grid has %d ranks, %d nodes with"
			" %d each make %" PRId64, s->grid_text, ranks, s->nnodes, s->per_node,
			all_ranks(s));
	if (traffic_init_grid(&s->traffic, &s->grid, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->input.grid = &s->grid;
	return SMESH_OK;
}

/* Of other traffic than a grid's there may be too many ranks. */
static int check_ranks(const struct session *s)
{
	return all_ranks(s) <= TRAFFIC_MAX_RANKS ? SMESH_OK
		: smesh_fail(SMESH_USAGE, "%d nodes with %d ranks each: at most %d ranks",
			s->nnodes, s->per_node, TRAFFIC_MAX_RANKS);
}

static int read_traffic(struct session *s)
{
	char *const path[] = {(char *)(uintptr_t)s->traffic_path, NULL};
	struct traffic_run run;

	return check_ranks(s) ? SMESH_USAGE
		: readtraffic(&s->traffic, path, (int)all_ranks(s), &run);
}

/* Nothing is known: make traffic between all ranks. */
static int read_mix(struct session *s)
{
	struct mesh_err err = {{0}};
	struct rankmix mix = {.per_node = 1};

	if (s->input.objective == RANKMAP_PEAK)
		return smesh_fail(SMESH_USAGE, "--objective=peak needs --grid or --traffic");
	s->per_node = s->per_node ? s->per_node : 1;
	if (check_ranks(s))
		return SMESH_USAGE;
	mix.nodes = (int)all_ranks(s);
	return rankmix_init(&s->traffic, &mix, &err) ? smesh_fail(SMESH_FAILED, "%s", err.text)
		: SMESH_OK;
}

/* --- the decision ----------------------------------------------------------------- */

/* Order the nodes as srun does for an unknown program. */
static int order_nodes(struct session *s, struct mesh_err *err)
{
	const struct rankmix mix = {.nodes = s->nnodes, .per_node = s->per_node};
	int *order = need_get(&s->base.arena, s->nnodes, sizeof(*order));

	if (rankorder_mix(s->base.mesh, s->node, &mix, order, err))
		return -1;
	for (int rank = 0; rank < s->traffic.n; rank++)
		s->answer.place[rank] = order[rank / s->per_node];
	return 0;
}

static int solve(struct session *s)
{
	int64_t from;
	struct mesh_err err = {{0}};
	int code;

	s->input.mesh = s->base.mesh;
	s->input.node = s->node;
	s->input.nnodes = s->nnodes;
	s->input.per_node = s->per_node;
	s->input.traffic = &s->traffic;
	need_array(&s->base.arena, s->answer.place, s->traffic.n);
	from = mesh_clock_ns(CLOCK_MONOTONIC);
	code = s->unknown ? order_nodes(s, &err)
			  : rankmap_solve(&s->input, &s->answer, &err);
	s->seconds = (double)(mesh_clock_ns(CLOCK_MONOTONIC) - from) * 1e-9;
	if (!code && s->unknown)
		code = rankmap_measure(&s->input, &s->answer, &err);
	return code ? smesh_fail(SMESH_FAILED, "%s", err.text) : SMESH_OK;
}

/* Fold ranks onto cores: for a rank file, or if --hwloc describes the nodes. */
static int fold(struct session *s)
{
	struct mesh_err err = {{0}};
	struct rankfold_input in = {.traffic = &s->traffic, .grid = s->input.grid,
		.place = s->answer.place, .nnodes = s->nnodes, .per_node = s->per_node,
		.seed = s->input.seed};
	const char *whose = s->hwloc ? ""
		: " (this machine's; --hwloc=FILE: what lstopo wrote on a compute node)";

	if (!s->rankfile && !s->hwloc)
		return SMESH_OK;
	s->cores.n = s->per_node;
	if (read_cores(&s->cores, s->hwloc, &s->base.arena, &err))
		return smesh_fail(SMESH_USAGE, "%s%s", err.text, whose);
	if (s->rankfile && s->cores.threads)
		return smesh_fail(SMESH_USAGE, "--rankfile: %d ranks on a node of %d cores%s",
			s->per_node, s->cores.ncores, whose);
	in.cores = &s->cores.table;
	need_array(&s->base.arena, s->fold.core, s->traffic.n);
	if (rankfold_solve(&in, &s->fold, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->folded = true;
	return SMESH_OK;
}

/* --- files ------------------------------------------------------------------------ */

static const char *host_of(const struct session *s, int rank)
{
	return s->base.mesh->node_name[s->node[s->answer.place[rank]]];
}

static void put_host(FILE *file, const struct session *s, int rank)
{
	fprintf(file, "%s\n", host_of(s, rank));
}

static void put_rank(FILE *file, const struct session *s, int rank)
{
	const struct core *core = &s->cores.core[s->fold.core[rank]];

	fprintf(file, "rank %d=%s slot=%d:%d\n", rank, host_of(s, rank), core->package,
		core->in_package);
}

static int write_file(const struct session *s, const char *path,
	void (*put)(FILE *, const struct session *, int))
{
	struct output out;

	if (!path)
		return SMESH_OK;
	if (output_open(&out, path))
		return SMESH_USAGE;
	for (int rank = 0; rank < s->traffic.n; rank++)
		put(out.file, s, rank);
	return output_close(&out);
}

/* --- the report ------------------------------------------------------------------- */

/* How many percent below block order's. */
static double below(double block, double reached)
{
	return block > 0 ? 100 * (block - reached) / block : 0;
}

static void print_map_cpu(FILE *out, const struct session *s)
{
	int node = 0;

	fprintf(out, "--cpu-bind=map_cpu:");
	for (int rank = 0, first = 1; rank < s->traffic.n; rank++)
		if (s->answer.place[rank] == node) {
			fprintf(out, "%s%d", first ? "" : ",",
				s->cores.core[s->fold.core[rank]].cpu);
			first = 0;
		}
	putc('\n', out);
}

static void print_figure(FILE *out, const char *name, double reached, double block)
{
	fprintf(out, "%s: %.12g, block order %.12g (%.1f %% below)\n", name, reached, block,
		below(block, reached));
}

static void print_text(FILE *out, const struct session *s)
{
	const struct rankmap_answer *a = &s->answer;

	fprintf(out, "%d rank%s on %d node%s, %d on each\n", s->traffic.n, human_s(s->traffic.n),
		s->nnodes, human_s(s->nnodes), s->per_node);
	if (s->unknown)
		fputs("of a mixture of rings, grids and exchanges, as nothing is known of the "
			"program (say more with --grid or --traffic)\n", out);
	print_figure(out, "hop-bytes", a->hop_bytes, a->block_hop_bytes);
	print_figure(out, "most loaded link", a->peak_load, a->block_peak_load);
	fprintf(out, "computed in %.3f s\n", s->seconds);
	if (!s->folded)
		return;
	fprintf(out, "inside nodes: distance-bytes %.12g, in order %.12g\n",
		s->fold.distance_bytes, s->fold.in_order_distance_bytes);
	if (s->fold.alike)
		print_map_cpu(out, s);
	else
		fprintf(out, "the binding differs from node to node: use --rankfile\n");
}

static void print_json(FILE *file, const struct session *s)
{
	const struct rankmap_answer *a = &s->answer;
	json_t *hosts = json_array(), *cpus = s->folded ? json_array() : NULL;

	for (int rank = 0; rank < s->traffic.n; rank++) {
		json_array_append_new(hosts, json_string(host_of(s, rank)));
		if (cpus)
			json_array_append_new(cpus,
				json_integer(s->cores.core[s->fold.core[rank]].cpu));
	}
	output_json(file, json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:o, s:s, s:f, s:f, s:o*,"
		" s:o*, s:o*, s:s*, s:I}", "mesh",
		s->base.mesh->name, "ranks", s->traffic.n, "nodes", s->nnodes, "per_node",
		s->per_node, "hop_bytes", a->hop_bytes, "block_hop_bytes", a->block_hop_bytes,
		"below_block_percent", below(a->block_hop_bytes, a->hop_bytes), "hosts", hosts,
		"objective", s->input.objective == RANKMAP_PEAK ? "peak-load" : "hop-bytes",
		"peak_link_load", a->peak_load, "block_peak_link_load", a->block_peak_load,
		"distance_bytes", cpus ? json_real(s->fold.distance_bytes) : NULL,
		"in_order_distance_bytes",
		cpus ? json_real(s->fold.in_order_distance_bytes) : NULL, "cpus", cpus,
		"traffic", s->unknown ? "mix" : NULL, "time_ns", (json_int_t)(s->seconds * 1e9)),
		JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* The report goes to standard error when standard output has one of the files. */
static int report(const struct session *s)
{
	bool taken = output_is_standard(s->hostfile) || output_is_standard(s->rankfile);
	int code = write_file(s, s->hostfile, put_host);

	if (!code && !(code = write_file(s, s->rankfile, put_rank)))
		(s->json ? print_json : print_text)(taken ? stderr : stdout, s);
	return code;
}

static int run(void *session)
{
	struct session *s = session;
	int (*read_job)(struct session *);
	int code;

	s->unknown = !s->grid_text && !s->traffic_path;
	read_job = s->unknown ? read_mix : s->grid_text ? read_grid : read_traffic;
	(void)((code = read_nodes(s)) || (code = read_job(s)) || (code = solve(s)) ||
		(code = fold(s)) || (code = report(s)));
	return code;
}

static void end(void *session)
{
	struct session *s = session;

	if (s->cores.topology)
		hwloc_topology_destroy(s->cores.topology);
	traffic_release(&s->traffic);
}

const struct command cmd_ranks = {
	.name = "ranks",
	.summary = "put the ranks of a job onto its nodes, neighbours near each other",
	.usage = "[-t FILE] [--grid AxBxC | --traffic FILE] [OPTION]...",
	.example = "-t topology.conf -w 'n[0-63]' --grid 8x8 --hostfile hosts",
	.options = options,
	.rules = rules,
	.size = sizeof(struct session),
	.run = run,
	.end = end,
};
