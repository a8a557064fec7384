/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job will probably run, from how long its user's last jobs ran: for jobs of whose
 * time limit nothing can be learnt. The mean of the last two is about as good as anything known
 * (Tsafrir, Etsion, Feitelson 2007); here of the last two of the same user, name and number of
 * nodes, else of the same user and name, else of the same user.
 *
 * A table of fixed size in which the new takes the place of what was longest out of use: whatever
 * users do, it takes no more memory and no more time.
 */
#ifndef MESH_RUNTIMES_H
#define MESH_RUNTIMES_H

#include <stdint.h>

struct mesh_runtimes;

/* Empty, about 100 kB; NULL when memory is out. */
struct mesh_runtimes *mesh_runtimes_new(void);
void mesh_runtimes_free(struct mesh_runtimes *table);

/* A job has run for so many seconds. name may be NULL. */
void mesh_runtimes_note(struct mesh_runtimes *table, uint32_t user, const char *name, int nodes,
	int64_t seconds);

/* Seconds that such a job will run, at least 1; 0: nothing is known of its user. */
int64_t mesh_runtimes_expect(struct mesh_runtimes *table, uint32_t user, const char *name, int nodes);

/*
 * When a job will end that has run since start and was expected to take so long. One that already
 * took longer may go on for half as long again.
 */
int64_t mesh_runtimes_end(int64_t start, int64_t expected, int64_t now);

#endif
