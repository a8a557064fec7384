/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an order of ranks that is learnt would spare jobs, by the map alone.
 */
#ifndef SMESH_TRAFFIC_GAIN_H
#define SMESH_TRAFFIC_GAIN_H

#include "conf/jobpattern.h"

struct traffic_gain;

/* On the first mesh of the map (NULL: that beside slurm.conf). NULL after a message. */
struct traffic_gain *traffic_gain_open(const char *topology);

/*
 * How much less the most loaded link carries when the pattern's ranks are in order than in the
 * order of nodes, as a part of 1, on the nodes that such a job gets on the idle mesh. Negative: it
 * is not a ring or a grid with sides that is spread evenly over the nodes, or it is too large. The
 * answer for each pattern and number of nodes is kept.
 */
double traffic_gain_of(
	struct traffic_gain *gain, const struct mesh_pattern *pattern, int nodes);

/* NULL is fine. */
void traffic_gain_close(struct traffic_gain *gain);

#endif
