/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Broken and extra links in topology.conf:
 *
 *   MeshName=a Dims=4x8 Nodes=a[0-31] DownLinks=0,0:1,0;a5:a9;a[8-11]:a[12-15]
 *   Link=a[28-31],b[0-3]
 *   Link=a0,b31,2
 *   Link=a1,b30,8,2
 *   DownLinksFile=links.down
 *   MeshName=c Nodes=c[0-35] Cables=c.cables
 *
 * A broken link is a pair of its ends with a colon between: coordinates of the mesh (digits and
 * commas only), or nodes, or two host lists of equal length, end by end. They are neighbours, or
 * joined by a Link=. A file has such pairs of nodes, one or more to a line with ; between; where it
 * is not there nothing is broken. A file of Cables= has all links of a mesh, `A B [LANES]` to a
 * line; the lanes of lines with the same ends add up. It must be there.
 */
#ifndef MESH_LINKCONF_H
#define MESH_LINKCONF_H

#include "base/conffile.h"
#include "base/err.h"
#include "base/hostlist.h"
#include "base/mesh.h"

/* What a text is: the value of Cables=, Link=, DownLinks= or DownLinksFile=. */
enum linkconf_kind { LINKCONF_CABLES, LINKCONF_EXTRA, LINKCONF_DOWN, LINKCONF_FILE };

enum {
	LINKCONF_MOST = 1 << 20,  /* cables that there may be */
	LINKCONF_LANES = 1 << 16, /* of a cable */
};

struct linkconf_item {
	char *text;
	struct conffile_place at;
	enum linkconf_kind kind;
	int mesh; /* whose Cables= or DownLinks= it is; else -1 */
};

/* What was read, to be applied when all nodes are known. Zeroed: nothing. */
struct linkconf {
	struct arena arena; /* frees it */
	struct linkconf_item *item; /* [n] */
	int n;
};

/* Keep a copy of an item; at.path has to last as long as links. 0, or -1 when memory is out. */
int linkconf_keep(struct linkconf *links, struct linkconf_item item);

struct linkconf_input {
	struct mesh **mesh; /* [nmeshes], with names of nodes */
	int nmeshes;
	const char *path; /* of topology.conf, to find files beside it */
	const struct mesh_hostlist_ops *hosts;
};

/* The hops that a cable of so many lanes counts as, where most have `most`: a message takes as much
 * longer on it. */
int linkconf_weight(int lanes, int most);

/*
 * Break links, and give the meshes that have broken or extra ones their graphs: all those that have
 * extra ones have one together. 0, or -1 with `FILE:LINE: what is wrong`.
 */
int linkconf_apply(struct linkconf *links, const struct linkconf_input *input,
	struct mesh_err *err);

#endif
