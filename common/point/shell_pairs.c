/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/shell_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 600 /* larger shells are not worth a table */
#define EXACT_CELLS 70
/* Pairs of cells, in all shells together; those beyond have no table. */
#define PAIRS 2000000
/* Additions of branch and bound, for each number of nodes, and for each node of the machine. */
#define WORK 200000
#define WORK_NODE 200

struct shell {
	const struct mesh *mesh;
	int radius;
	int n, each; /* vertices, and nodes on each */
	int16_t at[CELLS][MESH_MAX_DIMS]; /* offsets, in lexicographic order */
	int by_hops[2 * CELLS]; /* nodes by their hops from one of them */
	uint16_t hops[CELLS][CELLS];
};

/* Sums of whole numbers that a float holds exactly, or a little less. */
static float rounded_down(double sum)
{
	return (float)(sum < 16777216 ? sum : sum * 0.9999999);
}

/* The first two bounds: star is the least sum from one node to t-1 others. */
static double least_total(double star, double before, int t)
{
	double stars = star * t / 2, shrunk = t > 2 ? before * t / (t - 2) : 0;

	/* Totals are whole numbers. */
	return ceil((stars > shrunk ? stars : shrunk) * (1 - 1e-12));
}

/* ---- any nodes ---- */

/* Vertices at exactly `radius` hops in an endless mesh of so many dimensions. */
static double shell_volume(int dims, int radius)
{
	double ways = 1, out = 0;

	for (int i = 1; i <= dims && i <= radius; i++) {
		/* choose i dimensions, signs, and a way to split the radius */
		double split = 1;

		ways = ways * (dims - i + 1) / i;
		for (int j = 1; j < i; j++)
			split = split * (radius - j) / j;
		out += ways * (double)(1 << i) * split;
	}
	return out;
}

/* Are there no three nodes each one hop from the others, and never two on a vertex? */
static bool has_no_triangles(const struct mesh *mesh)
{
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] == 3)
			return false;
	return mesh->nodes_per_vertex == 1;
}

/*
 * Around any one of t nodes, others fill the shells of an endless mesh at best. Where there are
 * no triangles, a quarter of t*t pairs at most are one hop apart (Mantel), others two or more.
 */
static void fill_least(struct shell_pairs *pairs, const struct mesh *mesh)
{
	int dims = 0, radius = 0;
	double room = mesh->nodes_per_vertex, star = 0, total = 0;
	bool apart = has_no_triangles(mesh);

	for (int d = 0; d < mesh->ndims; d++)
		dims += mesh->side[d] > 1;
	for (int t = 1; t <= mesh->nnodes; t++, room--) {
		while (room < 1)
			room += dims ? shell_volume(dims, ++radius) * mesh->nodes_per_vertex : 1;
		star += radius;
		total = least_total(star, total, t);
		if (apart)
			total = fmax(total, (double)t * (t - 1) - floor((double)t * t / 4));
		pairs->least[t] = rounded_down(total);
	}
}

/* ---- one shell ---- */

/* Offsets at exactly this many hops; false: too many. Rings are as they are, lines endless. */
static bool list_shell(struct shell *shell, int d, int left, int16_t *at)
{
	const struct mesh *mesh = shell->mesh;
	int side = mesh->side[d];
	int below = mesh->wrap[d] ? side / 2 : side > 1 ? left : 0;
	int above = mesh->wrap[d] ? (side - 1) / 2 : below;

	for (int offset = -below; offset <= above; offset++) {
		int rest = left - abs(offset);

		if (rest < 0)
			continue;
		at[d] = (int16_t)offset;
		if (d + 1 < mesh->ndims) {
			if (!list_shell(shell, d + 1, rest, at))
				return false;
		} else if (!rest) {
			if (shell->n == CELLS)
				return false;
			memcpy(shell->at[shell->n++], at, sizeof(shell->at[0]));
		}
	}
	return true;
}

static int offset_hops(const struct shell *shell, int i, int j)
{
	const struct mesh *mesh = shell->mesh;
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += mesh_axis_hops(mesh, d, shell->at[i][d], shell->at[j][d]);
	return sum;
}

static void fill_hops(struct shell *shell)
{
	for (int i = 0; i < shell->n; i++)
		for (int j = i; j < shell->n; j++)
			shell->hops[i][j] = shell->hops[j][i] = (uint16_t)offset_hops(shell, i, j);
}

/* star[t]: no more than the hops from cell i to the t-1 nearest nodes from cell `from` on. */
static void lower_stars(struct shell *shell, int i, int from, int ntotals, double *star)
{
	int t = 1, sum = 0, longest = 0;

	memset(shell->by_hops, 0, (size_t)(2 * shell->radius + 1) * sizeof(int));
	for (int j = from; j < shell->n; j++) {
		int hops = shell->hops[i][j];

		shell->by_hops[hops] += shell->each;
		longest = hops > longest ? hops : longest;
	}
	shell->by_hops[0]--; /* itself */
	for (int hops = 0; hops <= longest; hops++)
		for (int left = shell->by_hops[hops]; left > 0 && t + 1 < ntotals; left--) {
			sum += hops;
			t++;
			star[t] = sum < star[t] ? sum : star[t];
		}
}

/* From any node to the t-1 nearest of all, and of those that come after it. */
static void fill_stars(struct shell *shell, int ntotals, double *star, double *after)
{
	for (int t = 0; t < ntotals; t++)
		star[t] = after[t] = t < 2 ? 0 : INFINITY;
	for (int i = 0; i < shell->n; i++) {
		lower_stars(shell, i, 0, ntotals, star);
		lower_stars(shell, i, i, ntotals, after);
	}
}

/* ---- small shells: the least totals by branch and bound ---- */

struct exact {
	int n, each, work;
	int hops[EXACT_CELLS][EXACT_CELLS];
	const double *total; /* of fewer nodes */
	int wanted, best;
};

/* Nodes chosen so far: `used` of them in the cell `from`, none in those after it. */
struct chosen {
	int from, used, count;
	int total;	/* among them */
	const int *far; /* from each cell on from `from` to all of them */
};

static void extend_set(struct exact *exact, const struct chosen *c)
{
	int left = exact->wanted - c->count, next[EXACT_CELLS], least = c->far[c->from];

	if (!left) {
		exact->best = c->total < exact->best ? c->total : exact->best;
		return;
	}
	for (int i = c->from; i < exact->n; i++)
		least = c->far[i] < least ? c->far[i] : least;
	if (c->total + left * least + exact->total[left] >= exact->best || exact->work <= 0)
		return;
	exact->work -= (exact->n - c->from) * (exact->n - c->from) / 2 + 1;
	for (int i = c->from; i < exact->n; i++) {
		struct chosen more = {.from = i, .used = i == c->from ? c->used + 1 : 1,
			.count = c->count + 1, .total = c->total + c->far[i], .far = next};

		if (more.used > exact->each)
			continue;
		for (int j = i; j < exact->n; j++)
			next[j] = c->far[j] + exact->hops[i][j];
		extend_set(exact, &more);
	}
}

/* One that is not bad, to prune with: from some cells the nearest to all chosen, time and again. */
static int greedy_total(struct exact *exact)
{
	int best = INT32_MAX;

	for (int start = 0; start < exact->n; start += 1 + exact->n / 8) {
		int far[EXACT_CELLS] = {0}, used[EXACT_CELLS] = {0}, total = 0, i = start;

		for (int chosen = 1;; chosen++) {
			total += far[i];
			used[i]++;
			if (chosen == exact->wanted)
				break;
			for (int j = 0; j < exact->n; j++)
				far[j] += exact->hops[i][j];
			i = -1;
			for (int j = 0; j < exact->n; j++)
				if (used[j] < exact->each && (i < 0 || far[j] < far[i]))
					i = j;
		}
		best = total < best ? total : best;
		exact->work -= exact->wanted * exact->n;
	}
	return best;
}

/* The least total of t nodes, or -1 when that takes too long. */
static int exact_total(struct exact *exact, const double *total, int t, int *budget)
{
	int none[EXACT_CELLS] = {0}, work = *budget < WORK ? *budget : WORK;

	exact->total = total;
	exact->wanted = t;
	exact->work = work;
	exact->best = greedy_total(exact);
	extend_set(exact, &(struct chosen){.far = none});
	*budget -= work - exact->work;
	return exact->work > 0 ? exact->best : -1;
}

static void begin_exact(struct exact *exact, const struct shell *shell)
{
	exact->n = shell->n;
	exact->each = shell->each;
	for (int i = 0; i < shell->n; i++)
		for (int j = 0; j < shell->n; j++)
			exact->hops[i][j] = shell->hops[i][j];
}

/* ---- all of it ---- */

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* What each of the shell's nodes has to all of it, the most first; half of the sum. */
static double all_stars(const struct shell *shell, int *star)
{
	double sum = 0;

	for (int i = 0; i < shell->n; i++) {
		star[i] = 0;
		for (int j = 0; j < shell->n; j++)
			star[i] += shell->hops[i][j] * shell->each;
		sum += (double)star[i] * shell->each;
	}
	qsort(star, (size_t)shell->n, sizeof(int), descending);
	return sum / 2;
}

/* total[t] for t < ntotals; there is room for three times as many. */
static void fill_totals(struct shell *shell, int ntotals, double *total, struct exact *exact, int *budget)
{
	int stars[CELLS], nodes = ntotals - 1;
	double all, *star = total + ntotals, *after = star + ntotals;
	bool solve = shell->n <= EXACT_CELLS;

	fill_hops(shell);
	all = all_stars(shell, stars);
	if (solve)
		begin_exact(exact, shell);
	fill_stars(shell, ntotals, star, after);
	total[0] = total[1] = 0;
	for (int t = 2; t < ntotals; t++) {
		double bound = least_total(star[t], total[t - 1], t), without = all;
		int found = -1;

		bound = fmax(bound, total[t - 1] + after[t]);
		if (2 * t > nodes) {
			for (int i = 0; i < nodes - t; i++)
				without -= stars[i / shell->each];
			bound = fmax(bound, without + total[nodes - t]);
		} else if (solve) {
			found = exact_total(exact, total, t, budget);
			solve = found >= 0;
		}
		total[t] = found > bound ? found : bound;
	}
}

/* Numbers in all tables. */
static size_t table_room(const struct mesh *mesh)
{
	return 5 * (size_t)mesh->nnodes + 4096;
}

static bool fill_shells(struct shell_pairs *pairs, const struct mesh *mesh, int most)
{
	size_t room = table_room(mesh), used = (size_t)mesh->nnodes + 1;
	size_t totals = (size_t)CELLS * (size_t)mesh->nodes_per_vertex + 1;
	struct shell *shell = malloc(sizeof(*shell));
	struct exact *exact = malloc(sizeof(*exact));
	double *total = malloc(3 * totals * sizeof(*total));
	int work = 0, budget = WORK_NODE * (mesh->nnodes < 5000 ? mesh->nnodes : 5000);

	pairs->at = calloc((size_t)most + 2, sizeof(int));
	if (!shell || !exact || !total || !pairs->at)
		most = -1;
	else
		pairs->at[0] = (int)used;
	for (int r = 0; r <= most && r < CELLS && work < PAIRS; r++) {
		int16_t at[MESH_MAX_DIMS] = {0};

		shell->mesh = mesh;
		shell->each = mesh->nodes_per_vertex;
		shell->radius = r;
		shell->n = 0;
		if (!list_shell(shell, 0, r, at) || !shell->n || shell->n > mesh->nvertices)
			break;
		size_t n = (size_t)(shell->n * shell->each) + 1;

		if (used + n > room)
			break;
		fill_totals(shell, (int)n, total, exact, &budget);
		for (size_t t = 0; t < n; t++)
			pairs->least[used + t] = t <= (size_t)mesh->nnodes &&
				pairs->least[t] > total[t] ? pairs->least[t] : rounded_down(total[t]);
		used += n;
		work += shell->n * shell->n + CELLS;
		pairs->at[r + 1] = (int)used;
		pairs->nshells = r + 1;
	}
	free(shell);
	free(exact);
	free(total);
	return shell && exact && total && pairs->at;
}

int shell_pairs_init(struct shell_pairs *pairs, const struct mesh *mesh, int most)
{
	memset(pairs, 0, sizeof(*pairs));
	pairs->least = calloc(table_room(mesh), sizeof(float));
	if (!pairs->least)
		return -1;
	fill_least(pairs, mesh);
	return fill_shells(pairs, mesh, most) ? 0 : -1;
}

void shell_pairs_release(struct shell_pairs *pairs)
{
	free(pairs->at);
	free(pairs->least);
	memset(pairs, 0, sizeof(*pairs));
}
