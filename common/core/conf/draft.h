/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside topoconf.h: what the lines of a file say, before meshes are made of them. A line makes a
 * draft, one for each MeshName. Drafts become meshes at the end of the file, as MeshNode lines may
 * come before or after their mesh.
 */
#ifndef MESH_DRAFT_H
#define MESH_DRAFT_H

#include "base/conffile.h"
#include "base/hostlist.h"
#include "base/mesh.h"
#include "conf/linkconf.h"

/* A MeshName= line, with what its type adds. */
struct draft {
	struct mesh_spec spec;
	char *name, *type, *nodes, *holes, *order, *shapes, *down, *env, *cables;
	bool any_shapes; /* Shapes= are of a type: only those count that the mesh has room for */
	struct conffile_place at;
	int nvertices;
	int wrap_flags; /* values in Wrap=; 0 for all, none or no Wrap= */
	int wrap_sides[MESH_MAX_DIMS]; /* a ring if the side is a multiple; 0: as the spec says */
	int node_sides; /* sides in NodeShape=; 0: there is none */
	/* Filled in when it becomes a mesh: */
	char **node_name;
	int *vertex_of;
	const struct conffile_place **node_at;
	int nnodes;
	int first_node_line; /* of its own, in drafts.node_line[]; -1: none */
};

/* A MeshType= line: its pairs go to each mesh line that names the type and lacks their keys. */
struct draft_type {
	char *name, *pairs;
};

/* A MeshNode= line. */
struct draft_node {
	char *node, *mesh, *coord;
	struct conffile_place at;
	int next; /* the next line of the same mesh, or -1 */
};

/* The lines of a file. */
struct drafts {
	struct arena arena;
	const char *path;
	const struct mesh_hostlist_ops *hosts;
	struct mesh_err *err;
	void (*tell)(const char *text); /* NULL: end at the first error */
	int told;
	struct conffile_place at; /* the current line */
	struct draft *draft;
	int ndrafts;
	struct draft_node *node_line;
	int nnode_lines;
	struct draft_type *type;
	int ntypes;
	struct linkconf links;
};

/* Take one logical line, without comment, blanks trimmed: a conffile.take. */
int draft_take_line(void *drafts, char *text, struct conffile_place at);

/* Behind an error: 0: it has been told, go on; -1: this is the end. */
int draft_go_on(void *drafts);

static inline int draft_no_memory(struct drafts *p)
{
	return conffile_fail(p->err, p->at, "out of memory");
}

/* Parse up to MESH_MAX_DIMS numbers to MESH_MAX_VERTICES, with separators. How many, or -1. */
int draft_numbers(const char *text, char separator, int *value, const char **end);

/* Key i of the mesh lines, or NULL past the end. */
const char *draft_key(int i);
/* The keys with which lines begin, in the same way. */
const char *draft_line(int i);

/* Name a line in a message about another line; in text. */
const char *draft_place(const struct conffile_place *at, const struct conffile_place *other,
	char text[128]);

#endif
