/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A question to a strategy, and its answer: a request and the state of the machine; nodes.
 */
#ifndef MESH_ASK_H
#define MESH_ASK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ask/comm_pattern.h"
#include "ask/walk_kind.h"
#include "base/err.h"
#include "base/mesh.h"
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

/*
 * The box of vertices that a job wants: AxBxC[:norotate][:torus][:fold][:chips][:anylinks]; or its
 * walk: ring:N[:lanes=L]. Either may have TYPE: before it.
 */
struct mesh_shape {
	char type[MESH_MAX_TYPE]; /* only meshes of this type; "": any. Zeros to its end */
	enum walk_kind walk; /* a line or ring of side[0] nodes, ndims is 1; else WALK_NONE */
	int lanes; /* the least lanes of each link of the walk; 0: any */
	int ndims; /* 0: no shape; otherwise 1..MESH_MAX_DIMS, sides beyond are 1 */
	int side[MESH_MAX_DIMS];
	bool norotate; /* side[d] is along dimension d; otherwise the box may be turned */
	/* The box must be a torus itself: in each dimension that wraps, its side is the machine's
	 * or 1. */
	bool torus;
	/* Boxes will do, too, into which the shape (a mesh, or with `torus` a torus) can be folded
	 * so that its neighbours are one hop apart (boxes/fold.h). */
	bool fold;
	/* Sides count chips; a node is itself a box of chips (mesh->node_side). With a type: only
	 * where its meshes have chips. */
	bool chips;
	bool any_links; /* links inside the box may be broken */
};

/*
 * Is the mesh of the shape's type, and has the mesh boxes if the shape is a box? Also for a
 * request without a shape. False with text.
 */
static inline bool mesh_shape_suits(
	const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_err *err)
{
	if (mesh->cabled && shape->ndims && !shape->walk)
		return !err_printf(err, "mesh %s has cables (Cables=), and no boxes",
			mesh->name);
	return !*shape->type || !strcmp(shape->type, mesh->type) ||
		!err_printf(err, "the mesh is not of Type=%s", shape->type);
}

/* How many chips of a shape's side d are one node; 0: not known. */
static inline int mesh_shape_chips(const struct mesh *mesh, const struct mesh_shape *shape, int d)
{
	return shape->chips && (mesh->node_side[0] || !*shape->type) ? mesh->node_side[d] : 1;
}

enum mesh_hint {
	MESH_HINT_COMPACT, /* the default: the job communicates */
	MESH_HINT_SCATTER, /* the job does not communicate: leave good places to others */
	MESH_HINT_ISOLATED /* a box that no other job's minimal routes cross */
};

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
	enum comm_pattern pattern; /* what the job sends; COMM_NONE: not known */
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

/*
 * The nodes of the whole box, if a shape has no count: as many as its chips make if it is in
 * chips. For a walk its nodes. nnodes + 1 if that is more than the machine has.
 */
int mesh_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape);

#endif
