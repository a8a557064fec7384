/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over vectors, compiled for each width; batch.c chooses one at run time. Lane l is the
 * centre (x+l, c1, c2, ...); its marks are -1, or 0.
 */
#ifndef MESH_POINT_KERNEL_H
#define MESH_POINT_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct batch;
struct batch_ball;
struct batch_spread;
struct batch_take;
struct mesh;
struct point;
struct point_cells;
struct point_centres;
struct point_choice;
struct point_shares;
struct point_sphere;

struct point_kernel {
	int width;
	/* batch_kernel.h: marginals of balls, what spreads from them, and lower bounds as struct
	 * batch_take says */
	void (*marginals)(struct batch *, struct batch_ball *, int x);
	void (*spread)(struct batch *, struct batch_ball *, struct batch_spread *);
	void (*shell)(struct batch *, const struct batch_take *, int x, float *added);
	/* centres_kernel.h: mark all n centres as open; has an open one as many nodes in its ball
	 * as are wanted? */
	void (*open)(struct point_centres *);
	bool (*filled)(const struct point_centres *, int wanted);
	/* Mark the open ones whose nodes all lie within the next shell (`ends`): is there one? */
	bool (*ends)(struct point_centres *, int wanted);
	/* What they share of it: is there a node to take? */
	bool (*shares)(const struct point_centres *, int wanted, struct point_shares *);
	/* Close them, and return a bit for each. *open: is another one still open? */
	unsigned (*settle)(struct point_centres *, bool *open);
	/* What batch_measure() needs; and after it, rounding. */
	void (*begin)(const struct point *, const int *count, struct batch_spread *);
	void (*slack)(const struct point *, const int *count, struct point_sphere *);
	/* Close open ones whose bound is above the limit; is one still open? */
	bool (*bound)(const struct point *, struct point_centres *);
	bool (*raise)(const struct point *, struct point_centres *, const struct batch_take *,
		const struct point_sphere *, const float *added);
	/* cells_kernel.h: nodes of a shell */
	int64_t (*choose)(struct point_cells *, const struct mesh *, const struct point_choice *);
};

extern const struct point_kernel point_kernel_4, point_kernel_8, point_kernel_16;

#endif
