/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Turns what other programs say about a machine into lines of topology.conf.
 */
#ifndef SMESH_IMPORT_H
#define SMESH_IMPORT_H

#include <stdio.h>

#include "conf/topoconf.h"
#include "import/judge.h"

/* What a list of cables says about some of them: planned, faulty. */
struct import_status {
	const char *word;
	int cables;
};

enum { IMPORT_STATUSES = 16 };

struct import {
	struct cables cables;
	struct grids grids;
	struct parts parts; /* not for coordinates */
	bool *hub; /* [nvertices] hubs, which are left out; NULL: none */
	bool *used; /* [grids.ngrids] the grid is written: it has nodes that are in no graph */
	int *first, *node; /* the nodes on vertex v are node[first[v]..first[v+1]-1], by name */
	bool placed; /* the file has coordinates, not cables: no cable is missing */
	int gridless; /* topologies without coordinates, which are left out */
	int loops; /* cables of a node to itself, which are left out */
	const char *loop; /* the first of those nodes */
	/* [left out] statuses but for connected, up to one without cables; the last: others too */
	struct import_status status[2][IMPORT_STATUSES];
	int labelled, commented; /* lines that begin with #: those that count and those left out */
	bool placements; /* of a torus of topology.yaml, which are left out */
	/* Titles of columns in lists that could count cables: one that does, and others. */
	char counts[128], unread[128];
	int unknown; /* cables to chips that are in no file */
	int headless; /* InfiniBand: switches and adapters that only their neighbours show */
	int placeless; /* scontrol: nodes of topologies that have no place in the files */
	struct mesh_err far; /* why there is no grid; empty: there are some */
};

/* The formats, for help texts. */
#define IMPORT_FORMATS \
	"ibnetdiscover|iblinkinfo|cables|cutsheet|textproto|coords|scontrol|yaml|clusterdesc"
enum { IMPORT_READERS = 9, IMPORT_FILE = MESH_MAX_NAME + 16 };

/* The number of a format, or -1. */
int import_format(const char *name);

/*
 * Read files ("-": standard input) one after the other, in the format with this number, and find
 * the grids. wrap: for coordinates, all dimensions are rings. 0, or -1 with text (FILE:LINE: if
 * one line is wrong). Call import_release() in any case. Input is untrusted.
 */
int import_read(struct import *import, int format, char *const *path, bool wrap,
	struct mesh_err *err);
void import_release(struct import *import);
/* The last step of it: list the nodes by vertex, and find the grids that are written. */
void import_list(struct import *import);

/* Is a vertex in a part that is a graph? */
static inline bool import_in_graph(const struct import *import, int v)
{
	return import->parts.nparts && import->parts.part[import->parts.of[v]].graph;
}

/*
 * Write a comment that says what there is, and lines of meshes called NAME, NAME1 and so on. Lists
 * of cables that these lines name, for the parts that are graphs, are written by
 * import_write_cables().
 */
void import_write(const struct import *import, const char *name,
	const struct mesh_hostlist_ops *hosts, FILE *to);

/* Count the cables of grids that have fewer lanes than most along their dimension. */
int import_count_slow(const struct import *import);

/* Count the nodes in grids of one or two vertices; 0 if that is nearly all there is. */
int import_count_apart(const struct import *import);

/* For coordinates: count the vertices without a node, of all *cells. 0 for lists of cables. */
int64_t import_count_holes(const struct import *import, int64_t *cells);
/* The greatest number that all coordinates along d of a grid are multiples of; 0: all are 0. */
int import_stride(const struct import *import, int grid, int d);

/*
 * The file of the next list of cables, from part *i on; *i moves to that part. False: there is
 * none.
 */
bool import_cables_file(const struct import *import, const char *name, int *i,
	char file[IMPORT_FILE]);
/* Write the list of cables of part i. */
void import_write_cables(const struct import *import, int i, FILE *to);

/*
 * Write which nodes are gone, new, or beside none of their old neighbours, a line for each kind,
 * and a line for each other cable that is gone or new. Names, order and direction of dimensions do
 * not matter. Returns how many nodes and cables, or -1 with text.
 */
int import_compare(const struct topoconf *found, const struct topoconf *there, FILE *to,
	struct mesh_err *err);

#endif
