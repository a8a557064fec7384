/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A question to a strategy, and its answer: a request and the state of the machine; nodes.
 */
#ifndef MESH_ASK_H
#define MESH_ASK_H

#include "ask/comm_pattern.h"
#include "ask/mesh_shape.h"
#include "base/nodeset.h"

/* The ways in which an answer has no nodes are told apart: the caller acts on each differently. */
enum mesh_result {
	MESH_OK,
	MESH_NO_FIT, /* no room in this state; another state of the machine may do */
	MESH_NEVER,  /* no room even on the idle machine: answer.err says why */
	MESH_ERROR,  /* the request makes no sense, or memory is out: see answer.err */
};

/* "ok", "no-fit", "never", "error" */
const char *mesh_result_name(enum mesh_result result);

/* A running allocation. */
struct mesh_run {
	const int *node; /* [count], ascending */
	int count;
	int64_t start; /* seconds */
	int64_t end;   /* expected; 0 = not known */
};

/*
 * The part of the next `seconds`, in units of 1/unit (unit: all), during which the run's nodes are
 * free because the run has ended. 0 if `seconds` or the end is not known.
 */
int64_t mesh_run_freed(const struct mesh_run *run, int64_t now, int64_t seconds, int64_t unit);

/* The machine as it is, or as it would be at another time. Everything in it is borrowed. */
struct mesh_state {
	const struct nodeset *free;   /* the nodes that may be taken */
	/* The nodes that this request could have on an idle machine (NULL: all of the mesh). They
	 * decide about MESH_NEVER, and include `free`. */
	const struct nodeset *usable;
	const struct mesh_run *run; /* [nruns] in start order; may be missing (NULL, 0) */
	int nruns;
	int64_t now; /* seconds */
};

struct mesh_request {
	/* Nodes wanted. With a box: 0 is every node of the box, and a smaller count is that many
	 * nodes inside it. A walk has all its nodes. */
	int count;
	struct mesh_shape shape;
	int segment; /* nodes of each segment (segments.h); 0 = the job is not in segments */
	const struct nodeset *required; /* nodes that must be in the answer, or NULL */
	uint64_t seed;			/* the only source of randomness */
	int64_t budget_ns;    /* CPU time of the thread (budget.h); 0 = no limit. When it is used
			       * up, the best answer so far counts, or MESH_NO_FIT without
			       * one */
	int64_t budget_steps; /* steps of a strategy that searches; 0 = its default. Steps give
			       * the same answer on every machine, a time does not */
	int64_t time_limit; /* seconds the job may run; 0 = not known */
	enum mesh_hint hint;
	enum comm_pattern pattern; /* COMM_RING or COMM_GRID if told so, else COMM_NONE */
	struct comm_grid grid;	   /* COMM_GRID: the grid of the job's ranks, if it is known */
};

struct mesh_answer {
	int *node;  /* the caller's array, room for mesh->nnodes; ascending */
	int count;  /* 0 unless MESH_OK */
	/* The caller's, as long as node[], or NULL. Filled for walks: one rank on each node. */
	int *by_rank;
	bool ranked; /* by_rank[] is filled: the node of each rank */
	double cost; /* what the strategy minimised, in its own unit */
	bool out_of_time; /* the budget ended the search */
	struct mesh_err err;
};

#endif
