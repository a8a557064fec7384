/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * job_test: narrow the nodes to what the strategy proposes, then let the stock plugin do its work
 * on those. Narrowing is safe: where the stock plugin does not accept the proposal it is offered
 * all nodes in the end (mesh by mesh, where jobs may not span meshes), unless the user or the
 * administrator asked for a box and nothing else.
 */
#ifndef MESH_PLACE_H
#define MESH_PLACE_H

#include "shared/job_test.h"

/*
 * SLURM_SUCCESS with the job's nodes left in test->bitmap, or the stock plugin's error. The numbers
 * of nodes in test become those of the job's shape, where it has one and said no -N.
 */
int mesh_place(struct job_test *test);

#endif
