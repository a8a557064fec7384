/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Max-min fair rates of flows over links, by progressive filling (Bertsekas and Gallager,
 * "Data networks", 6.5.2): the link that gives its flows least is filled first.
 */
#ifndef JUDGE_FLUID_H
#define JUDGE_FLUID_H

struct filling;

/* For at most nflows flows over nlinks links of this capacity, each at most `longest` links
 * long; NULL when memory is out. */
struct filling *filling_new(int nflows, int nlinks, int longest, double capacity);
void filling_free(struct filling *filling);

/* flow[n]: which of the flows there are; flow f takes link[f*longest .. +nlinks[f]], at least
 * one. rate[f] comes out. O(links of all flows * log links). */
void filling_solve(struct filling *filling, const int *flow, int n, const int *link,
	const int *nlinks, double *rate);

#endif
