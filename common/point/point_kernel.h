/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over vectors, compiled for each width; batch.c chooses one at run time. Lane l is the
 * centre (x+l, c1, c2, ...); its marks are -1, or 0.
 */
#ifndef MESH_POINT_KERNEL_H
#define MESH_POINT_KERNEL_H

#include <stdint.h>

struct batch;
struct batch_ball;
struct batch_spread;
struct batch_take;
struct mesh;
struct point_cells;
struct point_choice;

struct point_kernel {
	int width;
	/* batch_kernel.h: marginals of balls, what spreads from them, and lower bounds as struct
	 * batch_take says */
	void (*marginals)(struct batch *, struct batch_ball *, int x);
	void (*spread)(struct batch *, struct batch_ball *, struct batch_spread *);
	void (*shell)(struct batch *, const struct batch_take *, int x, float *added);
	/* cells_kernel.h: nodes of a shell */
	int64_t (*choose)(struct point_cells *, const struct mesh *, const struct point_choice *);
};

extern const struct point_kernel point_kernel_4, point_kernel_8;

#endif
