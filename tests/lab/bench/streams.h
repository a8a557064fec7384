/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * States that a stream of jobs leaves: the free nodes before some of its placements, and how many
 * nodes the job wanted.
 *
 * The jobs are Lublin and Feitelson's (smesh/sim/generate.h) at an offered load, scheduled
 * with backfilling and placed by the default strategy; the first half of the run is left out.
 */
#ifndef MESH_BENCH_STREAMS_H
#define MESH_BENCH_STREAMS_H

#include "base/mesh.h"
#include "base/nodeset.h"

struct stream_state {
	struct nodeset free;
	int count;
};

/* As many as `most` states, evenly over the run; how many, or -1. stream_release() them. */
int stream_record(const struct mesh *mesh, double load, int most, struct stream_state *state);
void stream_release(struct stream_state *state, int n);

#endif
