/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What unit tests share: cmocka, random numbers, small machines, plain references.
 */
#ifndef MESH_TEST_SUPPORT_H
#define MESH_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mesh.h"
#include "base/nodeset.h"
#include "base/random.h"

/* Uniform in low..high. */
int random_int(uint64_t *seed, int low, int high);

/*
 * A property is held against many random cases:
 *
 *     for (struct rounds r = rounds(3, 300); rounds_next(&r);)
 *             one_case(&r.seed);
 *
 * As a rule there are so many rounds, the same each time. With PROPERTY_SECONDS=N in the
 * environment there are as many as go into N seconds of processor time, from PROPERTY_SEED=N on (or
 * from the clock). When the program ends, it prints the seed of a round that failed;
 * PROPERTY_SEED=N PROPERTY_SECONDS=0 repeats that round alone.
 */
struct rounds {
	uint64_t seed;
	int left;	  /* INT32_MAX: by the clock */
	const char *what; /* printed with the seed, or NULL; the caller's */
};
struct rounds rounds(uint64_t seed, int n);
bool rounds_next(struct rounds *r);

/* A mesh of given sides; wrap as a bit mask; fails the test when it cannot be made. */
struct mesh *make_mesh(int ndims, const int *side, unsigned wrap, int nodes_per_vertex);
/* Any mesh of 1..max_dims dimensions and at most max_vertices; wraps, holes, nodes per vertex
 * and their order vary. */
struct mesh *random_mesh(uint64_t *seed, int max_dims, int max_vertices);
/* Break each link with the given chance in percent, and join `cables` times two random vertices by
 * a cable of 1..3 hops; then the mesh has a graph. */
void random_links(uint64_t *seed, struct mesh *mesh, int percent, int cables);
/* A machine that is its cables, 1..most nodes in groups of a few: those of a group are joined by a
 * ring or all to each other by wide cables, and some of all by thin ones, if at all. */
struct mesh *random_cables(uint64_t *seed, int most);
/* Hops by the graph from a vertex to all others, into hops[nvertices], the plainest way;
 * LINKGRAPH_CUT: none. Only for meshes that have a graph alone. */
void plain_graph_hops(const struct mesh *mesh, int from, int *hops);
/* Each node with the given chance in percent. */
void random_set(uint64_t *seed, struct nodeset *set, int percent);

/* Sum of hops over pairs, pair by pair. */
int64_t plain_pairwise_hops(const struct mesh *mesh, const int *node, int count);

/*
 * Sum of value[] over the box [base, base+side), vertex by vertex, going round where the mesh
 * wraps; coordinates outside a mesh that does not wrap are worth 0.
 */
uint32_t plain_box_sum(const struct mesh *mesh, const uint32_t *value, const int *base,
	const int *side);

/* The same over its faces: a layer on each side of each dimension that the box does not close. */
uint32_t plain_box_faces(
	const struct mesh *mesh, const uint32_t *value, const int *base, const int *side);

/* Setup and teardown for cmocka: the current folder is a new one, which goes with all in it. */
int enter_folder(void **state);
int leave_folder(void **state);
/* Write a file. */
void put_file(const char *name, const char *text);

#endif
