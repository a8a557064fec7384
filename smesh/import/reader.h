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
	char switch_name[160]; /* InfiniBand: whose ports follow; empty: no switch's */
	char node_name[160]; /* Slurm: whose record it is */
	int column[2];	     /* CSV: of the two ends */
};

struct format {
	const char *name;
	/* A line without its end, to be written to. 0, or -1 with text. */
	int (*line)(struct reader *r, char *text);
	bool placed;
};

extern const struct format format_ibnetdiscover, format_cables, format_cutsheet, format_coords,
	format_slurm;

/* A cable between two hosts of these names. 0, or -1 with text. */
int reader_cable(struct reader *r, const char *a, const char *b);
/* A node at coordinates of a grid. 0, or -1 with text. */
int reader_place(struct reader *r, const char *node, int grid, const int *at);

#endif
