/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Max-min fair rates of flows over links, by progressive filling (Bertsekas and Gallager,
 * "Data networks", 6.5.2): the rates of all rise alike until a link is full; those that use it
 * stay there, the others go on.
 */
#ifndef MESH_FILLING_H
#define MESH_FILLING_H

struct filling_flow {
	const int *link;      /* [n] */
	const double *weight; /* [n] what rate 1 takes of each, > 0; NULL: 1 */
	int n;		      /* >= 1 */
	double rate;	      /* comes out */
};

struct filling;

/* For links 0..nlinks-1, each of this capacity; NULL when memory is out. */
struct filling *filling_new(int nlinks, double capacity);
void filling_free(struct filling *filling);

/* The rates of n flows. 0, or -1 when memory is out. O(links of all flows * log links). */
int filling_solve(struct filling *filling, struct filling_flow *const *flow, int n);

#endif
