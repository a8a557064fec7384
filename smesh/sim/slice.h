/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The network of a slice of a machine that reconfigures (cubes.h): a torus, or a twisted one, in
 * which who leaves over an edge of the short sides comes back in half way along the long ones (J.
 * Camara et al., "Twisted torus topologies for enhanced interconnection networks", IEEE TPDS 2010).
 * That makes all sides alike: of slices k x k x 2k and k x 2k x 2k, as TPU v4 has them (Jouppi et
 * al. 2023).
 */
#ifndef SIM_SLICE_H
#define SIM_SLICE_H

#include "base/mesh.h"

struct slice {
	int ndims; /* sides beyond are 1 */
	int side[MESH_MAX_DIMS];
	bool twisted;
	bool open[MESH_MAX_DIMS]; /* a line, not a ring */
};

/* Are its sides k, k, 2k or k, 2k, 2k, in any order? */
bool slice_can_twist(const struct slice *slice);

struct slice_network {
	double hops; /* from a vertex to all others, the sum; where some sides are open, the mean */
	int diameter;
	/* All-to-all, 1 between each two vertices each way, equally over all shortest routes: what
	 * the most loaded links carry. */
	double peak;
};

/* 0, or -1 when memory is out. O(ndims); twisted, where all vertices are alike, O(vertices). */
int slice_measure(const struct slice *slice, struct slice_network *network);

#endif
