/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config/runtimes.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
	SETS = 1024, /* a power of 2 */
	WAYS = 4,    /* keys of one set, the last used first */
	KINDS = 3,   /* user, name and nodes; user and name; user */
};

struct record {
	uint64_t key;	   /* 0: none */
	int64_t last, one; /* seconds of the last job and of the one before; -1: none */
};

struct mesh_runtimes {
	struct record record[SETS][WAYS];
};

struct mesh_runtimes *mesh_runtimes_new(void)
{
	return calloc(1, sizeof(struct mesh_runtimes));
}

void mesh_runtimes_free(struct mesh_runtimes *table)
{
	free(table);
}

/* Two keys that are alike by chance cost a bad guess, no more. */
static void make_keys(uint64_t *key, uint32_t user, const char *name, int nodes)
{
	key[2] = hash_bytes(HASH_BEGIN, &user, sizeof(user));
	key[1] = hash_bytes(key[2], name ? name : "", (name ? strlen(name) : 0) + 1);
	key[0] = hash_bytes(key[1], &nodes, sizeof(nodes));
	for (int i = 0; i < KINDS; i++)
		key[i] |= 1;
}

/* The record of a key, now the first of its set; NULL if there is none and none is to be made. */
static struct record *find(struct mesh_runtimes *table, uint64_t key, int make)
{
	struct record *set = table->record[key >> 32 & (SETS - 1)], found = {key, -1, -1};
	int at = 0;

	while (at < WAYS && set[at].key != key)
		at++;
	if (at == WAYS && !make)
		return NULL;
	if (at < WAYS)
		found = set[at];
	else
		at = WAYS - 1;
	memmove(&set[1], &set[0], (size_t)at * sizeof(*set));
	set[0] = found;
	return &set[0];
}

void mesh_runtimes_note(struct mesh_runtimes *table, uint32_t user, const char *name, int nodes,
	int64_t seconds)
{
	uint64_t key[KINDS];

	make_keys(key, user, name, nodes);
	for (int i = 0; i < KINDS; i++) {
		struct record *record = find(table, key[i], 1);

		record->one = record->last;
		record->last = seconds < 0 ? 0 : seconds < INT32_MAX ? seconds : INT32_MAX;
	}
}

int64_t mesh_runtimes_expect(
	struct mesh_runtimes *table, uint32_t user, const char *name, int nodes)
{
	uint64_t key[KINDS];

	make_keys(key, user, name, nodes);
	for (int i = 0; i < KINDS; i++) {
		const struct record *record = find(table, key[i], 0);
		int64_t seconds;

		if (!record)
			continue;
		seconds = record->one < 0 ? record->last : (record->last + record->one) / 2;
		return seconds > 1 ? seconds : 1;
	}
	return 0;
}

int64_t mesh_runtimes_end(int64_t start, int64_t expected, int64_t now)
{
	return start + expected > now ? start + expected : now + (now - start) / 2 + 1;
}
