/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a learnt order of ranks would save, by the map alone.
 */
#ifndef SMESH_TRAFFIC_GAIN_H
#define SMESH_TRAFFIC_GAIN_H

#include "conf/jobpattern.h"

struct traffic_gain;

/* Open the first mesh of the map (NULL: the one beside slurm.conf). NULL after a message. */
struct traffic_gain *traffic_gain_open(const char *topology);

/*
 * How much less the most loaded link carries if ranks are ordered by the pattern instead of by
 * node, as a share of 1, on the nodes that such a job gets on the idle mesh. Negative: the pattern
 * is no ring or grid with sides that can be spread evenly over the nodes, or is too large. Answers
 * are cached by pattern and number of nodes.
 */
double traffic_gain_of(
	struct traffic_gain *gain, const struct mesh_pattern *pattern, int nodes);

/* NULL is fine. */
void traffic_gain_close(struct traffic_gain *gain);

#endif
