/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "filling.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

struct filling {
	double capacity;
	int *touched, ntouched; /* [nlinks] links in use */
	int *users, *end;  /* [nlinks] flows not yet fixed; behind its flows in through[] */
	double *left;	   /* [nlinks] capacity that nobody has yet */
	double *wanted;	   /* [nlinks] weights of the flows not yet fixed */
	struct heap heap;  /* links, least share first */
	int *through;	   /* flows by link */
	char *fixed;	   /* of each flow */
	size_t room, flows; /* in these two */
};

struct filling *filling_new(int nlinks, double capacity)
{
	struct filling *f = calloc(1, sizeof(*f));
	size_t links = (size_t)nlinks + 1;

	if (!f)
		return NULL;
	f->capacity = capacity;
	f->touched = malloc(links * sizeof(int));
	f->users = calloc(links, sizeof(int));
	f->end = malloc(links * sizeof(int));
	f->left = malloc(links * sizeof(double));
	f->wanted = calloc(links, sizeof(double));
	f->heap.item = malloc(links * sizeof(*f->heap.item));
	if (!f->touched || !f->users || !f->end || !f->left || !f->wanted || !f->heap.item) {
		filling_free(f);
		return NULL;
	}
	return f;
}

void filling_free(struct filling *f)
{
	if (!f)
		return;
	free(f->touched);
	free(f->users);
	free(f->end);
	free(f->left);
	free(f->wanted);
	free(f->heap.item);
	free(f->through);
	free(f->fixed);
	free(f);
}

static double weight_of(const struct filling_flow *flow, int i)
{
	return flow->weight ? flow->weight[i] : 1;
}

static int make_room(struct filling *f, struct filling_flow *const *flow, int n)
{
	size_t all = 1;

	for (int i = 0; i < n; i++)
		all += (size_t)flow[i]->n;
	if (all > f->room) {
		void *through = realloc(f->through, 2 * all * sizeof(int));

		if (!through)
			return -1;
		f->through = through;
		f->room = 2 * all;
	}
	if ((size_t)n > f->flows) {
		void *fixed = realloc(f->fixed, 2 * (size_t)n);

		if (!fixed)
			return -1;
		f->fixed = fixed;
		f->flows = 2 * (size_t)n;
	}
	return 0;
}

static void count_users(struct filling *f, struct filling_flow *const *flow, int n)
{
	f->ntouched = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < flow[i]->n; j++) {
			int l = flow[i]->link[j];

			if (!f->users[l]++) {
				f->touched[f->ntouched++] = l;
				f->wanted[l] = 0;
			}
			f->wanted[l] += weight_of(flow[i], j);
		}
}

static void list_flows(struct filling *f, struct filling_flow *const *flow, int n)
{
	int at = 0;

	for (int i = 0; i < f->ntouched; i++) {
		int l = f->touched[i];

		f->end[l] = at;
		at += f->users[l];
		f->left[l] = f->capacity;
		f->heap.item[i] = (struct heap_item){f->capacity / f->wanted[l], l, l};
	}
	for (int i = 0; i < n; i++) {
		f->fixed[i] = 0;
		for (int j = 0; j < flow[i]->n; j++)
			f->through[f->end[flow[i]->link[j]]++] = i;
	}
	f->heap.size = f->ntouched;
	heap_make(&f->heap);
}

static void fix(struct filling *f, struct filling_flow *flow, double share)
{
	flow->rate = share;
	for (int j = 0; j < flow->n; j++) {
		int l = flow->link[j];

		f->left[l] -= share * weight_of(flow, j);
		f->wanted[l] -= weight_of(flow, j);
		f->users[l]--;
	}
}

int filling_solve(struct filling *f, struct filling_flow *const *flow, int n)
{
	if (make_room(f, flow, n))
		return -1;
	count_users(f, flow, n);
	list_flows(f, flow, n);
	while (f->heap.size) {
		int l = f->heap.item[0].id;
		/* Shares only grow while others are fixed, so that what stands in the heap is
		 * never too large. Below it they fall by rounding alone. */
		double share = f->heap.item[0].key;

		if (f->users[l] && f->left[l] / f->wanted[l] > share * (1 + 1e-9)) {
			heap_rekey_first(&f->heap, f->left[l] / f->wanted[l]);
			continue;
		}
		for (int i = f->end[l] - 1; f->users[l]; i--)
			if (!f->fixed[f->through[i]]) {
				f->fixed[f->through[i]] = 1;
				fix(f, flow[f->through[i]], share);
			}
		heap_pop(&f->heap);
	}
	return 0;
}
