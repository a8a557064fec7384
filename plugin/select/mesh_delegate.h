/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Asking the stock plugin.
 */
#ifndef MESH_DELEGATE_H
#define MESH_DELEGATE_H

#include "shared/mesh_attempt.h"

/* Offer it these nodes, everything else as Slurm asked. Its answer, like job_test.stock(). */
int mesh_delegate(struct mesh_attempt *a, bitstr_t *nodes);
/* The same, but only whether the job can start now, without preemption. */
int mesh_delegate_now(struct mesh_attempt *a, bitstr_t *nodes);
/*
 * Nodes on which a part of the job could start now, as the stock plugin sees it: a new set, or
 * NULL when there are none. They may not be enough together. With `even` each can give its even
 * share of the job's CPUs and GRES, so that as many as the job has nodes are enough.
 */
bitstr_t *mesh_delegate_probe(struct mesh_attempt *a, bool even);

#endif
