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
 * A broken link is a pair of ends with a colon between: coordinates of the mesh (digits and commas
 * only), nodes, or two host lists of equal length, end by end. The ends are neighbours, or joined
 * by a Link=. DownLinksFile= has such pairs of nodes, one or more to a line with ; between; if
 * there is no such file, nothing is broken. A file of Cables= must exist. It has all links of a
 * mesh, `A B [LANES]` to a line; lanes of lines with the same ends add up.
 */
#ifndef MESH_LINKCONF_H
#define MESH_LINKCONF_H

#include "base/conffile.h"
#include "base/err.h"
#include "base/hostlist.h"
#include "base/mesh.h"

/* The key that a text is the value of: Cables=, Link=, DownLinks= or DownLinksFile=. */
enum linkconf_kind { LINKCONF_CABLES, LINKCONF_EXTRA, LINKCONF_DOWN, LINKCONF_FILE };

enum {
	LINKCONF_MOST = 1 << 20,  /* the most cables */
	LINKCONF_LANES = 1 << 16, /* the most lanes of a cable */
};

struct linkconf_item {
	char *text;
	struct conffile_place at;
	enum linkconf_kind kind;
	int mesh; /* the mesh of Cables= or DownLinks=; else -1 */
};

/* What was read; it is applied when all nodes are known. A zeroed struct is empty. */
struct linkconf {
	struct arena arena; /* owns everything; the caller releases it */
	struct linkconf_item *item; /* [n] */
	int n;
};

/* Keep a copy of an item. at.path must last as long as `links`. 0, or -1 when memory is out. */
int linkconf_keep(struct linkconf *links, struct linkconf_item item);

struct linkconf_input {
	struct mesh **mesh; /* [nmeshes], with names of nodes */
	int nmeshes;
	const char *path; /* of topology.conf: other files are beside it */
	const struct mesh_hostlist_ops *hosts;
	int (*go_on)(void *data); /* called behind the error of an item: 0: go on */
	void *data;
};

/*
 * Break links, and give a graph to each mesh with broken or extra links. All meshes with extra
 * links share one graph. 0, or -1 with `FILE[:LINE]: what is wrong`. Once: it cuts the texts up.
 */
int linkconf_apply(struct linkconf *links, const struct linkconf_input *input,
	struct mesh_err *err);

#endif
