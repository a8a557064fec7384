/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of the jobs of a replay share links, and jobs slow down, by the model of smesh sim
 * --contention (sim/contention.h): a mix of all-to-all, random pairs, ring and grid. Times are
 * the trace's. Run times of the log are those of jobs whose messages meet no others.
 */
#ifndef REPLAY_NETWORK_H
#define REPLAY_NETWORK_H

#include "base/err.h"
#include "base/mesh.h"
#include "sim/trace.h"

struct network;

/* share: of the jobs' time is communication, 0..1. NULL with text. */
struct network *network_new(const struct mesh *mesh, const struct trace *trace, double share,
	uint64_t seed, struct mesh_err *err);
void network_free(struct network *net);

/* A job starts on these nodes (ascending). 0, or -1 when memory is out. */
int network_start(struct network *net, int job, const int *node, int64_t now);
/* It is over, however it ended; nothing when it did not run. */
void network_stop(struct network *net, int job, int64_t now);
/* When which job is done, as things are; INT64_MAX when none runs. */
int64_t network_next(struct network *net, int *job);

#endif
