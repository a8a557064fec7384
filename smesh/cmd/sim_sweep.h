/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim --sweep NAME=LOW:HIGH:STEP|A,B,...: the same command with every value of an option, or
 * of several. A point is a session of its own, parsed from the same arguments and the values after
 * them; it borrows strategies and machine. The runs of all points go to the cores together, and a
 * workload is in memory only while it is run.
 */
#ifndef SMESH_SIM_SWEEP_H
#define SMESH_SIM_SWEEP_H

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>

struct sim_session;
struct runner_task;
struct option_row;

enum { SWEEP_AXES = 4, SWEEP_POINTS = 10000 };

struct sweep_axis {
	const struct option_row *row; /* of the option */
	char **value; /* [n] as text */
	int n;
};

struct sweep {
	struct sweep_axis axis[SWEEP_AXES];
	int naxes;
	struct sim_session *point; /* [npoints]; the last axis changes fastest */
	int npoints;
	pthread_mutex_t lock; /* of left[] and of loading */
	int *left; /* [npoints * repeat] runs that still need the workload */
	bool told; /* what was left out of the first one */
};

/* Each returns an exit code after a message, unless it is SMESH_OK. */

/* One --sweep. */
int sweep_take(struct sweep *sweep, const char *value);
/* Strategies and machine are there: the points, and the runs of all in session->runner. */
int sweep_setup(struct sim_session *session);
/* Before the run: this one of session->runner is known already, and needs no workload. */
void sweep_known(struct sim_session *session, const struct runner_task *task);
/* After the run: the reports as table, JSON or CSV. */
int sweep_write(struct sim_session *session);
/* The same as a new object; NULL after a message. */
json_t *sweep_json(struct sim_session *session);
void sweep_release(struct sim_session *session);

#endif
