/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The high bits go into the low ones: names differ in their last digits. */
static unsigned hash_name(const char *name)
{
	uint64_t sum = hash_bytes(HASH_BEGIN, name, strlen(name));

	return (unsigned)(sum ^ sum >> 32);
}

/* Where the name is, or the free slot that it would have. */
static int *find_slot(const struct mesh_names *names, const char *name)
{
	unsigned at = hash_name(name) & names->mask;

	while (names->slot[at] >= 0 && strcmp(names->mesh->node_name[names->slot[at]], name))
		at = (at + 1) & names->mask;
	return &names->slot[at];
}

int mesh_names_init(struct mesh_names *names, const struct mesh *mesh)
{
	unsigned size = 2;

	/* At least half of it stays free, so that every search ends, and soon. */
	while (size < 2 * (unsigned)mesh->nnodes)
		size *= 2;
	*names = (struct mesh_names){
		.mesh = mesh, .slot = malloc(size * sizeof(int)), .mask = size - 1};
	if (!names->slot)
		return -1;
	memset(names->slot, -1, size * sizeof(int));
	for (int i = 0; i < mesh->nnodes; i++)
		*find_slot(names, mesh->node_name[i]) = i;
	return 0;
}

void mesh_names_release(struct mesh_names *names)
{
	free(names->slot);
	names->slot = NULL;
}

int mesh_names_find(const struct mesh_names *names, const char *name)
{
	return names->slot ? *find_slot(names, name) : -1;
}
