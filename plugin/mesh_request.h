/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From a job's record to what is asked of a strategy.
 */
#ifndef MESH_REQUEST_H
#define MESH_REQUEST_H

#include "select_base.h"
#include "mesh_conf.h"

struct mesh_want {
	const struct strategy_ops *ops;
	struct mesh_request request; /* count is what is wanted, see min */
	int min, max;	  /* nodes; fewer than request.count will do, down to min */
	bool count_open;  /* the number of nodes follows from tasks and CPUs: a guess */
	bool box;	  /* a free box or nothing */
	bool whole_nodes; /* the job shares its nodes with nobody */
	bool stock;	  /* leave it to the stock plugin */
};

void mesh_request_from_job(const struct job_test *test, struct mesh_want *want);

#endif
