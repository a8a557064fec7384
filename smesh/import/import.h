/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From what other programs say of a machine to the lines of topology.conf.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include <stdio.h>

#include "conf/topoconf.h"
#include "import/judge.h"

struct import {
	struct cables cables;
	struct grids grids;
	struct parts parts; /* not of placed ones */
	bool *hub; /* [nvertices] left out; NULL: none is */
	bool placed; /* the file has coordinates, not cables: no cable is missing */
	int gridless; /* topologies without coordinates, which are left out */
	int unknown; /* cables to chips that no file has */
	struct mesh_err far; /* why there is no grid at all; empty: there are some */
};

/* The formats, for help texts. */
#define IMPORT_FORMATS "ibnetdiscover|iblinkinfo|cables|cutsheet|textproto|coords|scontrol|yaml|clusterdesc"
enum { IMPORT_READERS = 9, IMPORT_FILE = MESH_MAX_NAME + 16 };

/* The number of a format, or -1. */
int import_format(const char *name);

/*
 * Read files ("-": standard input) one after the other, in a format by its number, and find the
 * grids. wrap: of coordinates, that all dimensions are rings. 0, or -1 with text (FILE:LINE: where
 * it is one line's fault); import_release() it in any case. Input is untrusted.
 */
int import_read(struct import *import, int format, char *const *path, bool wrap,
	struct mesh_err *err);
void import_release(struct import *import);

/*
 * A comment that says what there is, and the lines of meshes called NAME, NAME1 and so on. The lists
 * of cables that they name, of the parts that are graphs, are written by import_write_cables(). 0,
 * or -1 when memory is out.
 */
int import_write(const struct import *import, const char *name,
	const struct mesh_hostlist_ops *hosts, FILE *to);

/* The file of the next list of cables from part *i on, which is moved behind it; false: there is
 * none. */
bool import_cables_file(const struct import *import, const char *name, int *i,
	char file[IMPORT_FILE]);
/* The list of part i. */
void import_write_cables(const struct import *import, int i, FILE *to);

/*
 * A line for each node that is gone, new or beside none of its old neighbours, and for each other
 * cable that is gone or new. Names, order and direction of dimensions do not matter. How many
 * lines, or -1 with text.
 */
int import_compare(const struct topoconf *found, const struct topoconf *there, FILE *to,
	struct mesh_err *err);

#endif
