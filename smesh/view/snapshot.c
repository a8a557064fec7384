/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/snapshot.h"

#include <stdlib.h>
#include <string.h>

void snapshot_placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct snapshot *s = data;
	int *copy = malloc((size_t)count * sizeof(*copy));

	(void)now;
	if (copy && s->nheld == s->room) {
		int room = s->room * 2 + 64;
		void *bigger = realloc(s->held, (size_t)room * sizeof(*s->held));

		s->held = bigger ? bigger : s->held;
		s->room = bigger ? room : s->room;
	}
	if (!copy || s->nheld == s->room) {
		free(copy);
		s->failed = true;
		return;
	}
	memcpy(copy, node, (size_t)count * sizeof(*copy));
	s->held[s->nheld++] = (struct snapshot_job){job, count, copy};
}

void snapshot_ended(void *data, int job, int64_t now)
{
	struct snapshot *s = data;
	int at = 0;

	(void)now;
	while (at < s->nheld && s->held[at].job != job)
		at++;
	if (at == s->nheld)
		return;
	free(s->held[at].node);
	s->nheld--;
	memmove(&s->held[at], &s->held[at + 1], (size_t)(s->nheld - at) * sizeof(*s->held));
}

int snapshot_take(const struct snapshot *s, const struct trace *trace, struct picture *picture)
{
	struct mesh_err err;
	char id[32];

	for (int i = 0; i < s->nheld; i++) {
		const struct trace_job *job = &trace->job[s->held[i].job];
		struct picture_owner owner = {
			.id = id, .user = job->user >= 0 ? trace->user[job->user] : NULL};

		snprintf(id, sizeof(id), "%lld", (long long)job->id);
		if (picture_add(picture, owner, s->held[i].node, s->held[i].count, &err) < 0)
			return -1;
	}
	return s->failed || picture_measure(picture) ? -1 : 0;
}

void snapshot_release(struct snapshot *s)
{
	for (int i = 0; i < s->nheld; i++)
		free(s->held[i].node);
	free(s->held);
}
