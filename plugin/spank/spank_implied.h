/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of tasks where the user has not given one with --mesh-ranks.
 */
#ifndef MESH_SPANK_IMPLIED_H
#define MESH_SPANK_IMPLIED_H

#include <stdbool.h>

/* order=auto of plugstack.conf: the site wants tasks in order where the user says nothing. */
extern bool spank_implied_auto;

/*
 * The value for --mesh-ranks that this srun's or script's options imply; free() it, NULL: none. A
 * folded shape (--mesh-shape=18x1x1:fold) gives grid:18x1x1, if there are as many tasks as the
 * shape has vertices; a walk (--mesh-shape=ring:16) ring, if the step is on all of the nodes. With
 * order=auto a pattern gives for example grid:8x8, if there are as many tasks; otherwise the value
 * is auto, unless the user names the nodes.
 */
char *spank_implied_order(int ntasks);

#endif
