/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A strategy proposes nodes for one request and never commits. It sees a const machine and the
 * state that it is told, and keeps nothing that cannot be rebuilt from them. The same input gives
 * the same answer, before and after a restart and on every machine, unless a budget of time ends
 * the search.
 *
 * A `struct strategy` is one row of the table, bound to one mesh, with scratch memory. Make one
 * and ask it any number of times. A strategy's own decision does not allocate, except on machines
 * with cables. Walks and segments allocate (decide/). One thread at a time may use a strategy
 * object; several objects may share a mesh.
 */
#ifndef MESH_STRATEGY_H
#define MESH_STRATEGY_H

#include "ask/ask.h"

struct strategy;

/* Bits of strategy_ops.flags */
enum {
	STRATEGY_CONTIGUOUS = 1, /* answers a free box or MESH_NO_FIT; knows shapes */
	STRATEGY_NO_RUNS = 2,    /* looks at the free nodes alone: state->run may be left out */
	STRATEGY_SEGMENTS = 4,   /* finds segments itself; for all others segments.h finds them */
	STRATEGY_COMPLETE =
		8, /* contiguous, and finds a box whenever one is free, given the time */
	STRATEGY_LISTS = 16, /* contiguous, and lists all busy boxes for each decision */
	STRATEGY_STUDY = 32, /* for comparison: slurm.conf may not name it */
	STRATEGY_BLOCKS = 64 | STRATEGY_STUDY, /* and rounds up to whole blocks */
};

struct strategy_ops {
	const char *name;
	const char *summary; /* one line, for people */
	const char *source;  /* the paper: authors and year */
	const char *time;    /* O() of one decision */
	unsigned flags;
	const void *preset; /* parameters of a family of strategies, e.g. curve and packer */
	/* Set strategy->scratch from strategy->arena. NULL: nothing to do. 0; or -1 with text,
	 * or without text where memory is out. */
	int (*init)(struct strategy *strategy, struct mesh_err *err);
	void (*release)(struct strategy *strategy); /* free what is not in the arena; mostly NULL */
	/*
	 * Called with a request that has passed strategy_check(): count is at least 1 and at most
	 * the number of free nodes; required nodes are free, and at most count. Sets node[],
	 * count, cost and the flags. node[] may be in any order; the caller sorts.
	 */
	enum mesh_result (*decide)(struct strategy *strategy, const struct mesh_state *state,
		const struct mesh_request *request, struct mesh_answer *answer);
};

struct strategy {
	const struct strategy_ops *ops;
	const struct mesh *mesh;
	struct arena arena;
	void *scratch;
	struct nodeset chosen; /* scratch of strategy_settle(); empty between calls */
	const int *order; /* the order of vertices that init() set for packing; or NULL */
};

/* A new strategy, strategy_free() it, or NULL with text. The mesh must outlive it. */
struct strategy *strategy_new(const struct strategy_ops *ops, const struct mesh *mesh,
	struct mesh_err *err);
void strategy_free(struct strategy *strategy);

/*
 * Answer what every strategy answers alike, as for requests that make no sense. MESH_OK: the
 * strategy may be asked *whole, which is the request with its shape's count. The caller sets
 * answer->node and by_rank; this function sets everything else.
 */
enum mesh_result strategy_check(const struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_request *whole,
	struct mesh_answer *answer);
/*
 * End a decision that came to `result`: check the answer against the request that strategy_check()
 * made, and sort its nodes, or drop them. MESH_ERROR: it has other nodes than free ones, another
 * number, one twice, a by_rank[] of other nodes, or lacks a required one. O(count + nnodes / 64).
 */
enum mesh_result strategy_settle(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, enum mesh_result result, struct mesh_answer *answer);
/* One decision by the strategy alone: no walk, no segments (decide/strategy_decide.h has those). */
enum mesh_result strategy_ask(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/*
 * The row called name, in any case, of a family: an array that ends with a row without name. Or
 * NULL.
 */
const struct strategy_ops *strategy_in(const struct strategy_ops *family, const char *name);

/* Families that other strategies ask. conf/strategies.h has the table of all families. */
extern const struct strategy_ops strategy_buddy_family[];
extern const struct strategy_ops strategy_curve_family[];
extern const struct strategy_ops strategy_scatter_family[];

#endif
