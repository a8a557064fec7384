/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/fairshare.h"

#include <math.h>
#include <stdlib.h>

#include "sim/trace.h"

struct account {
	double used; /* node-seconds, decayed up to `then` */
	int nodes;   /* that run */
	int64_t then;
};

struct fairshare {
	double rate; /* of decay, a second */
	int users;
	struct account all, *user; /* [users + 1]; the last is of jobs without user */
};

struct fairshare *fairshare_new(int users, double half_life)
{
	struct fairshare *f = calloc(1, sizeof(*f));

	if (!f || !(f->user = calloc((size_t)users + 1, sizeof(*f->user)))) {
		free(f);
		return NULL;
	}
	f->users = users;
	f->rate = half_life > 0 ? log(2) / half_life : 0;
	return f;
}

void fairshare_free(struct fairshare *f)
{
	if (f)
		free(f->user);
	free(f);
}

/* What is used decays while what runs adds to it: du/dt = nodes - rate * u. */
static void advance(const struct fairshare *f, struct account *a, int64_t now)
{
	double seconds = sim_seconds(now - a->then), kept = exp(-f->rate * seconds);

	a->then = now;
	a->used = a->used * kept + a->nodes * (f->rate > 0 ? (1 - kept) / f->rate : seconds);
}

static struct account *account_of(struct fairshare *f, int user)
{
	return &f->user[user < 0 || user >= f->users ? f->users : user];
}

void fairshare_run(struct fairshare *f, int user, int nodes, int64_t now)
{
	struct account *a = account_of(f, user);

	advance(f, a, now);
	advance(f, &f->all, now);
	a->nodes += nodes;
	f->all.nodes += nodes;
}

double fairshare_factor(struct fairshare *f, int user, int64_t now)
{
	struct account *a = account_of(f, user);
	int users = f->users ? f->users : 1;

	advance(f, a, now);
	advance(f, &f->all, now);
	return f->all.used > 0 ? exp2(-a->used / f->all.used * users) : 1;
}
