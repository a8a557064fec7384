/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Give each place the name of its node, at[]. */
static int rename_in(struct mesh *mesh, const struct places_node *node, const int *at)
{
	for (int i = 0; i < mesh->nnodes; i++) {
		char **name = &mesh->node_name[i], *fresh;
		const char *now = at[i] >= 0 ? node[at[i]].name : *name;

		if (at[i] >= 0 ? !strcmp(*name, now) : at[i] != PLACES_AWAY)
			continue;
		if (!(fresh = arena_get(&mesh->arena, (int64_t)strlen(now) + 2, 1)))
			return -1;
		*name = strcat(strcpy(fresh, at[i] < 0 ? "-" : ""), now);
	}
	return mesh_index_names(mesh);
}

int places_rename(struct topoconf *topo, const struct places_node *node, int n)
{
	struct arena arena = {0};
	int **at = arena_get(&arena, topo->nmeshes, sizeof(*at)), rc;

	for (int m = 0; at && m < topo->nmeshes; m++)
		if (arena_array(&arena, at[m], topo->mesh[m]->nnodes))
			memset(at[m], -1, (size_t)topo->mesh[m]->nnodes * sizeof(**at));
	rc = arena.out ? -1 : places_assign(topo, node, n, at);
	for (int m = 0; m < topo->nmeshes && !rc; m++)
		rc = rename_in(topo->mesh[m], node, at[m]);
	arena_release(&arena);
	return rc;
}

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
