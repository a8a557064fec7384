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

#include "base/budget.h"
#include "ranks/rankfold.h"
#include "ranks/rankmap.h"
#include "ranks/rankmix.h"
#include "ranks/rankorder.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cmd/readtraffic.h"
#include "sim/need.h"

/* --- the cores of a node --------------------------------------------------------------- */

struct core {
	int package;	/* hwloc's logical number */
	int in_package; /* of the core in its package, logical; -1: this is only a thread */
	int cpu;	/* the operating system's number of its first hardware thread */
};

struct cores {
	struct arena arena;
	int n;
	struct core *core;	 /* [n] in hwloc's logical order: near numbers are near cores */
	struct assign_sites table; /* levels of the tree up to the common ancestor */
	int ncores;		 /* of the whole node */
	bool threads;		 /* more processes than cores: these are hardware threads */
};

/* Load a node. Caches, packages and groups that do not branch tell nothing about distance. */
static int load_node(hwloc_topology_t *topology, const char *xml, struct mesh_err *err)
{
	need_done(hwloc_topology_init(topology));
	if (xml && hwloc_topology_set_xml(*topology, xml)) {
		err_printf(err, "%s: %s", xml, errno && errno != EINVAL ? strerror(errno)
			: "not hwloc's XML");
		hwloc_topology_destroy(*topology);
		return -1;
	}
	hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	if (!hwloc_topology_load(*topology))
		return 0;
	hwloc_topology_destroy(*topology);
	return err_printf(err, "%s: hwloc cannot read this topology", xml ? xml : "this machine");
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

static void fill_cores(struct cores *cores, hwloc_topology_t topology, hwloc_obj_t *object)
{
	size_t n = (size_t)cores->n;

	need_array(&cores->arena, cores->core, cores->n);
	cores->table = (struct assign_sites){.n = cores->n};
	need_array(&cores->arena, cores->table.hops, (int64_t)cores->n * cores->n);
	for (size_t i = 0; i < n; i++)
		cores->core[i] = name_core(topology, object[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			hwloc_obj_t top =
				hwloc_get_common_ancestor_obj(topology, object[i], object[j]);

			cores->table.hops[i * n + j] = (uint16_t)(object[i]->depth - top->depth);
		}
}

static int take_cores(struct cores *cores, hwloc_topology_t topology, struct mesh_err *err)
{
	int nthreads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	hwloc_obj_t *object;

	cores->ncores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
	cores->threads = cores->n > cores->ncores;
	if (cores->n > nthreads)
		return err_printf(err, "%d processes on a node of %d cores and %d hardware threads",
			cores->n, cores->ncores, nthreads);
	object = need_get(&cores->arena, cores->n, sizeof(*object));
	choose_cores(topology, cores->threads ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE, cores->n, object);
	fill_cores(cores, topology, object);
	return 0;
}

/*
 * Choose places for n processes, spread evenly over packages, NUMA nodes and caches. xml: a file
 * that lstopo wrote on the compute node, or NULL: this machine. 0, or -1 with text: no such file,
 * or fewer hardware threads than processes. cores->arena owns all memory.
 */
static int cores_read(struct cores *cores, const char *xml, int n, struct mesh_err *err)
{
	hwloc_topology_t topology;
	int result;

	cores->n = n;
	if (load_node(&topology, xml, err))
		return -1;
	result = take_cores(cores, topology, err);
	hwloc_topology_destroy(topology);
	return result;
}

/* --- the command ------------------------------------------------------------------------ */

struct session {
	const char *topology, *mesh_name, *hosts, *grid_text, *periodic, *traffic_path;
	const char *hostfile, *rankfile, *hwloc;
	int per_node;
	bool json;
	bool unknown; /* neither a grid nor other traffic was given */
	struct topoconf *conf;
	const struct mesh *mesh;
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

/* --- the nodes -------------------------------------------------------------------- */

/* A node that is twice in the list; -1: none, or memory is out. */
static int find_twice(const struct session *s)
{
	struct nodeset seen = {0};
	int twice = -1, n = nodeset_init(&seen, s->mesh->nnodes) ? 0 : s->nnodes;

	for (int i = 0; i < n; i++) {
		twice = nodeset_has(&seen, s->node[i]) ? s->node[i] : twice;
		nodeset_add(&seen, s->node[i]);
	}
	nodeset_release(&seen);
	return twice;
}

static int read_nodes(struct session *s)
{
	struct mesh_err err = {{0}};
	int twice;

	if (!s->hosts)
		s->hosts = getenv("SLURM_JOB_NODELIST");
	if (!s->hosts)
		return smesh_fail(SMESH_USAGE, "-w HOSTLIST is missing, and this is no job");
	if (!(s->mesh = smesh_open_mesh(&s->conf, s->topology, s->mesh_name)))
		return SMESH_USAGE;
	s->nnodes = smesh_hosts_to_nodes(s->mesh, s->hosts, &s->cores.arena, &s->node, &err);
	if (s->nnodes < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!s->nnodes)
		return smesh_fail(SMESH_USAGE, "the list of nodes is empty");
	if ((twice = find_twice(s)) >= 0)
		return smesh_fail(SMESH_USAGE, "node %s is in the list twice",
			s->mesh->node_name[twice]);
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

/* Nothing is said of a grid: are the other options right for that? */
static int check_gridless(const struct session *s)
{
	if (s->periodic)
		return smesh_fail(SMESH_USAGE, "--periodic belongs to --grid");
	if (all_ranks(s) > TRAFFIC_MAX_RANKS)
		return smesh_fail(SMESH_USAGE, "%d nodes with %d ranks each: at most %d ranks",
			s->nnodes, s->per_node, TRAFFIC_MAX_RANKS);
	return SMESH_OK;
}

static int read_traffic(struct session *s)
{
	char *const path[] = {(char *)(uintptr_t)s->traffic_path, NULL};
	struct traffic_run run;

	if (!s->per_node)
		return smesh_fail(SMESH_USAGE, "--traffic needs -p, the ranks on each node");
	if (check_gridless(s))
		return SMESH_USAGE;
	return readtraffic(&s->traffic, path, (int)all_ranks(s), &run);
}

/* Nothing is known: make traffic between all ranks. */
static int read_mix(struct session *s)
{
	struct mesh_err err = {{0}};
	struct rankmix mix = {.per_node = 1};

	if (s->input.objective == RANKMAP_PEAK)
		return smesh_fail(SMESH_USAGE, "--objective=peak needs --grid or --traffic");
	s->per_node = s->per_node ? s->per_node : 1;
	if (check_gridless(s))
		return SMESH_USAGE;
	mix.nodes = (int)all_ranks(s);
	if (rankmix_init(&s->traffic, &mix, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	return SMESH_OK;
}

/* --- the decision ----------------------------------------------------------------- */

/* Order the nodes as srun does for an unknown program. */
static int order_nodes(struct session *s, struct mesh_err *err)
{
	const struct rankmix mix = {.nodes = s->nnodes, .per_node = s->per_node};
	int *order = need_get(&s->cores.arena, s->nnodes, sizeof(*order));

	if (rankorder_mix(s->mesh, s->node, &mix, order, err))
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

	s->input.mesh = s->mesh;
	s->input.node = s->node;
	s->input.nnodes = s->nnodes;
	s->input.per_node = s->per_node;
	s->input.traffic = &s->traffic;
	need_array(&s->cores.arena, s->answer.place, s->traffic.n);
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
	if (cores_read(&s->cores, s->hwloc, in.per_node, &err))
		return smesh_fail(SMESH_USAGE, "%s%s", err.text, whose);
	if (s->rankfile && s->cores.threads)
		return smesh_fail(SMESH_USAGE, "--rankfile: %d ranks on a node of %d cores%s",
			s->per_node, s->cores.ncores, whose);
	in.cores = &s->cores.table;
	need_array(&s->cores.arena, s->fold.core, s->traffic.n);
	if (rankfold_solve(&in, &s->fold, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->folded = true;
	return SMESH_OK;
}

/* --- files ------------------------------------------------------------------------ */

static const char *host_of(const struct session *s, int rank)
{
	return s->mesh->node_name[s->node[s->answer.place[rank]]];
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

	fprintf(out, "%d rank%s on %d node%s, %d on each\n", s->traffic.n,
		s->traffic.n == 1 ? "" : "s", s->nnodes, s->nnodes == 1 ? "" : "s", s->per_node);
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
	json_t *hosts = json_array(), *cpus = json_array(), *out;

	for (int rank = 0; rank < s->traffic.n; rank++) {
		json_array_append_new(hosts, json_string(host_of(s, rank)));
		if (s->folded)
			json_array_append_new(cpus,
				json_integer(s->cores.core[s->fold.core[rank]].cpu));
	}
	out = json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:o, s:s, s:f, s:f}", "mesh",
		s->mesh->name, "ranks", s->traffic.n, "nodes", s->nnodes, "per_node",
		s->per_node, "hop_bytes", a->hop_bytes, "block_hop_bytes", a->block_hop_bytes,
		"below_block_percent", below(a->block_hop_bytes, a->hop_bytes), "hosts", hosts,
		"objective", s->input.objective == RANKMAP_PEAK ? "peak-load" : "hop-bytes",
		"peak_link_load", a->peak_load, "block_peak_link_load", a->block_peak_load);
	if (s->folded) {
		json_object_set_new(out, "distance_bytes", json_real(s->fold.distance_bytes));
		json_object_set_new(out, "in_order_distance_bytes",
			json_real(s->fold.in_order_distance_bytes));
		json_object_set(out, "cpus", cpus);
	}
	json_decref(cpus);
	if (s->unknown)
		json_object_set_new(out, "traffic", json_string("mix"));
	json_object_set_new(out, "time_ns", json_integer((json_int_t)(s->seconds * 1e9)));
	output_json(file, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* The report goes to standard error when standard output has one of the files. */
static int report(const struct session *s)
{
	const char *path[] = {s->hostfile, s->rankfile};
	FILE *out = stdout;
	int code = write_file(s, s->hostfile, put_host);

	if (code == SMESH_OK)
		code = write_file(s, s->rankfile, put_rank);
	if (code != SMESH_OK)
		return code;
	for (int i = 0; i < 2; i++)
		if (output_is_standard(path[i]))
			out = stderr;
	(s->json ? print_json : print_text)(out, s);
	return SMESH_OK;
}

static void close_session(struct session *s)
{
	arena_release(&s->cores.arena);
	traffic_release(&s->traffic);
	topoconf_free(s->conf);
}

static int run(int argc, char **argv)
{
	struct session s = {0};
	int (*read_job)(struct session *);
	int code = options_read(&cmd_ranks, argc, argv, &s);

	if (code)
		return code;
	if (s.grid_text && s.traffic_path)
		return smesh_fail(SMESH_USAGE, "--grid or --traffic, not both");
	s.unknown = !s.grid_text && !s.traffic_path;
	read_job = s.unknown ? read_mix : s.grid_text ? read_grid : read_traffic;
	(void)((code = read_nodes(&s)) || (code = read_job(&s)) || (code = solve(&s)) ||
		(code = fold(&s)) || (code = report(&s)));
	close_session(&s);
	return code;
}

const struct command cmd_ranks = {
	.name = "ranks",
	.summary = "put the ranks of a job onto its nodes, neighbours near each other",
	.usage = "[-t FILE] [--grid AxBxC | --traffic FILE] [OPTION]...",
	.example = "-t topology.conf -w 'n[0-63]' --grid 8x8 --hostfile hosts",
	.options = options,
	.run = run,
};
