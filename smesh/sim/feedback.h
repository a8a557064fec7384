/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Users who wait for their jobs: when the machine is slower they submit later. A job may be
 * submitted some time after another one has ended, or after another one was submitted, instead of
 * at the time of the log.
 */
#ifndef SIM_FEEDBACK_H
#define SIM_FEEDBACK_H

#include "sim/trace.h"

struct feedback_job {
	int after;	/* index of the other job, an earlier one; -1: at its own time */
	bool of_submit; /* after its submission, not its end */
	int64_t think;	/* microseconds from then */
};

enum feedback_kind {
	FEEDBACK_NONE,
	FEEDBACK_LOG, /* fields 17 and 18 of the Standard Workload Format: preceding job, think time
		       */
	FEEDBACK_CLOSED, /* see below */
};

/*
 * A new array [njobs], NULL when memory is out. FEEDBACK_CLOSED (after Zakay and Feitelson,
 * "Preserving user behavior characteristics in trace-based simulation of parallel job scheduling",
 * MASCOTS 2014): each user is a closed loop. A job that was submitted after the user's job before
 * it had ended follows that one of the user's earlier jobs that had ended last, after the same
 * think time; one that was submitted while the one before it waited or ran belongs to the same
 * batch and follows its submission. What ended when goes by the waits of the log; where it has
 * none, jobs started at once. Jobs without user keep their times. O(n log n).
 */
struct feedback_job *feedback_make(const struct trace *trace, enum feedback_kind kind);

#endif
