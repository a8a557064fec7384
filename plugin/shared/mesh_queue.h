/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who waits first.
 */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "shared/mesh_conf.h"

/*
 * Does no other job wait before this one for nodes of some mesh? Only jobs count that could run in
 * the mesh and wait for nothing but nodes.
 */
bool mesh_queue_first(const job_record_t *job);
/* No more questions: free what is kept between them. */
void mesh_queue_fini(void);

#endif
