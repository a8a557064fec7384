/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The jobs that wait next, as strategies want to know them.
 */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "shared/mesh_conf.h"

/*
 * The numbers of nodes that the jobs of highest priority want which could run in the part and
 * wait for nothing but nodes, leaving out the one job (of an array: one of its tasks). Into
 * wanted[]; how many, by the administrator's mesh_look_ahead.
 */
int mesh_queue_next(const struct mesh_part *part, const job_record_t *except,
	int wanted[MESH_LOOK_AHEAD]);
/* No more questions: free what is kept between them. */
void mesh_queue_fini(void);

#endif
