/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/titrace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIXED = 8 }; /* arguments, without those of each rank */

/* The most units in a message, so that no sum overflows. */
static const double most = 1e11;

enum kind {
	SEND, DOWN, UP, DOUBLING, RING, BLOCKS, EACH, VARYING, GATHER, SCATTER, SCATTER_VARYING
};
/* An index of an argument: a number; plus R: behind the arguments of all ranks. */
enum { NONE = -1, R = 100 };

/*
 * The meaning of arguments: the receiver or root, the first size, the code of its unit's type, and
 * the least number of arguments. Roots and types may be missing: then 0, and doubles.
 */
static const struct action {
	const char *word;
	enum kind kind;
	int to, size, type, needed;
} actions[] = {{"send", SEND, 0, 2, 3, 3}, {"isend", SEND, 0, 2, 3, 3},
	{"sendRecv", SEND, 1, 0, 4, 2}, {"bcast", DOWN, 1, 0, 2, 1}, {"reduce", UP, 2, 0, 3, 1},
	{"allreduce", DOUBLING, NONE, 0, 2, 1}, {"scan", DOUBLING, NONE, 0, 2, 1},
	{"exscan", DOUBLING, NONE, 0, 2, 1}, {"allgather", RING, NONE, 1, 3, 2},
	{"allgatherv", BLOCKS, NONE, 1, R + 1, R + 1}, {"alltoall", EACH, NONE, 0, 2, 1},
	{"alltoallv", VARYING, NONE, 1, 2 * R + 2, R + 1},
	{"reducescatter", VARYING, NONE, 0, R + 1, R}, {"gather", GATHER, 2, 0, 3, 1},
	{"gatherv", GATHER, R + 1, 0, R + 2, R + 1}, {"scatter", SCATTER, 2, 0, 3, 1},
	{"scatterv", SCATTER_VARYING, R + 1, 0, R + 2, R + 1}, {0}};

/* In gatherv and scatterv only the root writes all sizes. The others write SIZE ROOT TYPE TYPE. */
static const struct action short_gatherv = {"gatherv", GATHER, 1, 0, 2, 4},
	short_scatterv = {"scatterv", SCATTER_VARYING, 1, 0, 2, 4};

/* Actions that send nothing. */
static const char *const others = " init finalize compute sleep location comm_size comm_split"
	" comm_dup recv irecv wait waitall waitany waitsome test testall testany testsome probe"
	" iprobe barrier ";

static bool is_other(const char *word)
{
	char between[32];

	snprintf(between, sizeof(between), " %s ", word);
	return strcasestr(others, between);
}

/* The arguments of an action. */
struct arguments {
	const struct action *action;
	double *value;
	int n, ranks;
};

static int place(int code, int ranks)
{
	return code % R + code / R * ranks;
}

/* The bytes of a unit by its type's code in SMPI; doubles if there is no code. */
static int64_t unit_of(const struct arguments *a)
{
	static const int size_of[] = {8, 4, 1, 2, 8, 4, 1};
	int at = place(a->action->type, a->ranks);
	double code = at < a->n ? a->value[at] : 0;

	/* Behind the sizes of allgatherv there may be displacements, one for each rank. */
	if (a->action->kind == BLOCKS && a->n > at + 2 && a->n <= at + a->ranks)
		code = 0;
	return code < (double)(sizeof(size_of) / sizeof(*size_of)) ? size_of[(int)code] : 8;
}

/* The receiver or root. */
static int rank_of(const struct arguments *a)
{
	int at = a->action->to < 0 ? a->n : place(a->action->to, a->ranks);

	return at < a->n ? (int)a->value[at] : 0;
}

/* Send to each rank what the sizes say; in a ring all blocks but the one that the next rank has. */
static void send_varying(const struct collective *from, const struct arguments *a)
{
	int64_t unit = unit_of(a), all = 0;
	const double *size = a->value + a->action->size;
	int next = (from->rank + 1) % from->ranks;

	for (int to = 0; to < from->ranks; to++) {
		all += to == next ? 0 : (int64_t)size[to] * unit;
		if (a->action->kind != BLOCKS)
			collective_send(from, to, (int64_t)size[to] * unit);
	}
	if (a->action->kind == BLOCKS)
		collective_send(from, next, all);
}

static void send_all(const struct collective *from, const struct arguments *a)
{
	int64_t bytes = (int64_t)fmin(a->value[a->action->size], most) * unit_of(a);
	int to = rank_of(a), tag;

	switch (a->action->kind) {
	case SEND: /* sendRecv has no tag */
		tag = a->action->to ? 0 : (int)fmod(a->value[1], INT32_MAX);
		from->send(from->data, to, collective_tag(tag), bytes);
		break;
	case DOWN: collective_tree(from, to, bytes, false); break;
	case UP: collective_tree(from, to, bytes, true); break;
	case DOUBLING: collective_doubling(from, bytes); break;
	case RING: collective_ring(from, bytes); break;
	case EACH: collective_each(from, bytes); break;
	case GATHER: collective_send(from, to, bytes); break;
	case SCATTER:
		if (to == from->rank)
			collective_each(from, bytes);
		break;
	case SCATTER_VARYING:
		if (to != from->rank)
			break;
		/* fall through */
	case BLOCKS:
	case VARYING: send_varying(from, a); break;
	}
}

/* Read numbers between blanks, at most `room`. False: there is something else. */
static bool read_arguments(char *text, struct arguments *a, int room)
{
	char *save = NULL, *end, *word;

	while ((word = strtok_r(a->n ? NULL : text, " \t", &save))) {
		double number = strtod(word, &end);

		if (*end || !(number >= 0 && number < HUGE_VAL) || a->n == room)
			return false;
		a->value[a->n++] = number;
	}
	return true;
}

/* Are there enough arguments, a valid rank, and no sizes that overflow? */
static bool make_sense(const struct arguments *a, int me)
{
	enum kind kind = a->action->kind;
	bool each = kind == VARYING || kind == BLOCKS || kind == SCATTER_VARYING;
	int first = a->action->size, to = place(a->action->to, a->ranks);

	if (a->n < place(a->action->needed, a->ranks) ||
		(a->action->to >= 0 && to < a->n && !(a->value[to] < a->ranks)))
		return false;
	/* The short form has no sizes of all, so it is not a root's. */
	if (a->action == &short_scatterv)
		return rank_of(a) != me;
	for (int i = first; i < first + (each ? a->ranks : 1); i++)
		if (!(a->value[i] <= most))
			return false;
	return true;
}

static const struct action *find_action(const char *word)
{
	const struct action *a = actions;

	while (a->word && strcasecmp(a->word, word) != 0)
		a++;
	return a->word ? a : NULL;
}

int titrace_action(const struct collective *from, const char *word, char *arguments)
{
	struct arguments a = {.action = find_action(word), .ranks = from->ranks};
	int room = 2 * from->ranks + FIXED;
	bool good = false;

	if (!a.action)
		return is_other(word) ? 0 : -1;
	a.value = calloc((size_t)room, sizeof(*a.value));
	if (a.value && read_arguments(arguments, &a, room)) {
		if (a.n == short_gatherv.needed && a.action->to > R)
			a.action = a.action->kind == GATHER ? &short_gatherv : &short_scatterv;
		good = make_sense(&a, from->rank);
	}
	if (good)
		send_all(from, &a);
	free(a.value);
	return good ? 0 : -1;
}
