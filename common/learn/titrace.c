/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/titrace.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIXED = 8 }; /* arguments, without those of each rank */

/* The most units in a message, so that no sum overflows. */
static const double most = 5e10;

enum kind {
	SEND, DOWN, UP, DOUBLING, RING, BLOCKS, EACH, VARYING, GATHER, SCATTER, SCATTER_VARYING
};
/* An index of an argument: a number; plus R: behind the arguments of all ranks. */
enum { NONE = -1, R = 100 };

/*
 * The bytes of types by their codes, as SimGrid's src/smpi/mpi/smpi_datatype.cpp has them on x86-64
 * from 3.27 to 4.1. 3.25 had other types from 51.
 */
static const signed char size_of[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, /* double, int, char, ... */
	2, 4, 8, 8, 16, 4, 1, 1, 2, 4, /* from unsigned short: C's other types */
	8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
	8, 16, 16, 8, 8, 8, 16, 16, 4, 4, /* pairs, as of MPI_MAXLOC; from 38 Fortran's types */
	8, 16, 8, 16, 16, 4, 2, 4, 8, 16,
	32, 1, 8, 16, 32, 0, 0, 1, 8, 8}; /* from 51 C++'s */
enum { NULL_TYPE = -1, TYPES = sizeof(size_of) };

/*
 * The meaning of arguments: the receiver or root, the first size, the code of its unit's type
 * (NONE: bytes), and the least number of arguments. Roots and types may be missing: then 0, and
 * doubles.
 */
static const struct action {
	const char *word;
	enum kind kind;
	int to, size, type, needed;
} actions[] = {{"send", SEND, 0, 2, 3, 3}, {"start", SEND, 0, 2, NONE, 3},
	{"sendRecv", SEND, 1, 0, 4, 2}, {"bcast", DOWN, 1, 0, 2, 1}, {"reduce", UP, 2, 0, 3, 1},
	{"allreduce", DOUBLING, NONE, 0, 2, 1}, {"scan", DOUBLING, NONE, 0, 2, 1},
	{"exscan", DOUBLING, NONE, 0, 2, 1}, {"allgather", RING, NONE, 1, 3, 2},
	{"allgatherv", BLOCKS, NONE, 1, R + 1, R + 1}, {"alltoall", EACH, NONE, 0, 2, 1},
	{"alltoallv", VARYING, NONE, 1, 2 * R + 2, R + 1},
	{"reducescatter", VARYING, NONE, 0, R + 1, R}, {"gather", GATHER, 2, 0, 3, 1},
	{"gatherv", GATHER, R + 1, 0, R + 2, R + 1}, {"scatter", SCATTER, 2, 0, 3, 1},
	{"scatterv", SCATTER_VARYING, R + 1, 0, R + 2, R + 1}, {0}};

/*
 * In gatherv and scatterv only the root writes all sizes, and in gather those that receive. The
 * others write SIZE ROOT TYPE TYPE.
 */
static const struct action short_gather = {"gather", GATHER, 1, 0, 2, 4},
	short_scatterv = {"scatterv", SCATTER_VARYING, 1, 0, 2, 4};

/* Actions written as send. What a rank gets from the memory of another counts as sent, too. */
static const char *const sends = " send ssend bsend put rput accumulate raccumulate get rget"
	" get_accumulate rget_accumulate compare_and_swap ";

/* Actions that send nothing, beside those whose words begin with win_. */
static const char *const others = " init finalize compute sleep location comm_size comm_split"
	" comm_dup recv irecv wait waitall waitany waitsome test testall testany testsome probe"
	" iprobe barrier ibarrier io migrate iteration_in iteration_out ";

static bool is_one_of(const char *list, const char *word)
{
	char between[32];

	snprintf(between, sizeof(between), " %s ", word);
	return strcasestr(list, between);
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

/* The code of the unit's type; 0, doubles, if there is none. */
static double type_of(const struct arguments *a)
{
	int at = place(a->action->type, a->ranks);

	/* Behind the sizes of allgatherv there may be displacements, one for each rank. */
	if (a->action->kind == BLOCKS && a->n > at + 2 && a->n <= at + a->ranks)
		return 0;
	return at < a->n ? a->value[at] : 0;
}

static bool is_type(double code)
{
	return code >= NULL_TYPE && code < TYPES && code <= floor(code);
}

static int64_t unit_of(const struct arguments *a)
{
	int code;

	if (a->action->type == NONE)
		return 1;
	code = (int)type_of(a);
	return code == NULL_TYPE ? 0 : size_of[code];
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
	case GATHER: collective_send(from, to, bytes); break;
	case EACH:
	case SCATTER: collective_each(from, bytes); break;
	default: send_varying(from, a); break;
	}
}

/* Read numbers between blanks, at most `room`. False: there is something else. */
static bool read_arguments(char *text, struct arguments *a, int room)
{
	char *save = NULL, *end, *word;

	while ((word = strtok_r(a->n ? NULL : text, " \t", &save))) {
		double number = strtod(word, &end);

		if (*end || !(fabs(number) < HUGE_VAL) || a->n == room)
			return false;
		a->value[a->n++] = number;
	}
	return true;
}

/*
 * Does the rank send nothing: as it is not the root of a scatter, for MPI_PROC_NULL (a rank below
 * 0), or to itself, as Start has it for a receive?
 */
static bool sends_nothing(const struct arguments *a, int me)
{
	enum kind kind = a->action->kind;
	int to = rank_of(a);

	if (kind == SEND)
		return to < 0 || to == me;
	return to != me && (kind == SCATTER || kind == SCATTER_VARYING);
}

/* What is wrong with the arguments, as too few, no rank, or sizes that overflow; NULL: nothing. */
static const char *complain(const struct arguments *a, int me)
{
	static const char *const no_sense = "has arguments that make no sense";
	enum kind kind = a->action->kind;
	bool each = kind == VARYING || kind == BLOCKS || kind == SCATTER_VARYING;
	int first = a->action->size, to = place(a->action->to, a->ranks);

	if (a->n < place(a->action->needed, a->ranks) || (a->action->to >= 0 && to < a->n &&
		!(a->value[to] >= (kind == SEND ? INT32_MIN : 0) && a->value[to] < a->ranks)))
		return no_sense;
	if (a->action == actions && a->n == 3 && a->value[1] > a->value[2] && is_type(a->value[2]))
		return "has a size and a type, but no tag: of SimGrid before 3.21";
	if (sends_nothing(a, me))
		return NULL;
	/* The short form has no sizes of all, so it is not a root's. */
	if (a->action == &short_scatterv)
		return no_sense;
	for (int i = first; i < first + (each ? a->ranks : 1); i++)
		if (!(a->value[i] >= 0 && a->value[i] <= most))
			return no_sense;
	return a->action->type == NONE || is_type(type_of(a)) ? NULL
		: "has a type of a code that SMPI does not have";
}

static const struct action *find_action(const char *word)
{
	const struct action *a = actions;

	word += tolower((unsigned char)*word) == 'i'; /* ibcast */
	while (a->word && strcasecmp(a->word, word) != 0)
		a++;
	if (!a->word)
		a = is_one_of(sends, word) ? actions : NULL;
	return a;
}

/* An action that is none of actions[]. */
static const char *pass_over(const char *word)
{
	if (!strcasecmp(word, "startall"))
		return "does not say what it sends";
	return is_one_of(others, word) || !strncasecmp(word, "win_", 4) ? NULL : "is not an action";
}

const char *titrace_action(const struct collective *from, const char *word, char *arguments)
{
	struct arguments a = {.action = find_action(word), .ranks = from->ranks};
	int room = 2 * from->ranks + FIXED;
	const char *wrong = "has an argument that is not a number, or too many";

	if (!a.action)
		return pass_over(word);
	a.value = calloc((size_t)room, sizeof(*a.value));
	if (!a.value) {
		wrong = "needs more memory than there is";
	} else if (read_arguments(arguments, &a, room)) {
		if (a.n == short_gather.needed && a.action->kind == GATHER)
			a.action = &short_gather;
		if (a.n == short_scatterv.needed && a.action->kind == SCATTER_VARYING)
			a.action = &short_scatterv;
		wrong = complain(&a, from->rank);
		if (!wrong && !sends_nothing(&a, from->rank))
			send_all(from, &a);
	}
	free(a.value);
	return wrong;
}
