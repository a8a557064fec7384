/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Users told apart, in the order in which they came; those beyond MESH_USERS - 1 share the last
 * place.
 */
#ifndef MESH_USERS_H
#define MESH_USERS_H

#include <stdint.h>

enum { MESH_USERS = 256 };

struct mesh_users {
	uint32_t uid[MESH_USERS];
	int n;
};

/* The place of a user, 0..MESH_USERS-1; a new one if there is none yet. */
static inline int mesh_users_place(struct mesh_users *users, uint32_t uid)
{
	int i = 0;

	while (i < users->n && i < MESH_USERS - 1 && users->uid[i] != uid)
		i++;
	if (i == users->n)
		users->uid[users->n++] = uid;
	return i;
}

#endif
