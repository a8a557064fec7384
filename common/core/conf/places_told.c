/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Parse NODE=TOPOLOGY,... into nodes of the arena. Returns how many, or -1. */
static int parse(const char *told, struct places_node **node, struct arena *arena)
{
	char *text = arena_text(arena, told), *rest = NULL;
	int n = 0;

	for (char *word = text ? strtok_r(text, ",", &rest) : NULL; word;
		word = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(word, '=');
		struct places_node *next = arena_grow(arena, node, n, sizeof(**node));

		if (!equals || !next)
			return -1;
		*equals = '\0';
		*next = (struct places_node){word, equals + 1};
		n++;
	}
	return text ? n : -1;
}

enum places_told places_hear(struct topoconf *topo, const char *told)
{
	enum places_told heard = PLACES_NOT_TOLD;
	struct places_node *node = NULL;
	struct arena arena = {0};
	uint64_t hash;
	int length = 0, n;

	if (!told || sscanf(told, "%16" SCNx64 ":%n", &hash, &length) != 1 || !length ||
		!strcmp(told + length, PLACES_ASK))
		return heard;
	heard = hash == topoconf_hash(topo) ? PLACES_TOLD : PLACES_OTHER;
	n = parse(told + length, &node, &arena);
	if (n < 0 || (n && places_rename(topo, node, n)))
		heard = PLACES_NOT_TOLD;
	arena_release(&arena);
	return heard;
}
