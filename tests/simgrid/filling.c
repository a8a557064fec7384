/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "fluid.h"

struct filling {
	int longest;
	double capacity;
	int *touched;	   /* [nlinks] links in use */
	int ntouched;
	int *users, *end;  /* [nlinks] flows not yet fixed; behind its flows in through[] */
	double *left;	   /* [nlinks] */
	int *through;	   /* flows by link */
	char *fixed;	   /* [nflows] */
	struct heap heap;  /* links, least share first */
};

struct filling *filling_new(int nflows, int nlinks, int longest, double capacity)
{
	struct filling *f = calloc(1, sizeof(*f));
	size_t links = (size_t)nlinks + 1, flows = (size_t)nflows + 1;

	if (!f)
		return NULL;
	f->longest = longest;
	f->capacity = capacity;
	f->touched = malloc(links * sizeof(int));
	f->users = calloc(links, sizeof(int));
	f->end = malloc(links * sizeof(int));
	f->left = malloc(links * sizeof(double));
	f->heap.item = malloc(links * sizeof(*f->heap.item));
	f->through = malloc(flows * ((size_t)longest + 1) * sizeof(int));
	f->fixed = malloc(flows);
	if (!f->touched || !f->users || !f->end || !f->left || !f->heap.item || !f->through || !f->fixed) {
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
	free(f->heap.item);
	free(f->through);
	free(f->fixed);
	free(f);
}

static void count_users(struct filling *f, const int *flow, int n, const int *link,
	const int *nlinks)
{
	f->ntouched = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < nlinks[flow[i]]; j++) {
			int l = link[flow[i] * f->longest + j];

			if (!f->users[l]++)
				f->touched[f->ntouched++] = l;
		}
}

static void list_flows(struct filling *f, const int *flow, int n, const int *link,
	const int *nlinks)
{
	int at = 0;

	for (int i = 0; i < f->ntouched; i++) {
		int l = f->touched[i];

		f->end[l] = at;
		at += f->users[l];
		f->left[l] = f->capacity;
		f->heap.item[i] = (struct heap_item){f->capacity / f->users[l], l, l};
	}
	for (int i = 0; i < n; i++) {
		f->fixed[flow[i]] = 0;
		for (int j = 0; j < nlinks[flow[i]]; j++)
			f->through[f->end[link[flow[i] * f->longest + j]]++] = flow[i];
	}
	f->heap.size = f->ntouched;
	heap_make(&f->heap);
}

static void fix(struct filling *f, int flow, double share, const int *link, int nlinks)
{
	f->fixed[flow] = 1;
	for (int j = 0; j < nlinks; j++) {
		f->left[link[j]] -= share;
		f->users[link[j]]--;
	}
}

void filling_solve(struct filling *f, const int *flow, int n, const int *link, const int *nlinks,
	double *rate)
{
	count_users(f, flow, n, link, nlinks);
	list_flows(f, flow, n, link, nlinks);
	while (f->heap.size) {
		int l = f->heap.item[0].id;
		/* Shares only grow while others are fixed, so that what stands in the heap is
		 * never too large. */
		double share = f->users[l] ? f->left[l] / f->users[l] : 0;

		if (f->users[l] && share > f->heap.item[0].key * (1 + 1e-12)) {
			heap_rekey_first(&f->heap, share);
			continue;
		}
		for (int i = f->end[l] - 1; f->users[l]; i--) {
			int g = f->through[i];

			if (f->fixed[g])
				continue;
			rate[g] = share;
			fix(f, g, share, &link[g * f->longest], nlinks[g]);
		}
		heap_pop(&f->heap);
	}
}
