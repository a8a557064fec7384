/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time-independent traces of MPI programs: what `smpirun -trace-ti` of SimGrid writes (a file with
 * the names of a file a rank, of lines RANK ACTION ARGUMENT...), or packed (the number of ranks;
 * then a line a rank, of letters with their arguments, as tests/lab/smpi/replay.cpp has them).
 */
#ifndef MESH_TITRACE_H
#define MESH_TITRACE_H

#include "base/err.h"
#include "ranks/traffic.h"

enum { TITRACE_RANKS = 2048 }; /* at most */

/*
 * What is sent in a trace, messages of collectives as collective.h has them; *messages: how many.
 * 0, and traffic_release() it; or -1 with `FILE:LINE: text`. O(file + ranks squared).
 */
int titrace_read(struct traffic *traffic, const char *path, double *messages, struct mesh_err *err);

#endif
