/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-learn with the user's records: what is known of a job, and what is measured.
 */
#ifndef MESH_SPANK_RECORDS_H
#define MESH_SPANK_RECORDS_H

#include "spank/spank_user.h"

struct runs_order;

/*
 * What is known of the job, by NAME ("": the job's own name, or its program's) and its number of
 * tasks; or of the name alone, made one of that number of tasks. False: nothing. Runs that have
 * ended are made records of first.
 */
bool spank_records_find(
	const struct spank_learn_site *site, const char *name, struct spank_learnt *learnt);

/*
 * Have MPI measure the step that this srun starts. Nothing is measured where two runs have sent
 * alike and the program's file is older, but for one run in learn_every. 0, or -1 with text.
 */
int spank_records_measure(
	const struct spank_learn_site *site, const char *name, struct mesh_err *err);

/*
 * Measure what mpirun starts in a script: the prefix of its files. 0; 1: so much is known that it is
 * not worth it; or -1 with text.
 */
int spank_records_script(const struct spank_learn_site *site, const struct spank_script *script,
	char prefix[SPANK_PATH], struct mesh_err *err);

/* Where to say how the step's ranks are put in order by what was learnt: that is judged when the
 * step is over. NULL: it is not measured. */
struct runs_order *spank_records_order(void);

/* The step is over: make a record of what was measured. */
void spank_records_collect(void);

#endif
