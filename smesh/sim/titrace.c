/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/titrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/textfile.h"
#include "ranks/collective.h"

enum { PATH = 4096, MOST_BYTES = 1000000000 /* of one message; what sums are of stays exact */ };

struct reader {
	const char *path; /* of the file at hand */
	int ranks, rank;  /* who does what is read */
	bool packed;
	double *sent;	  /* [ranks * ranks], by who sends */
	int64_t *argument; /* [2 * ranks + MORE] of the action at hand */
	double messages;
	char **file; /* [ranks] names in an index */
	struct mesh_err *err;
};

enum { MORE = 8 };

/* --- actions -------------------------------------------------------------------------------- */

enum kind { SEND, DOWN, UP, DOUBLING, RING, EACH, VARYING };
enum { NONE = -1, LAST_BUT_ONE = -2 };

/* Which argument is what: the receiver or root, the size, and the code of its unit's type. */
static const struct action {
	const char *word;
	enum kind kind;
	int to, size, type;
} actions[] = {{"send", SEND, 0, 2, 3}, {"isend", SEND, 0, 2, 3}, {"sendRecv", SEND, 1, 0, 4},
	{"bcast", DOWN, 1, 0, 2}, {"reduce", UP, 2, 0, 3}, {"allreduce", DOUBLING, NONE, 0, 2},
	{"allgather", RING, NONE, 1, 3}, {"alltoall", EACH, NONE, 0, 2},
	{"alltoallv", VARYING, NONE, 1, LAST_BUT_ONE}, {"s", SEND, 0, 1, NONE},
	{"S", SEND, 0, 1, NONE}, {"x", SEND, 0, 1, NONE}, {"B", DOWN, 1, 0, NONE},
	{"e", UP, 1, 0, NONE}, {"A", DOUBLING, NONE, 0, NONE}, {"g", RING, NONE, 0, NONE},
	{"t", EACH, NONE, 0, NONE}, {"v", VARYING, NONE, 0, NONE}};

static void add(void *data, int to, int64_t bytes)
{
	struct reader *r = data;

	r->sent[(int64_t)r->rank * r->ranks + to] += (double)bytes;
	r->messages++;
}

/* Bytes of the units that a type's code stands for in SMPI; doubles where nothing is said. */
static int64_t unit_of(const struct action *a, const int64_t *argument, int n)
{
	static const int size_of[] = {8, 4, 1, 2, 8, 4, 1};
	int at = a->type == LAST_BUT_ONE ? n - 2 : a->type;
	int64_t code = at >= 0 && at < n ? argument[at] : 0;

	if (a->type == NONE)
		return 1;
	return code < (int64_t)(sizeof(size_of) / sizeof(*size_of)) ? size_of[code] : 8;
}

static void send_all(struct reader *r, const struct action *a, int n)
{
	const struct collective c = {r->rank, r->ranks, add, r};
	const int64_t *argument = r->argument;
	int64_t unit = unit_of(a, argument, n), bytes = argument[a->size] * unit;
	int to = a->to < 0 ? 0 : (int)argument[a->to];

	switch (a->kind) {
	case SEND: add(r, to, bytes); break;
	case DOWN: collective_tree(&c, to, bytes, false); break;
	case UP: collective_tree(&c, to, bytes, true); break;
	case DOUBLING: collective_doubling(&c, bytes); break;
	case RING: collective_ring(&c, bytes); break;
	case EACH: collective_each(&c, bytes); break;
	case VARYING:
		for (to = 0; to < r->ranks; to++)
			if (to != r->rank)
				add(r, to, argument[a->size + to] * unit);
		break;
	}
}

/* Numbers between blanks or commas; how many, or -1: there is something else. */
static int read_arguments(struct reader *r, char *text)
{
	static const char between[] = " \t,";
	char *save = NULL, *end;
	int n = 0;

	for (char *word = strtok_r(text, between, &save); word;
		word = strtok_r(NULL, between, &save)) {
		double number = strtod(word, &end);

		if (*end || !(number >= 0 && number <= MOST_BYTES) || n == 2 * r->ranks + MORE)
			return -1;
		r->argument[n++] = (int64_t)number;
	}
	return n;
}

/* Actions that send nothing need not be known. */
static int take_action(struct reader *r, const char *word, char *rest, int line)
{
	const struct action *a = actions;
	int n, needed;

	while (a < actions + sizeof(actions) / sizeof(*actions) && strcmp(a->word, word) != 0)
		a++;
	if (a == actions + sizeof(actions) / sizeof(*actions))
		return 0;
	n = read_arguments(r, rest);
	needed = a->kind == VARYING ? a->size + r->ranks : (a->size > a->to ? a->size : a->to) + 1;
	if (n < needed || (a->to >= 0 && r->argument[a->to] >= r->ranks))
		return err_at(r->err, r->path, line, "'%.32s' with arguments that make no sense",
			word);
	send_all(r, a, n);
	return 0;
}

/* --- files ---------------------------------------------------------------------------------- */

/* RANK ACTION ARGUMENT... */
static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	char *end, *action, *rest = NULL;
	long rank = strtol(text, &end, 10);

	action = strtok_r(end, " \t", &rest);
	if (end == text || !action || rank < 0 || rank >= r->ranks)
		return err_at(r->err, r->path, line, "expected RANK ACTION, RANK 0 to %d",
			r->ranks - 1);
	r->rank = (int)rank;
	return take_action(r, action, rest, line);
}

/* A rank's whole run: c100 s1,8,0 ... */
static int take_rank(struct reader *r, char *text, int line)
{
	char *save = NULL;

	for (char *word = strtok_r(text, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		char letter[2] = {*word, '\0'};

		if (take_action(r, letter, word + 1, line))
			return -1;
	}
	return 0;
}

static int begin(struct reader *r, long ranks, int line)
{
	if (ranks < 1 || ranks > TITRACE_RANKS)
		return err_at(r->err, r->path, line, "a trace of 1 to %d ranks", TITRACE_RANKS);
	r->ranks = (int)ranks;
	r->sent = calloc((size_t)(ranks * ranks), sizeof(*r->sent));
	r->argument = malloc((size_t)(2 * ranks + MORE) * sizeof(*r->argument));
	return r->sent && r->argument ? 0 : err_printf(r->err, "out of memory");
}

/* The first file: the number of ranks and what they do, or names. */
static int take_first(void *data, char *text, int line)
{
	struct reader *r = data;
	char *end;
	long ranks = strtol(text, &end, 10);

	if (r->packed) {
		r->rank = line - 2;
		return r->rank < r->ranks
			? take_rank(r, text, line)
			: err_at(r->err, r->path, line, "there are %d ranks", r->ranks);
	}
	if (line == 1 && end != text && !*end) {
		r->packed = true;
		return begin(r, ranks, line);
	}
	if (!r->file && !(r->file = calloc(TITRACE_RANKS, sizeof(*r->file))))
		return err_printf(r->err, "out of memory");
	if (r->ranks == TITRACE_RANKS || !(r->file[r->ranks] = strdup(text)))
		return err_at(r->err, r->path, line, "more than %d ranks", TITRACE_RANKS);
	r->ranks++;
	return 0;
}

/* Names are from the directory of the index. */
static int read_files(struct reader *r, const char *index)
{
	const char *slash = strrchr(index, '/');
	int length = slash ? (int)(slash - index) + 1 : 0, bad = begin(r, r->ranks, 1);

	for (int i = 0; i < r->ranks && !bad; i++) {
		char path[PATH];

		snprintf(path, sizeof(path), "%.*s%s", *r->file[i] == '/' ? 0 : length, index,
			r->file[i]);
		r->path = path;
		bad = access(path, R_OK) ? err_at(r->err, index, i + 1,
			"'%.64s' is not a file of the trace", path)
					 : textfile_read(path, take_line, r, r->err);
	}
	return bad;
}

static int to_traffic(struct reader *r, struct traffic *traffic)
{
	size_t pairs = (size_t)r->ranks * (size_t)r->ranks, count = 0;
	struct traffic_edge *edge = malloc(pairs * sizeof(*edge));
	int bad;

	for (size_t i = 0; edge && i < pairs; i++)
		if (r->sent[i] > 0)
			edge[count++] = (struct traffic_edge){(int)(i / (size_t)r->ranks),
				(int)(i % (size_t)r->ranks), r->sent[i]};
	bad = edge ? traffic_init(traffic, r->ranks, edge, count, r->err)
		   : err_printf(r->err, "out of memory");
	free(edge);
	return bad;
}

int titrace_read(struct traffic *traffic, const char *path, double *messages, struct mesh_err *err)
{
	struct reader r = {.path = path, .err = err};
	int bad = textfile_read(path, take_first, &r, err);

	if (!bad && !r.packed)
		bad = read_files(&r, path);
	if (!bad)
		bad = to_traffic(&r, traffic);
	*messages = r.messages;
	for (int i = 0; r.file && i < TITRACE_RANKS; i++)
		free(r.file[i]);
	free(r.file);
	free(r.sent);
	free(r.argument);
	return bad ? -1 : 0;
}
