/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * x[u][p] = 1 when vertex u has rank p. y[u][p][v][q], p < q, is 1 when both x are: it costs
 * w(q - p) x hops. After Adams and Johnson y need not be whole numbers: seen from any x[u][p],
 * each other rank has one vertex and each other vertex one rank. That makes the linear
 * relaxation strong, at n^4/2 variables.
 *
 * Half of the orders are those of the other half backwards, and n - 1 of n the same turned
 * round a ring: these are ruled out.
 */
#include "config.h"

#include "curve_mip.h"

#ifdef HAVE_CBC

#include <coin/Cbc_C_Interface.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct program {
	const struct curve_goal *goal;
	const int *order;
	int n;
	Cbc_Model *model;
	int *column; /* of y[u][p][v][q], by index_of() */
	int *index;  /* one row */
	double *one;
};

static int x_of(const struct program *p, int u, int rank)
{
	return u * p->n + rank;
}

/* y is the same from both ends. */
static int *y_of(const struct program *p, int u, int r, int v, int q)
{
	int a = r < q ? x_of(p, u, r) : x_of(p, v, q), b = r < q ? x_of(p, v, q) : x_of(p, u, r);

	return &p->column[(size_t)a * (size_t)(p->n * p->n) + (size_t)b];
}

static double weight_between(const struct program *p, int r, int q)
{
	int d = r < q ? q - r : r - q;

	if (p->goal->ring && 2 * d > p->n)
		d = p->n - d;
	return d <= p->goal->reach ? p->goal->weight[d] : 0;
}

static void add_columns(struct program *p)
{
	int next = p->n * p->n;

	for (int i = 0; i < next; i++)
		Cbc_addCol(p->model, "", 0, 1, 0, 1, 0, NULL, NULL);
	for (int r = 0; r < p->n; r++)
		for (int q = r + 1; q < p->n; q++)
			for (int u = 0; u < p->n; u++)
				for (int v = 0; v < p->n; v++) {
					if (u == v)
						continue;
					*y_of(p, u, r, v, q) = next++;
					Cbc_addCol(p->model, "", 0, 1, weight_between(p, r, q) *
						mesh_hops(p->goal->mesh, p->order[u], p->order[v]),
						0, 0, NULL, NULL);
				}
}

/* All of index[count] together are 1 or, with minus >= 0, what that column is. */
static void add_row(struct program *p, int count, int minus)
{
	for (int i = 0; i < count; i++)
		p->one[i] = 1;
	if (minus >= 0) {
		p->index[count] = minus;
		p->one[count++] = -1;
	}
	Cbc_addRow(p->model, "", count, p->index, p->one, 'E', minus >= 0 ? 0 : 1);
}

static void add_assignment(struct program *p)
{
	for (int a = 0; a < p->n; a++) {
		for (int b = 0; b < p->n; b++)
			p->index[b] = x_of(p, a, b);
		add_row(p, p->n, -1);
		for (int b = 0; b < p->n; b++)
			p->index[b] = x_of(p, b, a);
		add_row(p, p->n, -1);
	}
}

static void add_links(struct program *p)
{
	for (int u = 0; u < p->n; u++)
		for (int r = 0; r < p->n; r++) {
			for (int q = 0, k = 0; q < p->n; q++, k = 0) {
				for (int v = 0; v < p->n; v++)
					if (v != u)
						p->index[k++] = q == r ? 0 : *y_of(p, u, r, v, q);
				if (q != r)
					add_row(p, k, x_of(p, u, r));
			}
			for (int v = 0, k = 0; v < p->n; v++, k = 0) {
				for (int q = 0; q < p->n; q++)
					if (q != r)
						p->index[k++] = u == v ? 0 : *y_of(p, u, r, v, q);
				if (v != u)
					add_row(p, k, x_of(p, u, r));
			}
		}
}

/* Vertex 0 comes first in a ring, and in the first half of a line. */
static void break_symmetry(struct program *p)
{
	for (int rank = p->goal->ring ? 1 : (p->n + 1) / 2; rank < p->n; rank++)
		Cbc_setColUpper(p->model, x_of(p, 0, rank), 0);
}

/* The solver greets on standard output whatever it is told: output is for results. */
static void solve_quietly(Cbc_Model *model)
{
	int out, nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fflush(stdout);
	out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (nowhere >= 0 && out >= 0)
		dup2(nowhere, STDOUT_FILENO);
	Cbc_solve(model);
	fflush(stdout);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		close(out);
	}
	if (nowhere >= 0)
		close(nowhere);
}

static void read_solution(const struct program *p, int *order)
{
	const double *x = Cbc_getColSolution(p->model);
	int found[CURVE_MIP_VERTICES];

	for (int u = 0; u < p->n; u++)
		for (int rank = 0; rank < p->n; rank++)
			if (x[x_of(p, u, rank)] > 0.5)
				found[rank] = order[u];
	for (int rank = 0; rank < p->n; rank++)
		order[rank] = found[rank];
}

static void solve(struct program *p, double seconds, struct curve_proof *proof)
{
	double have = curve_cost(p->goal, proof->order, p->n), better = have - 1e-6, low;
	char text[32];

	Cbc_setParameter(p->model, "log", "0");
	/* What is done before the search knows no time limit, and helps little here. */
	Cbc_setParameter(p->model, "preprocess", "off");
	Cbc_setParameter(p->model, "cuts", "off");
	Cbc_setParameter(p->model, "timeMode", "elapsed");
	snprintf(text, sizeof(text), "%.1f", seconds);
	Cbc_setMaximumSeconds(p->model, seconds);
	snprintf(text, sizeof(text), "%.9f", better);
	Cbc_setParameter(p->model, "cutoff", text);
	solve_quietly(p->model);
	low = Cbc_getBestPossibleObjValue(p->model);
	if (Cbc_getColSolution(p->model) && Cbc_getObjValue(p->model) < better &&
		(Cbc_isProvenOptimal(p->model) || Cbc_numberSavedSolutions(p->model) > 0)) {
		read_solution(p, proof->order);
		have = curve_cost(p->goal, proof->order, p->n);
	}
	/* Nothing under the cutoff is a proof, too. */
	proof->proved = Cbc_isProvenOptimal(p->model) || Cbc_isProvenInfeasible(p->model);
	if (proof->proved)
		proof->bound = have;
	else if (low > proof->bound && low <= have)
		proof->bound = low;
}

bool curve_mip_present(void)
{
	return true;
}

int curve_mip(const struct curve_goal *goal, double seconds, struct curve_proof *proof)
{
	struct program p = {.goal = goal, .order = proof->order, .n = proof->n,
		.model = Cbc_newModel()};
	size_t square = (size_t)(p.n * p.n);

	proof->proved = false;
	p.column = calloc(square * square, sizeof(int));
	p.index = malloc((square + 1) * sizeof(int));
	p.one = malloc((square + 1) * sizeof(double));
	if (p.model && p.column && p.index && p.one) {
		add_columns(&p);
		add_assignment(&p);
		add_links(&p);
		break_symmetry(&p);
		solve(&p, seconds, proof);
	}
	free(p.column);
	free(p.index);
	free(p.one);
	if (p.model)
		Cbc_deleteModel(p.model);
	return p.model && p.column && p.index && p.one ? 0 : -1;
}

#else

bool curve_mip_present(void)
{
	return false;
}

int curve_mip(const struct curve_goal *goal, double seconds, struct curve_proof *proof)
{
	(void)goal;
	(void)seconds;
	proof->proved = false;
	return 0;
}

#endif
