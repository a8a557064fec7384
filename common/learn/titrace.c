/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/titrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MOST_BYTES: of a message, so that sums stay exact; FIXED: arguments but for one of each rank. */
enum { MOST_BYTES = 1000000000, FIXED = 8 };

enum kind { SEND, DOWN, UP, DOUBLING, RING, EACH, VARYING };
enum { NONE = -1, LAST_BUT_ONE = -2 };

/* Which argument is what: the receiver or root, the size, and the code of its unit's type. */
static const struct action {
	const char *word;
	enum kind kind;
	int to, size, type;
} actions[] = {{"send", SEND, 0, 2, 3}, {"isend", SEND, 0, 2, 3}, {"sendRecv", SEND, 1, 0, 4},
	{"bcast", DOWN, 1, 0, 2}, {"reduce", UP, 2, 0, 3}, {"allreduce", DOUBLING, NONE, 0, 2},
	{"scan", DOUBLING, NONE, 0, 2}, {"exscan", DOUBLING, NONE, 0, 2},
	{"allgather", RING, NONE, 1, 3}, {"alltoall", EACH, NONE, 0, 2},
	{"alltoallv", VARYING, NONE, 1, LAST_BUT_ONE}, {0}};

/* What sends nothing, and collectives that are not counted. */
static const char *const others = " init finalize compute sleep location comm_size comm_split"
	" comm_dup recv irecv wait waitall waitany waitsome test testall testany testsome probe"
	" iprobe barrier gather gatherv scatter scatterv allgatherv reducescatter ";

static bool is_other(const char *word)
{
	char between[32];

	snprintf(between, sizeof(between), " %s ", word);
	return strstr(others, between);
}

/* Bytes of the units that a type's code stands for in SMPI; doubles where nothing is said. */
static int64_t unit_of(const struct action *a, const int64_t *argument, int n)
{
	static const int size_of[] = {8, 4, 1, 2, 8, 4, 1};
	int at = a->type == LAST_BUT_ONE ? n - 2 : a->type;
	int64_t code = at >= 0 && at < n ? argument[at] : 0;

	return code < (int64_t)(sizeof(size_of) / sizeof(*size_of)) ? size_of[code] : 8;
}

static void send_all(
	const struct collective *from, const struct action *a, const int64_t *argument, int n)
{
	int64_t unit = unit_of(a, argument, n), bytes = argument[a->size] * unit;
	int to = a->to < 0 ? 0 : (int)argument[a->to];

	switch (a->kind) {
	case SEND: /* sendRecv has no tag */
		from->send(from->data, to, collective_tag(a->to ? 0 : (int)argument[1]), bytes);
		break;
	case DOWN: collective_tree(from, to, bytes, false); break;
	case UP: collective_tree(from, to, bytes, true); break;
	case DOUBLING: collective_doubling(from, bytes); break;
	case RING: collective_ring(from, bytes); break;
	case EACH: collective_each(from, bytes); break;
	case VARYING:
		for (to = 0; to < from->ranks; to++)
			collective_send(from, to, argument[a->size + to] * unit);
		break;
	}
}

/* How many numbers, at most `room`; or -1: there is something else. */
static int read_arguments(char *text, int64_t *argument, int room)
{
	char *save = NULL, *end, *word;
	int n = 0;

	while ((word = strtok_r(n ? NULL : text, " \t", &save))) {
		double number = strtod(word, &end);

		if (*end || !(number >= 0 && number <= MOST_BYTES) || n == room)
			return -1;
		argument[n++] = (int64_t)number;
	}
	return n;
}

int titrace_action(const struct collective *from, const char *word, char *arguments)
{
	const struct action *a = actions;
	int room = 2 * from->ranks + FIXED, n = -1, needed;
	int64_t *argument;

	while (a->word && strcmp(a->word, word) != 0)
		a++;
	if (!a->word)
		return is_other(word) ? 0 : -1;
	needed = (a->size > a->to ? a->size : a->to) + 1;
	if (a->kind == VARYING)
		needed = a->size + from->ranks;
	argument = calloc((size_t)room, sizeof(*argument));
	if (argument)
		n = read_arguments(arguments, argument, room);
	if (n >= needed && (a->to < 0 || argument[a->to] < from->ranks))
		send_all(from, a, argument, n);
	else
		n = -1;
	free(argument);
	return n < 0 ? -1 : 0;
}
