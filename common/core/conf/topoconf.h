/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh lines of topology.conf:
 *
 *   MeshName=torus0 Dims=8x8x4 Wrap=yes,yes,no Nodes=n[0-255]
 *   MeshName=gem Dims=4x4x2 Wrap=all NodesPerVertex=2 Nodes=nid[00000-00063] Order=gem.order
 *   MeshNode=nid00099 Mesh=gem Coord=3,1,0
 *   Link=n3,nid00007
 *
 * The file is read as Slurm reads its own (conffile.h), with Include. Keys are case-insensitive.
 * Lines that begin with other keys, but not Mesh..., are Slurm's and are skipped. No err is NULL.
 */
#ifndef MESH_TOPOCONF_H
#define MESH_TOPOCONF_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hostlist.h"
#include "base/mesh.h"

struct topoconf {
	struct mesh **mesh; /* [nmeshes], in the order of their first lines */
	int nmeshes;
};

/* Read a file. A new struct, topoconf_free() it; or NULL with `FILE:LINE: what is wrong` in err. */
struct topoconf *topoconf_read(const char *path, const struct mesh_hostlist_ops *hosts,
	struct mesh_err *err);
/*
 * The same for a person: call tell() for each error that can be found, at most 20. Of a file with
 * a wrong line only lines are judged, and links only where meshes are right. NULL: there were
 * errors.
 */
struct topoconf *topoconf_check(const char *path, const struct mesh_hostlist_ops *hosts,
	void (*tell)(const char *text));
/* topoconf_read() of text in memory. path is for messages, and the files named are beside it. */
struct topoconf *topoconf_parse(const char *text, size_t size, const char *path,
	const struct mesh_hostlist_ops *hosts, struct mesh_err *err);
void topoconf_free(struct topoconf *conf);
/* A hash of the machine that the file describes, whatever the file's layout. O(nodes). */
uint64_t topoconf_hash(const struct topoconf *conf);

/* The mesh called name, or the only one for NULL. Borrowed. NULL with text: there is none. */
const struct mesh *topoconf_find(const struct topoconf *conf, const char *name,
	struct mesh_err *err);

#endif
