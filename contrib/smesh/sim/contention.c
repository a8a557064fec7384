/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job's own load is a short list of links; adding, removing and weighing a job cost
 * O(links it uses), building the list O(messages * hops).
 */
#include "contention.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

struct contention_job {
	int *link;    /* [n] */
	double *load; /* [n] its own */
	int n;
	double messages;  /* sum of weights */
	double reference; /* C0; 0: the job does not communicate */
};

struct contention {
	const struct mesh *mesh;
	enum contention_pattern pattern;
	double share;
	uint64_t seed;
	int nlinks;	   /* (vertex * ndims + dimension) * 2 + upwards */
	double *load;	   /* [nlinks] of all jobs */
	int *users;	   /* [nlinks] jobs that use it */
	int shared;
	double *own;	   /* [nlinks] scratch, 0 between calls */
	int *touched;	   /* [nlinks] scratch */
	int ntouched;
	double *reference; /* [nnodes + 1] C0 by size; -1: not known yet */
	int *box;	   /* [nnodes] scratch: vertices of the reference box */
	int *vertex;	   /* [nnodes] scratch: of the job's ranks */
};

const char *contention_name(int pattern)
{
	static const char *const name[] = {"none", "all-to-all", "ring", "neighbour", "random"};

	return pattern < (int)(sizeof(name) / sizeof(name[0])) ? name[pattern] : NULL;
}

void contention_free(struct contention *net)
{
	if (!net)
		return;
	free(net->load);
	free(net->users);
	free(net->own);
	free(net->touched);
	free(net->reference);
	free(net->box);
	free(net->vertex);
	free(net);
}

struct contention *contention_new(const struct mesh *mesh, enum contention_pattern pattern,
	double share, uint64_t seed)
{
	struct contention *net = calloc(1, sizeof(*net));
	size_t links = (size_t)mesh->nvertices * (size_t)mesh->ndims * 2;

	if (!net)
		return NULL;
	*net = (struct contention){.mesh = mesh, .pattern = pattern, .share = share, .seed = seed,
		.nlinks = (int)links};
	net->load = calloc(links, sizeof(*net->load));
	net->own = calloc(links, sizeof(*net->own));
	net->users = calloc(links, sizeof(*net->users));
	net->touched = malloc(links * sizeof(*net->touched));
	net->reference = malloc(((size_t)mesh->nnodes + 1) * sizeof(*net->reference));
	net->box = malloc((size_t)mesh->nnodes * sizeof(int));
	net->vertex = malloc((size_t)mesh->nnodes * sizeof(int));
	if (!net->load || !net->own || !net->users || !net->touched || !net->reference || !net->box ||
		!net->vertex) {
		contention_free(net);
		return NULL;
	}
	for (int k = 0; k <= mesh->nnodes; k++)
		net->reference[k] = -1;
	return net;
}

/* --- routing ------------------------------------------------------------------------ */

static void cross(struct contention *net, int link, double weight)
{
	if (net->own[link] <= 0)
		net->touched[net->ntouched++] = link;
	net->own[link] += weight;
}

/* One message, dimension after dimension. */
static void route(struct contention *net, int from, int to, double weight)
{
	const struct mesh *mesh = net->mesh;
	int v = from;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], c = mesh->coord[from][d], end = mesh->coord[to][d];
		int ahead = end >= c ? end - c : end - c + side; /* hops upwards, around */
		bool up = mesh->wrap[d] ? 2 * ahead <= side : end > c;

		while (c != end) {
			int next = up ? c + 1 : c - 1;

			cross(net, (v * mesh->ndims + d) * 2 + up, weight);
			next = next == side ? 0 : next < 0 ? side - 1 : next;
			v += (next - c) * mesh->stride[d];
			c = next;
		}
	}
}

/* --- patterns ------------------------------------------------------------------------ */

static void send_all(struct contention *net, const int *vertex, int count, int rank,
	uint64_t *random)
{
	int peers = count - 1 < CONTENTION_PEERS ? count - 1 : CONTENTION_PEERS;

	for (int i = 1; i <= peers; i++) {
		int step = peers == count - 1 ? i : (int)sim_random_int(random, 1, count - 1);

		route(net, vertex[rank], vertex[(rank + step) % count], 1.0 / peers);
	}
}

/* Sides of a grid for count ranks, as equal as its factors allow; the largest first. */
static void grid_sides(int count, int ndims, int *side)
{
	for (int d = 0; d < ndims; d++)
		side[d] = 1;
	for (int factor = 2; count > 1; factor++)
		while (count % factor == 0 || (factor > count / factor && count > 1)) {
			int least = 0, by = count % factor ? count : factor;

			for (int d = 1; d < ndims; d++)
				if (side[d] < side[least])
					least = d;
			side[least] *= by;
			count /= by;
		}
}

static void send_neighbours(struct contention *net, const int *vertex, int count, int rank,
	const int *side)
{
	int to[2 * MESH_MAX_DIMS], n = 0, stride = 1, left = rank;

	(void)count;
	for (int d = 0; d < net->mesh->ndims; stride *= side[d], d++) {
		int c = left % side[d];

		left /= side[d];
		if (c > 0)
			to[n++] = rank - stride;
		if (c < side[d] - 1)
			to[n++] = rank + stride;
	}
	for (int i = 0; i < n; i++)
		route(net, vertex[rank], vertex[to[i]], 1.0 / n);
}

/* All messages of a job into net->own and net->touched. */
static void send_job(struct contention *net, const int *vertex, int count)
{
	uint64_t random;
	int side[MESH_MAX_DIMS];

	net->ntouched = 0;
	/* The pattern depends on the size alone, so that reference and job are alike. */
	random = sim_random_init(net->seed, (uint64_t)count);
	grid_sides(count, net->mesh->ndims, side);
	for (int rank = 0; rank < count && count > 1; rank++) {
		int other = (rank + 1) % count;

		if (net->pattern == CONTENTION_ALL_TO_ALL)
			send_all(net, vertex, count, rank, &random);
		else if (net->pattern == CONTENTION_NEIGHBOUR)
			send_neighbours(net, vertex, count, rank, side);
		else if (net->pattern == CONTENTION_RING)
			route(net, vertex[rank], vertex[other], 1);
		else
			route(net, vertex[rank],
				vertex[(rank + sim_random_int(&random, 1, count - 1)) % count], 1);
	}
}

static void clear_own(struct contention *net)
{
	for (int i = 0; i < net->ntouched; i++)
		net->own[net->touched[i]] = 0;
	net->ntouched = 0;
}

/* --- the reference ------------------------------------------------------------------- */

/* Vertices of a box as cubic as the machine allows, row by row; holes are built over. */
static void reference_box(const struct contention *net, int vertices, int *out)
{
	const struct mesh *mesh = net->mesh;
	int side[MESH_MAX_DIMS], volume = 1;

	for (int d = 0; d < mesh->ndims; d++)
		side[d] = 1;
	while (volume < vertices) {
		int grow = -1;

		for (int d = 0; d < mesh->ndims; d++)
			if (side[d] < mesh->side[d] && (grow < 0 || side[d] < side[grow]))
				grow = d;
		volume = volume / side[grow] * (side[grow] + 1);
		side[grow]++;
	}
	for (int i = 0; i < vertices; i++) {
		int v = 0;

		for (int d = 0, left = i; d < mesh->ndims; left /= side[d], d++)
			v += left % side[d] * mesh->stride[d];
		out[i] = v;
	}
}

static double cost_alone(const struct contention *net, int count)
{
	double cost = 0;

	for (int i = 0; i < net->ntouched; i++)
		cost += net->own[net->touched[i]] * net->own[net->touched[i]];
	return cost / count;
}

static double reference_cost(struct contention *net, int count)
{
	int per_vertex = net->mesh->nodes_per_vertex;

	if (net->reference[count] >= 0)
		return net->reference[count];
	reference_box(net, (count - 1) / per_vertex + 1, net->box);
	for (int i = 0; i < count; i++)
		net->vertex[i] = net->box[i / per_vertex];
	send_job(net, net->vertex, count);
	net->reference[count] = cost_alone(net, count);
	clear_own(net);
	return net->reference[count];
}

/* --- jobs ----------------------------------------------------------------------------- */

static void enter(struct contention *net, const struct contention_job *job)
{
	for (int i = 0; i < job->n; i++) {
		net->load[job->link[i]] += job->load[i];
		net->shared += ++net->users[job->link[i]] == 2;
	}
}

void contention_remove(struct contention *net, struct contention_job *job)
{
	for (int i = 0; job && i < job->n; i++) {
		int link = job->link[i];

		net->load[link] -= job->load[i];
		net->shared -= net->users[link]-- == 2;
		if (!net->users[link])
			net->load[link] = 0; /* no rest of rounding */
	}
	if (job) {
		free(job->link);
		free(job->load);
	}
	free(job);
}

struct contention_job *contention_add(struct contention *net, const int *node, int count)
{
	struct contention_job *job = calloc(1, sizeof(*job));
	double reference = reference_cost(net, count);

	for (int i = 0; i < count; i++)
		net->vertex[i] = net->mesh->vertex_of[node[i]];
	send_job(net, net->vertex, count);
	if (job) {
		job->link = malloc(((size_t)net->ntouched + 1) * sizeof(int));
		job->load = malloc(((size_t)net->ntouched + 1) * sizeof(double));
	}
	if (job && job->link && job->load) {
		job->messages = count;
		job->reference = reference;
		for (int i = 0; i < net->ntouched; i++) {
			job->link[job->n] = net->touched[i];
			job->load[job->n++] = net->own[net->touched[i]];
		}
		enter(net, job);
	} else {
		if (job) {
			free(job->link);
			free(job->load);
		}
		free(job);
		job = NULL;
	}
	clear_own(net);
	return job;
}

double contention_slowdown(const struct contention *net, const struct contention_job *job)
{
	double cost = 0, reference = job->reference > 0 ? job->reference : 1;

	for (int i = 0; i < job->n; i++)
		cost += job->load[i] * net->load[job->link[i]];
	cost /= job->messages * reference;
	return cost > 1 ? 1 + net->share * (cost - 1) : 1;
}

double contention_peak(const struct contention *net, const struct contention_job *job)
{
	double peak = 0;

	for (int i = 0; i < job->n; i++)
		peak = net->load[job->link[i]] > peak ? net->load[job->link[i]] : peak;
	return peak;
}

double contention_traffic(const struct contention_job *job)
{
	double sum = 0;

	for (int i = 0; i < job->n; i++)
		sum += job->load[i];
	return sum;
}

int contention_shared(const struct contention *net)
{
	return net->shared;
}
