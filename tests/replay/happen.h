/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What happens to the machine during a replay: nodes that fail and come back, reservations.
 *
 *   # when        what      nodes     more
 *   1-06:00:00    down      n[0-3]
 *   1-18:00:00    up        n[0-3]
 *   0             reserve   ALL       name=maint start=7-00:00:00 duration=04:00:00 flags=maint
 *
 * Times are seconds of the log or [D-]HH:MM:SS, from its first submission. Flags: maint,
 * ignore_jobs, daily, weekly; a reservation is root's.
 */
#ifndef REPLAY_HAPPEN_H
#define REPLAY_HAPPEN_H

#include <stdint.h>

#include "base/err.h"

enum happening_kind { HAPPEN_DOWN, HAPPEN_UP, HAPPEN_RESERVE };

struct happening {
	int64_t when; /* seconds */
	enum happening_kind kind;
	char *nodes, *name;
	int64_t start, duration;
	uint64_t flags; /* RESERVE_FLAG_* */
};

struct happenings {
	struct happening *list; /* by time, equal ones as in the file */
	int count;
};

/* 0, or -1 with `FILE:LINE: what is wrong`. happen_release() in both cases. */
int happen_read(struct happenings *all, const char *path, struct mesh_err *err);
void happen_release(struct happenings *all);
/* Tell slurmctld; began: the log's first moment on its clock, seconds. 0, or -1 with text. */
int happen_now(const struct happening *what, int64_t began, struct mesh_err *err);

#endif
