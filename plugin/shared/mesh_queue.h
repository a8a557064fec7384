/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The jobs that wait next, as strategies want to know them.
 */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "shared/mesh_conf.h"

/*
 * Into wanted[]: the numbers of nodes that the next waiting jobs want, in order of priority; how many, at
 * most mesh_look_ahead. Only jobs that could run in the part and wait for nothing but nodes; without the
 * job `except` (of a job array: without one of its tasks).
 */
int mesh_queue_next(const struct mesh_part *part, const job_record_t *except,
	int wanted[MESH_LOOK_AHEAD]);
/* Does no other job wait before this one in the queue of some mesh? */
bool mesh_queue_first(const job_record_t *job);
/* No more questions: free what is kept between them. */
void mesh_queue_fini(void);

#endif
