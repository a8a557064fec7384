/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job will probably run, from how long its user's last jobs ran: for jobs whose time
 * limit says nothing. The mean of the user's last two jobs predicts about as well as anything known
 * (D. Tsafrir, Y. Etsion and D. Feitelson, "Backfilling using system-generated predictions rather
 * than user runtime estimates", 2007); here of the last two with the same user, name and number of
 * nodes, else with the same user and name, else of the same user.
 *
 * A table of fixed size, in which a new entry replaces the least recently used one of its set:
 * whatever users do, it takes no more memory and no more time.
 */
#ifndef MESH_RUNTIMES_H
#define MESH_RUNTIMES_H

#include <stdint.h>

struct mesh_runtimes;

/* Empty, about 100 kB; NULL when memory is out. */
struct mesh_runtimes *mesh_runtimes_new(void);
void mesh_runtimes_free(struct mesh_runtimes *table);

/* Note that a job has run for this many seconds. name may be NULL. */
void mesh_runtimes_note(struct mesh_runtimes *table, uint32_t user, const char *name, int nodes,
	int64_t seconds);

/* The seconds that such a job will probably run, at least 1; 0: nothing is known of its user. */
int64_t mesh_runtimes_expect(
	struct mesh_runtimes *table, uint32_t user, const char *name, int nodes);

/*
 * When a job will end that began at `start` and was expected to run for `expected` seconds. One
 * that has already run longer is expected to go on for half of the time it has run.
 */
int64_t mesh_runtimes_end(int64_t start, int64_t expected, int64_t now);

#endif
