/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh ranks: which rank of a job runs on which node and core. Writes a host file for srun
 * --distribution=arbitrary (SLURM_HOSTFILE) and a rank file of Open MPI.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sort.h"
#include "cmd/cores.h"
#include "ranks/rankfold.h"
#include "ranks/rankmap.h"
#include "ranks/trafficfile.h"
#include "cli/output.h"
#include "cmd/ranks_choose.h"
#include "cmd/commands.h"

struct session {
	const char *topology, *mesh_name, *hosts, *grid_text, *periodic, *weights, *traffic_path;
	const char *method, *hostfile, *rankfile, *cpufile, *hwloc, *free_hosts, *busy_hosts;
	int per_node, wanted; /* wanted: nodes to be chosen; 0: they are given */
	bool json;
	struct topoconf *conf;
	const struct mesh *mesh;
	int *node, nnodes;
	struct traffic_grid grid;
	struct traffic traffic;
	struct rankmap_input input;
	struct ranks_choose choose;
	struct rankmap_answer answer;
	struct cores cores;
	struct rankfold_answer fold;
	bool folded; /* cores and fold are there */
	double seconds;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{'w', "nodelist", "HOSTLIST", "the job's nodes (default: SLURM_JOB_NODELIST)", OPTION_TEXT,
		AT(hosts)},
	{'n', "nodes", "K",
		"no nodes yet: K of the free ones, chosen by several strategies; the best is "
		"taken",
		OPTION_INT, AT(wanted), 1, INT32_MAX},
	{'s', "strategy", "A,B,...", "with -n: who chooses (linear,snug)", OPTION_TEXT,
		AT(choose.strategies)},
	{0, "free", "HOSTLIST", "with -n: these nodes are free, the others are busy", OPTION_TEXT,
		AT(free_hosts)},
	{0, "busy", "HOSTLIST", "with -n: these nodes are busy, the others are free", OPTION_TEXT,
		AT(busy_hosts)},
	{'p', "per-node", "P", "ranks on each node (default: as many as the grid needs)",
		OPTION_INT, AT(per_node), 1, 1 << 16},
	{0, "grid", "AxBxC[:POINTS]",
		"the application's process grid; 8x8x8:27: with diagonal neighbours", OPTION_TEXT,
		AT(grid_text)},
	{0, "periodic", "YES,NO,...", "which sides of the grid wrap: yes or no each, or all",
		OPTION_TEXT, AT(periodic)},
	{0, "weights", "W,W,...", "bytes exchanged along each side (default 1 each)", OPTION_TEXT,
		AT(weights)},
	{0, "column-major", NULL, "the first side counts fastest; MPI_Cart_create: the last",
		OPTION_FLAG, AT(grid.first_fastest)},
	{0, "traffic", "FILE",
		"other traffic than a grid: lines RANK RANK BYTES, or as measured by Open MPI",
		OPTION_TEXT, AT(traffic_path)},
	{0, "method", "NAME",
		"only block, fold, dual or search (default: the best)",
		OPTION_TEXT, AT(method)},
	{0, "objective", "hops|peak",
		"what is minimised: hops a byte, or the peak load of a link (hops)", OPTION_CHOICE,
		AT(input.objective), RANKMAP_HOPS},
	{0, "hostfile", "FILE", "write the nodes, a line a rank, for SLURM_HOSTFILE; - = output",
		OPTION_TEXT, AT(hostfile)},
	{0, "rankfile", "FILE", "write a rank file of Open MPI; - = output", OPTION_TEXT,
		AT(rankfile)},
	{0, "cpufile", "FILE", "write the CPU number of each rank, a line a rank; - = output",
		OPTION_TEXT, AT(cpufile)},
	{0, "hwloc", "FILE", "hwloc XML (lstopo) of a compute node that is not like this one",
		OPTION_TEXT, AT(hwloc)},
	{0, "seed", "N", "for the local search", OPTION_SEED, AT(input.seed)},
	OPTION_JSON,
	{0},
};

/* --- the nodes -------------------------------------------------------------------- */

/* The number of a node that is in the list twice, or -1. */
static int find_twice(const int *node, int count)
{
	int *sorted = malloc(((size_t)count + 1) * sizeof(*sorted)), twice = -1;

	if (!sorted)
		return -1;
	memcpy(sorted, node, (size_t)count * sizeof(*sorted));
	sort_ints(sorted, count);
	for (int i = 1; i < count; i++)
		if (sorted[i] == sorted[i - 1])
			twice = sorted[i];
	free(sorted);
	return twice;
}

/* -n: there are none yet. */
static int open_choice(struct session *s)
{
	if (s->hosts)
		return smesh_fail(SMESH_USAGE, "-n and -w exclude each other");
	if (!(s->mesh = smesh_open_mesh(&s->conf, s->topology, s->mesh_name)))
		return SMESH_USAGE;
	if (s->wanted > s->mesh->nnodes)
		return smesh_fail(SMESH_NEVER, "-n %d: mesh %s has %d nodes", s->wanted,
			s->mesh->name, s->mesh->nnodes);
	s->nnodes = s->wanted;
	s->node = malloc((size_t)s->nnodes * sizeof(int));
	return s->node ? SMESH_OK : smesh_fail(SMESH_FAILED, "out of memory");
}

static int read_nodes(struct session *s)
{
	struct mesh_err err = {{0}};
	int twice;

	if (s->wanted)
		return open_choice(s);
	if (s->free_hosts || s->busy_hosts || s->choose.strategies)
		return smesh_fail(SMESH_USAGE, "--free, --busy and -s belong to -n");
	if (!s->hosts)
		s->hosts = getenv("SLURM_JOB_NODELIST");
	if (!s->hosts)
		return smesh_fail(SMESH_USAGE, "-w HOSTLIST is missing, and this is no job");
	if (!(s->mesh = smesh_open_mesh(&s->conf, s->topology, s->mesh_name)))
		return SMESH_USAGE;
	s->nnodes = smesh_hosts_to_nodes(s->mesh, s->hosts, &s->node, &err);
	if (s->nnodes < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!s->nnodes)
		return smesh_fail(SMESH_USAGE, "the list of nodes is empty");
	if ((twice = find_twice(s->node, s->nnodes)) >= 0)
		return smesh_fail(SMESH_USAGE, "node %s is in the list twice",
			s->mesh->node_name[twice]);
	return SMESH_OK;
}

/* --- the traffic ------------------------------------------------------------------ */

/* One word per side, told apart by `take`; -1 when they are not that many or not good. */
static int per_side(const struct traffic_grid *grid, const char *text,
	int (*take)(struct traffic_grid *, int, const char *), struct traffic_grid *out)
{
	char *copy = strdup(text), *save = NULL;
	int count = 0;

	for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && count >= 0;
		word = strtok_r(NULL, ",", &save))
		count = count < grid->ndims && !take(out, count, word) ? count + 1 : -1;
	free(copy);
	return count == grid->ndims ? 0 : -1;
}

static int take_periodic(struct traffic_grid *grid, int d, const char *word)
{
	grid->wrap[d] = !strcmp(word, "yes");
	return grid->wrap[d] || !strcmp(word, "no") ? 0 : -1;
}

static int take_weight(struct traffic_grid *grid, int d, const char *word)
{
	return options_double(word, 0, 1e15, &grid->weight[d]);
}

static int read_grid(struct session *s)
{
	struct mesh_err err = {{0}};
	int ranks = traffic_grid_parse(&s->grid, s->grid_text, &err);

	if (ranks < 0)
		return smesh_fail(SMESH_USAGE, "--grid=%s: %s", s->grid_text, err.text);
	if (s->periodic && !strcmp(s->periodic, "all"))
		for (int d = 0; d < s->grid.ndims; d++)
			s->grid.wrap[d] = true;
	else if (s->periodic && per_side(&s->grid, s->periodic, take_periodic, &s->grid))
		return smesh_fail(SMESH_USAGE, "--periodic=%s: expected all, or yes or no for"
			" each of %d sides", s->periodic, s->grid.ndims);
	if (s->weights && per_side(&s->grid, s->weights, take_weight, &s->grid))
		return smesh_fail(SMESH_USAGE, "--weights=%s: expected a number for each of %d"
			" sides", s->weights, s->grid.ndims);
	ranks = traffic_grid_size(&s->grid, NULL);
	if (!s->per_node && ranks % s->nnodes)
		return smesh_fail(SMESH_USAGE, "--grid=%s: %d ranks cannot be spread evenly over"
			" %d nodes", s->grid_text, ranks, s->nnodes);
	if (!s->per_node)
		s->per_node = ranks / s->nnodes;
	if (ranks != s->nnodes * s->per_node)
		return smesh_fail(SMESH_USAGE, "--grid=%s: the grid has %d ranks, %d nodes with"
			" %d each make %d", s->grid_text, ranks, s->nnodes, s->per_node,
			s->nnodes * s->per_node);
	if (traffic_init_grid(&s->traffic, &s->grid, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	s->input.grid = &s->grid;
	return SMESH_OK;
}

static int read_traffic(struct session *s)
{
	struct mesh_err err = {{0}};

	if (!s->per_node)
		return smesh_fail(SMESH_USAGE, "--traffic needs -p, the ranks on each node");
	if (s->periodic || s->weights || s->grid.first_fastest)
		return smesh_fail(SMESH_USAGE,
			"--periodic, --weights and --column-major belong to --grid");
	if (s->nnodes * s->per_node > TRAFFIC_MAX_RANKS)
		return smesh_fail(SMESH_USAGE, "%d nodes with %d ranks each: at most %d ranks",
			s->nnodes, s->per_node, TRAFFIC_MAX_RANKS);
	if (trafficfile_read(&s->traffic, s->traffic_path, s->nnodes * s->per_node, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	return SMESH_OK;
}

/* --- the decision ----------------------------------------------------------------- */

static int choose_methods(struct session *s)
{
	bool known = !s->method;

	for (int m = 0; m < RANKMAP_METHODS; m++) {
		s->input.wanted[m] = !s->method ||
			!strcmp(s->method, rankmap_method_name((enum rankmap_method)m));
		known = known || s->input.wanted[m];
	}
	return known ? SMESH_OK : smesh_fail(SMESH_USAGE,
		"--method=%s: expected block, fold, dual or search", s->method);
}

static int choose_nodes(struct session *s)
{
	struct nodeset idle = {0};
	int code = nodeset_init(&idle, s->mesh->nnodes)
		? smesh_fail(SMESH_FAILED, "out of memory")
		: smesh_free_nodes(s->mesh, s->free_hosts, s->busy_hosts, &idle);

	if (code == SMESH_OK && nodeset_count(&idle) < s->nnodes)
		code = smesh_fail(SMESH_NO_FIT, "%d nodes wanted, %d are free", s->nnodes,
			nodeset_count(&idle));
	if (code == SMESH_OK)
		code = ranks_choose(&s->choose, &s->input, &idle, s->node, &s->answer);
	nodeset_release(&idle);
	return code;
}

static int place_ranks(struct session *s)
{
	struct mesh_err err = {{0}};

	if (s->wanted)
		return choose_nodes(s);
	return rankmap_solve(&s->input, &s->answer, &err) ? smesh_fail(SMESH_FAILED, "%s", err.text)
							  : SMESH_OK;
}

static int solve(struct session *s)
{
	struct timespec from, to;
	int code;

	s->input.mesh = s->mesh;
	s->input.node = s->node;
	s->input.nnodes = s->nnodes;
	s->input.per_node = s->per_node;
	s->input.traffic = &s->traffic;
	s->answer.place = malloc((size_t)s->traffic.n * sizeof(int));
	if (!s->answer.place)
		return smesh_fail(SMESH_FAILED, "out of memory");
	clock_gettime(CLOCK_MONOTONIC, &from);
	code = place_ranks(s);
	clock_gettime(CLOCK_MONOTONIC, &to);
	s->seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
	return code;
}

/* Inside the nodes: needed for a rank file, a CPU file or when --hwloc says what they are. */
static int fold(struct session *s)
{
	struct mesh_err err = {{0}};
	struct rankfold_input in = {.traffic = &s->traffic, .grid = s->input.grid,
		.place = s->answer.place, .nnodes = s->nnodes, .per_node = s->per_node,
		.seed = s->input.seed};

	if (!s->rankfile && !s->cpufile && !s->hwloc)
		return SMESH_OK;
	if (cores_read(&s->cores, s->hwloc, in.per_node, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (s->rankfile && s->cores.threads)
		return smesh_fail(SMESH_USAGE, "--rankfile: %d ranks on a node of %d cores",
			s->per_node, s->cores.ncores);
	in.cores = &s->cores.table;
	s->fold.core = malloc((size_t)s->traffic.n * sizeof(int));
	if (!s->fold.core)
		return smesh_fail(SMESH_FAILED, "out of memory");
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

static void put_cpu(FILE *file, const struct session *s, int rank)
{
	fprintf(file, "%d\n", s->cores.core[s->fold.core[rank]].cpu);
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

/* In percent of block order's. */
static double below(double block, double reached)
{
	return block > 0 ? 100 * (block - reached) / block : 0;
}

static const char *objective_name(const struct session *s)
{
	return s->input.objective == RANKMAP_PEAK ? "peak-load" : "hop-bytes";
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

static void print_choices(FILE *out, const struct session *s)
{
	const struct ranks_choose *c = &s->choose;
	char *hosts = smesh_nodes_to_hosts(s->mesh, s->node, s->nnodes);

	fprintf(out, "%-12s %-12s %14s %17s\n", "nodes by", "ranks by", "hop-bytes",
		"most loaded link");
	for (int i = 0; i < c->nrows; i++)
		fprintf(out, "%-12s %-12s %14.12g %17.12g%s\n", c->row[i].nodes, c->row[i].ranks,
			c->row[i].hop_bytes, c->row[i].peak_load, i == c->best ? "  chosen" : "");
	fprintf(out, "nodes: %s\n", hosts ? hosts : "");
	free(hosts);
}

static void print_methods(FILE *out, const struct session *s)
{
	const struct rankmap_answer *a = &s->answer;
	double block = a->reached[RANKMAP_BLOCK];

	fprintf(out, "%-10s %14s %12s\n", "method", objective_name(s), "below block");
	for (int m = 0; m < RANKMAP_METHODS; m++)
		if (a->reached[m] >= 0)
			fprintf(out, "%-10s %14.12g %10.1f %%%s\n",
				rankmap_method_name((enum rankmap_method)m), a->reached[m],
				below(block, a->reached[m]),
				m == (int)a->method ? "  chosen" : "");
}

static void print_text(FILE *out, const struct session *s)
{
	const struct rankmap_answer *a = &s->answer;

	fprintf(out, "%d ranks on %d nodes, %d on each\n", s->traffic.n, s->nnodes, s->per_node);
	(s->wanted ? print_choices : print_methods)(out, s);
	fprintf(out,
		"hop-bytes: %.12g, block order %.12g\nmost loaded link: %.12g, block order %.12g\n",
		a->hop_bytes, a->block_hop_bytes, a->peak_load, a->block_peak_load);
	fprintf(out, "bytes between nodes: %.12g, block order %.12g; %.3f s\n", a->off_node,
		a->block_off_node, s->seconds);
	if (!s->folded)
		return;
	fprintf(out, "inside nodes: distance-bytes %.12g, in order %.12g\n",
		s->fold.distance_bytes, s->fold.in_order_distance_bytes);
	if (s->fold.alike)
		print_map_cpu(out, s);
	else
		fprintf(out,
			"the binding differs from node to node: use --rankfile or --cpufile\n");
}

static json_t *choices(const struct session *s)
{
	json_t *list = json_array();

	for (int i = 0; i < s->choose.nrows; i++) {
		const struct ranks_choice *row = &s->choose.row[i];

		json_array_append_new(list,
			json_pack("{s:s, s:s, s:f, s:f}", "nodes_by", row->nodes, "ranks_by",
				row->ranks, "hop_bytes", row->hop_bytes, "peak_link_load",
				row->peak_load));
	}
	return list;
}

static void print_json(FILE *file, const struct session *s)
{
	const struct rankmap_answer *a = &s->answer;
	json_t *methods = json_object(), *hosts = json_array(), *out;

	for (int m = 0; m < RANKMAP_METHODS; m++)
		if (a->reached[m] >= 0)
			json_object_set_new(methods, rankmap_method_name((enum rankmap_method)m),
				json_real(a->reached[m]));
	for (int rank = 0; rank < s->traffic.n; rank++)
		json_array_append_new(hosts, json_string(host_of(s, rank)));
	out = json_pack("{s:s, s:i, s:i, s:i, s:s, s:f, s:f, s:f, s:f, s:f, s:o, s:o}", "mesh",
		s->mesh->name, "ranks", s->traffic.n, "nodes", s->nnodes, "per_node",
		s->per_node, "method", rankmap_method_name(a->method), "hop_bytes",
		a->hop_bytes, "block_hop_bytes", a->block_hop_bytes, "below_block_percent",
		below(a->block_hop_bytes, a->hop_bytes), "off_node_bytes", a->off_node,
		"block_off_node_bytes", a->block_off_node, "methods", methods, "hosts", hosts);
	if (s->wanted) {
		json_object_set_new(out, "choices", choices(s));
		json_object_set_new(out, "chosen", json_integer(s->choose.best));
	}
	json_object_set_new(out, "objective", json_string(objective_name(s)));
	json_object_set_new(out, "peak_link_load", json_real(a->peak_load));
	json_object_set_new(out, "block_peak_link_load", json_real(a->block_peak_load));
	if (s->folded) {
		json_t *cpus = json_array();

		for (int rank = 0; rank < s->traffic.n; rank++)
			json_array_append_new(cpus,
				json_integer(s->cores.core[s->fold.core[rank]].cpu));
		json_object_set_new(out, "distance_bytes", json_real(s->fold.distance_bytes));
		json_object_set_new(out, "in_order_distance_bytes",
			json_real(s->fold.in_order_distance_bytes));
		json_object_set_new(out, "cpus", cpus);
	}
	json_object_set_new(out, "time_ns", json_integer((json_int_t)(s->seconds * 1e9)));
	output_json(file, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* The report goes to standard error when standard output has one of the files. */
static int report(const struct session *s)
{
	const char *path[] = {s->hostfile, s->rankfile, s->cpufile};
	FILE *out = stdout;
	int code = write_file(s, s->hostfile, put_host);

	if (code == SMESH_OK)
		code = write_file(s, s->rankfile, put_rank);
	if (code == SMESH_OK)
		code = write_file(s, s->cpufile, put_cpu);
	if (code != SMESH_OK)
		return code;
	for (int i = 0; i < 3; i++)
		if (output_is_standard(path[i]))
			out = stderr;
	(s->json ? print_json : print_text)(out, s);
	return SMESH_OK;
}

static void close_session(struct session *s)
{
	free(s->node);
	free(s->answer.place);
	free(s->fold.core);
	cores_release(&s->cores);
	traffic_release(&s->traffic);
	topoconf_free(s->conf);
}

static int run(int argc, char **argv)
{
	struct session s = {0};
	int code = options_read(&cmd_ranks, argc, argv, &s);

	if (code)
		return code;
	if (!s.grid_text == !s.traffic_path)
		return smesh_fail(SMESH_USAGE, "one of --grid and --traffic is needed");
	if ((code = choose_methods(&s)))
		return code;
	code = read_nodes(&s);
	if (code == SMESH_OK)
		code = s.grid_text ? read_grid(&s) : read_traffic(&s);
	if (code == SMESH_OK)
		code = solve(&s);
	if (code == SMESH_OK)
		code = fold(&s);
	if (code == SMESH_OK)
		code = report(&s);
	close_session(&s);
	return code;
}

const struct command cmd_ranks = {
	.name = "ranks",
	.summary = "put the ranks of a job onto its nodes and cores, neighbours close together",
	.usage = "[-t FILE] (--grid AxBxC | --traffic FILE) [OPTION]...",
	.options = options,
	.run = run,
};
