/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What import_read() and the readers of single formats share. A new format is a row in read.c's
 * table.
 */
#ifndef READER_H
#define READER_H

#include "base/hash.h"
#include "import/import.h"

struct reader {
	struct import *import;
	struct cables *cables; /* the import's */
	struct mesh_err *err;  /* gets FILE:LINE: before it, or FILE: where line is 0 */
	struct arena arena;    /* until the import is read */
	void *state;	       /* the format's own, zeroed, of its size */
	const char *path;      /* of the file that is read */
	int file, line;	       /* from 0 and from 1 */
	bool wrap;	       /* coordinates: in all dimensions, if nothing else is said */
};

/* All return 0, or -1 with text. */
struct import_reader {
	const char *name;
	size_t state;
	bool placed; /* coordinates, not cables */
	/* A line without its end, to be written to. */
	int (*line)(struct reader *r, char *text);
	/* Behind the last line of each file, and behind that of all. NULL: nothing to do. */
	int (*file_end)(struct reader *r);
	int (*end)(struct reader *r);
};

extern const struct import_reader import_ibnetdiscover, import_iblinkinfo, import_cables,
	import_cutsheet, import_textproto, import_clusterdesc, import_coords, import_scontrol,
	import_yaml;

/* A name for a vertex that files number by themselves. */
enum { READER_NAME = 320 };

/* The grid of a name, made if there is none; NULL with text. */
struct grid *reader_grid(struct reader *r, const char *name);
/* A node at coordinates of a grid, which has n dimensions (or none yet) and grows with them. */
int reader_place(struct reader *r, const char *node, struct grid *grid, const int *at, int n);
/*
 * Numbers with one of the separators between. How many, at most MESH_MAX_DIMS, or -1: there is
 * something else, too many, or one not from 0 to MESH_MAX_SIDE - 1.
 */
int reader_numbers(char *text, const char *separators, int *at);

#endif
