/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Broken and extra links in topology.conf:
 *
 *   MeshName=a Dims=4x8 Nodes=a[0-31] DownLinks=0,0:1,0;a5:a9;a[8-11]:a[12-15]
 *   Link=a[28-31],b[0-3]
 *   Link=a0,b31,2
 *   DownLinksFile=links.down
 *
 * A broken link is a pair of its ends with a colon between: coordinates of the mesh (digits and
 * commas only), or nodes, or two host lists of equal length, end by end. They are neighbours, or
 * joined by a Link=. A file has such pairs of nodes, one or more to a line with ; between; where it
 * is not there nothing is broken.
 */
#ifndef MESH_LINKCONF_H
#define MESH_LINKCONF_H

#include "base/conffile.h"
#include "base/err.h"
#include "base/hostlist.h"
#include "base/mesh.h"

/* What a text is about: the index of the mesh that it is DownLinks= of, or one of these. */
enum { LINKCONF_EXTRA = -1, LINKCONF_FILE = -2 };

/* The extra cables that there may be. */
enum { LINKCONF_CABLES = 1 << 16 };

struct linkconf_item {
	char *text;
	struct conffile_place at;
	int kind;
};

/* What was read, to be applied when all nodes are known. Zeroed: nothing. */
struct linkconf {
	struct arena arena; /* frees it */
	struct linkconf_item *item; /* [n] */
	int n;
};

/* Keep a copy of a value; at.path has to last as long as links. 0, or -1 when memory is out. */
int linkconf_keep(struct linkconf *links, const char *value, struct conffile_place at, int kind);

struct linkconf_input {
	struct mesh **mesh; /* [nmeshes], with names of nodes */
	int nmeshes;
	const char *path; /* of topology.conf, to find files beside it */
	const struct mesh_hostlist_ops *hosts;
};

/*
 * Break links, and give the meshes that have broken or extra ones their graphs: all those that have
 * extra ones have one together. 0, or -1 with `FILE:LINE: what is wrong`.
 */
int linkconf_apply(struct linkconf *links, const struct linkconf_input *input,
	struct mesh_err *err);

#endif
