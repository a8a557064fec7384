/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Strategies: a strategy proposes nodes for one request and never commits. It sees a const machine
 * and the state it is told about, and keeps nothing that cannot be rebuilt from those: the same
 * input gives the same answer, before and after a restart and on every machine, unless a budget of
 * time cuts it short.
 *
 * A `struct strategy` is one row of the table bound to one mesh, with its scratch memory: make one
 * and ask it any number of times. A strategy's own decision does not allocate, but on machines with
 * cables; walks and segments do (decide/). One strategy object serves one thread at a time; several
 * may share a mesh.
 */
#ifndef MESH_STRATEGY_H
#define MESH_STRATEGY_H

#include "ask/ask.h"

struct strategy;

/* Bits of strategy_ops.flags */
enum {
	STRATEGY_CONTIGUOUS = 1, /* answers a free box or MESH_NO_FIT; knows shapes */
	STRATEGY_NO_RUNS = 2,    /* looks at the free nodes alone: state->run may be left out */
	STRATEGY_SEGMENTS = 4,   /* finds segments itself; for others segments.h does */
	STRATEGY_COMPLETE =
		8, /* contiguous, and finds a box whenever one is free, if given the time */
	STRATEGY_LISTS = 16, /* contiguous, and lists all busy boxes for each decision */
	STRATEGY_STUDY = 32, /* to compare with: slurm.conf may not name it */
};

struct strategy_ops {
	const char *name;
	const char *summary; /* one line, for people */
	const char *source;  /* the paper: authors and year */
	const char *time;    /* O() of one decision */
	unsigned flags;
	const void *preset; /* parameters of a family of strategies, e.g. curve and packer */
	/* Take scratch for strategy->scratch from strategy->arena, which is freed with it. NULL:
	 * nothing to do. 0, or -1 with text, or without where memory is out. */
	int (*init)(struct strategy *strategy, struct mesh_err *err);
	void (*release)(struct strategy *strategy); /* what is not of the arena; mostly NULL */
	/*
	 * Called with a request that has passed strategy_check(): count is >= 1 and
	 * <= the free nodes, required nodes are free and at most count. Writes node[], count,
	 * cost (and the flags). node[] may be in any order; the caller sorts.
	 */
	enum mesh_result (*decide)(struct strategy *strategy, const struct mesh_state *state,
		const struct mesh_request *request, struct mesh_answer *answer);
};

struct strategy {
	const struct strategy_ops *ops;
	const struct mesh *mesh;
	struct arena arena;
	void *scratch;
	struct nodeset chosen; /* strategy_settle()'s scratch; empty between calls */
	const int *order; /* of vertices, that init() set for packing along it; or NULL */
};

/* A new strategy bound to a mesh that must outlive it, or NULL with text. */
struct strategy *strategy_new(const struct strategy_ops *ops, const struct mesh *mesh,
	struct mesh_err *err);
void strategy_free(struct strategy *strategy);

/*
 * What every strategy would answer alike, so that all give the same answers to the same nonsense.
 * MESH_OK: the strategy may be asked *whole, the request with the count of its shape. The caller
 * sets answer->node and by_rank; all else is written here.
 */
enum mesh_result strategy_check(const struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_request *whole,
	struct mesh_answer *answer);
/* The end of a decision that came to `result`: the answer's nodes in order, or none. */
enum mesh_result strategy_settle(
	struct strategy *strategy, enum mesh_result result, struct mesh_answer *answer);
/* One decision by the strategy alone: no walk, no segments (decide/strategy_decide.h has those). */
enum mesh_result strategy_ask(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/* The row of a family (an array that ends with a row without a name) called name, in any case, or
 * NULL. */
const struct strategy_ops *strategy_in(const struct strategy_ops *family, const char *name);

/* Families that other strategies ask. The table of all of them is conf/strategies.h. */
extern const struct strategy_ops strategy_buddy_family[];
extern const struct strategy_ops strategy_curve_family[];
extern const struct strategy_ops strategy_scatter_family[];

#endif
