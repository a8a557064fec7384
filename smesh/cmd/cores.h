/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cores of a node, by hwloc: which ones a number of processes should have, and how near
 * they are to each other.
 */
#ifndef SMESH_CORES_H
#define SMESH_CORES_H

#include "ranks/assign.h"
#include "base/err.h"

struct core {
	int package;	/* hwloc's logical number */
	int in_package; /* of the core among its package's, logical; -1 if this is only a thread */
	int cpu;	/* the operating system's number of its first hardware thread */
};

struct cores {
	struct arena arena;
	int n;
	struct core *core;	 /* [n] in hwloc's logical order: near numbers are near */
	struct assign_sites table; /* distance: levels of the tree up to the common ancestor */
	int ncores;		 /* of the whole node */
	bool threads;		 /* more processes than cores: these are hardware threads */
};

/*
 * Room for n processes, spread evenly over packages, NUMA nodes and caches. xml: a file by
 * lstopo of the compute node, or NULL: the machine this runs on. 0, or -1 with text: no such
 * file, or fewer hardware threads than processes. Its arena frees it.
 */
int cores_read(struct cores *cores, const char *xml, int n, struct mesh_err *err);

#endif
