/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-learn with the user's records: what is known of a job, and measuring it.
 */
#ifndef MESH_SPANK_RECORDS_H
#define MESH_SPANK_RECORDS_H

#include "spank/spank_more.h"

struct rankmap_input;

/*
 * Find the record of a job, by `name` ("": the job's own name, or its program's) and its number of
 * tasks; or by the name alone, scaled to that number. Finished runs become records first. False:
 * there is none.
 */
bool spank_records_find(
	const struct spank_learn_site *site, const char *name, struct spank_more_learnt *learnt);

/*
 * Have MPI measure the step that this srun starts. A step is not measured if two runs have sent
 * alike and the program's file is older than the record, but for one run in learn_every. 0, or -1
 * with text.
 */
int spank_records_measure(
	const struct spank_learn_site *site, const char *name, struct mesh_err *err);

/*
 * Measure what mpirun starts in a script. 0 with the beginning of the files' names in prefix; 1:
 * enough is known already; -1 with text.
 */
int spank_records_script(const struct spank_learn_site *site,
	const struct spank_more_script *script, char prefix[SPANK_MORE_PATH], struct mesh_err *err);

/*
 * Keep the order of the step's ranks, place[] of rankmap_answer, which was learnt: if the step is
 * measured, the order is judged by what will have been sent. 0, or -1 with text.
 */
int spank_records_order(const struct rankmap_input *in, const int *place, struct mesh_err *err);

/* The step is over: make a record of what was measured. Frees the order. */
void spank_records_collect(void);

#endif
