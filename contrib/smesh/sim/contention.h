/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What placement does to run time: messages of running jobs share links.
 *
 * Each node of a job sends one unit of traffic, spread over its partners by a named pattern;
 * ranks are the job's nodes in ascending order. Messages go one dimension after the other, the
 * short way round where it wraps (half way: upwards). A link's load is the traffic that crosses
 * it in one direction, of all jobs. A message pays, at each link on its way, the load there;
 * a job's cost C is the mean over its messages: it grows with distance and with sharing. The
 * reference C0 is the same job alone in a box as cubic as the machine allows. Then
 *
 *	run time = nominal * (1 - share + share * max(1, C / C0))
 *
 * `share` being the part of the nominal run time that is communication. A model to compare
 * strategies by, not to predict seconds.
 */
#ifndef SIM_CONTENTION_H
#define SIM_CONTENTION_H

#include "base/mesh.h"

enum contention_pattern {
	CONTENTION_NONE,
	CONTENTION_ALL_TO_ALL, /* above CONTENTION_PEERS partners, so many drawn at random */
	CONTENTION_RING,       /* rank i to i+1 */
	CONTENTION_NEIGHBOUR,  /* ranks on a nearly cubic grid, to the neighbours there */
	CONTENTION_RANDOM,     /* rank i to one other */
};

enum { CONTENTION_PEERS = 128 };

/* "none", "all-to-all", "ring", "neighbour", "random"; NULL past the end. */
const char *contention_name(int pattern);

struct contention;
struct contention_job; /* the traffic of a running job */

/* NULL when memory is out. */
struct contention *contention_new(const struct mesh *mesh, enum contention_pattern pattern,
	double share, uint64_t seed);
void contention_free(struct contention *net);

/* Add a job on these nodes (ascending); NULL when memory is out. */
struct contention_job *contention_add(struct contention *net, const int *node, int count);
void contention_remove(struct contention *net, struct contention_job *job);

/* How many times its nominal time the job takes in the present company: >= 1. */
double contention_slowdown(const struct contention *net, const struct contention_job *job);
/* The load of its most loaded link. */
double contention_peak(const struct contention *net, const struct contention_job *job);
/* Sum over links of the job's own load: traffic times hops. */
double contention_traffic(const struct contention_job *job);
/* Links that carry messages of more than one job, now. */
int contention_shared(const struct contention *net);

#endif
