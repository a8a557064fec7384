/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the readers of all formats share: they are given a file line by line.
 */
#ifndef READER_H
#define READER_H

#include "import/import.h"

struct reader {
	struct cables *cables;
	struct grids *grids; /* coordinates: the grids, their sides so far */
	const struct grid *hint;
	struct mesh_err *err;
	int pass;	     /* of the same lines, from 0 */
	char switch_name[160]; /* InfiniBand: whose ports follow; empty: no switch's */
	char node_name[160]; /* Slurm: whose record it is */
	int column[2];	     /* CSV: of the two ends */
	struct proto *proto; /* textproto, made by its first line */
};

struct format {
	const char *name;
	/* A line without its end, to be written to. 0, or -1 with text. */
	int (*line)(struct reader *r, char *text);
	int (*end)(struct reader *r); /* of all files; NULL: nothing to do */
	void (*release)(struct reader *r);
	bool twice; /* all lines come a second time */
	bool placed;
};

extern const struct format format_ibnetdiscover, format_iblinkinfo, format_cables, format_cutsheet,
	format_coords, format_slurm, format_textproto;

/* The text between the first pair of quotes, cut out of the line; *rest is what follows. NULL:
 * there is none. */
char *reader_quoted(char *text, char **rest);
/* A cable between two hosts of these names. 0, or -1 with text. */
int reader_cable(struct reader *r, const char *a, const char *b);
/* A node at coordinates of a grid. 0, or -1 with text. */
int reader_place(struct reader *r, const char *node, int grid, const int *at);

#endif
