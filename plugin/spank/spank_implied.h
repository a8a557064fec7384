/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values for --mesh-ranks that other options imply.
 */
#ifndef MESH_SPANK_IMPLIED_H
#define MESH_SPANK_IMPLIED_H

/*
 * The order that a shape implies, for srun and for mpirun in a script. A folded shape
 * (--mesh-shape=18x1x1:fold) gives grid:18x1x1, if there are as many tasks as the shape has
 * vertices. A walk (--mesh-shape=ring:16) gives ring, if the step is on all of the nodes. free()
 * it; NULL: none.
 */
char *spank_implied_by_shape(const char *shape, int ntasks);

/*
 * The order that a pattern implies, for an srun or script whose user has given none: for example
 * grid:8x8, if there are as many tasks; otherwise auto. pattern NULL: none is known. free() it;
 * NULL if the user names the nodes.
 */
char *spank_implied_by_pattern(const char *pattern, int ntasks);

#endif
