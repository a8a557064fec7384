/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What charts show of a run: hops and times by job size, busy nodes and the queue over time.
 */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include "sim/engine.h"

enum { PROFILE_SIZES = 26, PROFILE_BINS = 160 };

struct profile {
	/* Jobs of 2^(i-1)+1 .. 2^i nodes (i = 0: one node). */
	int jobs[PROFILE_SIZES];
	double mean_hops[PROFILE_SIZES];
	double mean_wait[PROFILE_SIZES]; /* seconds */
	double mean_stretch[PROFILE_SIZES]; /* run time / nominal */
	double mean_slowdown[PROFILE_SIZES]; /* turnaround / run time of at least 10 s (Feitelson et
						al. 1997) */
	double end;			 /* seconds; the bins divide 0..end evenly */
	double busy[PROFILE_BINS];	 /* share of the nodes, 0..1 */
	double waiting[PROFILE_BINS];	 /* jobs */
	double box[PROFILE_BINS]; /* vertices of the largest free box, share of the machine's */
	bool has_box; /* it was measured */
};

/* Nodes that were busy with what is not in the records: 0 <= from <= to <= end, in seconds. */
void profile_add(struct profile *profile, double from, double to, double share);

/* With engine_options.free_box: after profile_make(). */
void profile_space(struct profile *profile, const struct engine_result *result, int vertices);

void profile_make(struct profile *profile, const struct trace *trace,
	const struct engine_record *record, int nodes);

#endif
