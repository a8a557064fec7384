/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How large a machine may be; mesh_new() refuses a larger one. The assertions below say which
 * integer type holds what follows from a limit: the compiler stops a change that exceeds a type's
 * range.
 */
#ifndef MESH_LIMITS_H
#define MESH_LIMITS_H

#include <limits.h>
#include <stdint.h>

#define MESH_MAX_DIMS 6
/*
 * These limits are far beyond any machine, and bound the cost of a mistake in topology.conf. With
 * one node on each vertex struct mesh takes 24 bytes a vertex, and some 40 more for a node's name.
 */
#define MESH_MAX_SIDE 32767
#define MESH_MAX_VERTICES (1 << 21)
#define MESH_MAX_NODES (1 << 21)
#define MESH_MAX_NODES_PER_VERTEX 65535
#define MESH_MAX_NAME 64
#define MESH_MAX_TYPE 24 /* characters of a type's name, with the NUL */
#define MESH_MAX_MESHES 1024
#define MESH_MAX_PLACEMENTS 256 /* each costs a bitmap over the vertices, for boxes */

/*
 * The most hops between two vertices of any machine: that is where one side is as long as allowed.
 */
#define MESH_MAX_HOPS (MESH_MAX_SIDE - 1 + MESH_MAX_VERTICES / MESH_MAX_SIDE - 1)

#define MESH_HOLDS(NAME, TYPE_MAX, MOST) _Static_assert((MOST) <= (TYPE_MAX), NAME)

MESH_HOLDS("coordinates, and where a box begins: int16_t", INT16_MAX, MESH_MAX_SIDE);
MESH_HOLDS("one past a coordinate and a side beyond it: int", INT_MAX, 3 * MESH_MAX_SIDE);
MESH_HOLDS("offsets between coordinates, from 0: uint16_t", UINT16_MAX, 2 * MESH_MAX_SIDE - 2);
MESH_HOLDS("hops: uint16_t", UINT16_MAX, MESH_MAX_HOPS);
MESH_HOLDS("nodes on a vertex: uint16_t", UINT16_MAX, MESH_MAX_NODES_PER_VERTEX);
MESH_HOLDS("vertices and nodes: int, twice as many too", INT_MAX / 2, MESH_MAX_VERTICES);
MESH_HOLDS("vertices and nodes: int, twice as many too", INT_MAX / 2, MESH_MAX_NODES);
MESH_HOLDS("hops from a vertex to all nodes: 40 bits", INT64_C(1) << 40,
	(int64_t)MESH_MAX_NODES *MESH_MAX_HOPS);
MESH_HOLDS("hops over all pairs: int64_t", INT64_MAX / MESH_MAX_HOPS,
	(int64_t)MESH_MAX_NODES *MESH_MAX_NODES / 2);

#endif
