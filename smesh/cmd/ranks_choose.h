/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh ranks -n: the nodes are not there yet. Several strategies choose them, ranks are placed on
 * each choice, and what comes of it stands side by side.
 */
#ifndef SMESH_RANKS_CHOOSE_H
#define SMESH_RANKS_CHOOSE_H

#include "base/nodeset.h"
#include "ranks/rankmap.h"

enum { RANKS_CHOICES = 24 };

struct ranks_choice {
	const char *nodes, *ranks; /* who chose the nodes; who placed the ranks */
	double hop_bytes, peak_load;
};

struct ranks_choose {
	const char *strategies; /* A,B,...; NULL: linear and snug */
	struct ranks_choice row[RANKS_CHOICES];
	int nrows, best; /* the least of what is minimised, of equal ones the first */
};

/*
 * For input->nnodes of the free nodes; all of input is set but node. The best one's nodes,
 * ascending, go to node[nnodes] and its ranks to answer, whose place[] is the caller's. SMESH_OK,
 * or another exit code after a message.
 */
int ranks_choose(struct ranks_choose *choose, const struct rankmap_input *input,
	const struct nodeset *free, int *node, struct rankmap_answer *answer);

#endif
