/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/snapshot.h"

#include <stdlib.h>
#include <string.h>

struct held {
	int job, count;
	int *node;
};

void snapshot_init(struct snapshot *s, const struct mesh *mesh, const struct trace *trace,
	int64_t at)
{
	memset(s, 0, sizeof(*s));
	s->mesh = mesh;
	s->trace = trace;
	s->at = at;
}

void snapshot_release(struct snapshot *s)
{
	for (int i = 0; i < s->nheld; i++)
		free(s->held[i].node);
	free(s->held);
	picture_release(&s->picture);
	memset(s, 0, sizeof(*s));
}

static const char *user_of(const struct snapshot *s, int job)
{
	int user = s->trace->job[job].user;

	return user >= 0 ? s->trace->user[user] : NULL;
}

static void take(struct snapshot *s)
{
	struct mesh_err err;
	char id[32];

	s->taken = true;
	if (picture_init(&s->picture, s->mesh)) {
		s->failed = true;
		return;
	}
	for (int i = 0; i < s->nheld; i++) {
		const struct held *h = &s->held[i];
		struct picture_owner owner = {.id = id, .user = user_of(s, h->job)};

		snprintf(id, sizeof(id), "%lld", (long long)s->trace->job[h->job].id);
		if (picture_add(&s->picture, owner, h->node, h->count, &err) < 0)
			s->failed = true;
	}
	for (int i = 0; s->down && i < s->mesh->nnodes; i++)
		if (nodeset_has(s->down, i))
			s->picture.state[i] = NODE_DOWN;
}

void snapshot_placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct snapshot *s = data;

	if (!s->taken && now > s->at)
		take(s);
	if (s->taken)
		return;
	if (s->nheld == s->room) {
		int room = s->room * 2 + 64;
		void *bigger = realloc(s->held, (size_t)room * sizeof(*s->held));

		if (!bigger) {
			s->failed = true;
			return;
		}
		s->held = bigger;
		s->room = room;
	}
	struct held *h = &s->held[s->nheld];

	*h = (struct held){job, count, malloc((size_t)count * sizeof(int))};
	if (!h->node) {
		s->failed = true;
		return;
	}
	memcpy(h->node, node, (size_t)count * sizeof(int));
	s->nheld++;
}

void snapshot_ended(void *data, int job, int64_t now)
{
	struct snapshot *s = data;
	int at = 0;

	if (!s->taken && now > s->at)
		take(s);
	while (at < s->nheld && s->held[at].job != job)
		at++;
	if (s->taken || at == s->nheld)
		return;
	free(s->held[at].node);
	s->nheld--;
	memmove(&s->held[at], &s->held[at + 1], (size_t)(s->nheld - at) * sizeof(*s->held));
}

int snapshot_finish(struct snapshot *s, const char *title)
{
	if (!s->taken)
		take(s);
	if (s->failed || picture_measure(&s->picture))
		return -1;
	snprintf(s->picture.title, sizeof(s->picture.title), "%s", title);
	return 0;
}
