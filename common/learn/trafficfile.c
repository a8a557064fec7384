/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/trafficfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/textfile.h"
#include "learn/titrace.h"

enum { MOST_EDGES = 1 << 26 };

struct reader {
	struct arena arena;
	const char *path;
	struct traffic_edge *edge;
	int count, ranks;
	double messages, share; /* share: the sum over ranks */
	int sharers;
	/* There is no room for all messages of a trace; the trace has comm_split. */
	bool full, split;
	int rank;	   /* of the trace that is read */
	int named;	   /* the highest rank that a line names, and 1 */
	struct progname program;
	struct mesh_err *err;
};

/* The rank in a word, or -1. */
static long rank_in(const char *text)
{
	char *end;
	long rank;

	errno = 0;
	rank = strtol(text, &end, 10);
	return errno || end == text || *end || rank > INT32_MAX ? -1 : rank;
}

/* A day at 12 GB/s is more than 1e15 bytes. */
static bool number_in(const char *text, double *number)
{
	char *end = NULL;

	errno = 0;
	*number = text ? strtod(text, &end) : 0;
	return text && !errno && end != text && !*end && *number >= 0 && *number <= 1e18;
}

/*
 * Lines of Open MPI's component pml_monitoring that count: point to point (E), the messages of
 * collectives (I), one-sided ones out (S) and in (R). Its other lines describe collectives as the
 * program called them, and are skipped: I has their messages.
 */
static const char counted[] = " E I S R ", skipped[] = " C D O2A A2O A2A ";

static bool is_one_of(const char *word, const char *list)
{
	char between[8];

	return snprintf(between, sizeof(between), " %s ", word) < (int)sizeof(between) &&
	       strstr(list, between);
}

/* T RANK SHARE, as plugin/mpi writes it. */
static int take_share(struct reader *r, char *rest, int line)
{
	char *save = NULL, *rank = strtok_r(rest, " \t", &save);
	double share;

	if (!rank || rank_in(rank) < 0 || !number_in(strtok_r(NULL, " \t", &save), &share) ||
		share > 1)
		return err_at(r->err, r->path, line, "expected T RANK SHARE, 0 to 1");
	r->share += share;
	r->sharers++;
	return 0;
}

/* P WORD...: the command line of the program. */
static int take_program(struct reader *r, char *rest)
{
	char *word[PROGNAME_WORDS + 1], *save = NULL;
	int n = 0;

	for (char *w = strtok_r(rest, "\t", &save); w && n <= PROGNAME_WORDS;
		w = strtok_r(NULL, "\t", &save))
		word[n++] = w;
	if (!*r->program.file)
		progname_of(n, word, &r->program);
	return 0;
}

static int add_edge(struct reader *r, struct traffic_edge edge)
{
	struct traffic_edge *more =
		r->count < MOST_EDGES ? arena_grow(&r->arena, &r->edge, r->count, sizeof(*more))
				      : NULL;

	if (!more)
		return err_printf(r->err, "%.512s: too many messages", r->path);
	*more = edge;
	r->count++;
	return 0;
}

/* --- traces ------------------------------------------------------------------------------- */

static void send_one(void *data, int to, int64_t step, int64_t bytes)
{
	struct reader *r = data;

	r->full |= add_edge(r, (struct traffic_edge){r->rank, to, (double)bytes, step});
	r->messages++;
}

/* RANK ACTION ARGUMENT...: what the rank does. */
static int take_action(struct reader *r, long rank, char *text, int line)
{
	const struct collective from = {(int)rank, r->ranks, send_one, r};
	char *arguments = NULL, *word = strtok_r(text, " \t", &arguments);
	const char *wrong;

	if (rank >= r->ranks)
		return err_at(r->err, r->path, line, "rank %ld: there are 0 to %d", rank,
			r->ranks - 1);
	r->rank = (int)rank;
	r->split |= !strcasecmp(word, "comm_split");
	r->named = r->named > r->rank ? r->named : r->rank + 1;
	if ((wrong = titrace_action(&from, word, arguments)))
		return err_at(r->err, r->path, line, "'%.32s' %s", word, wrong);
	return r->full ? -1 : 0;
}

/* --- lines -------------------------------------------------------------------------------- */

/*
 * RANK RANK BYTES, maybe with a step behind it, and a number of messages behind that. Or a line of
 * Open MPI's: E RANK RANK BYTES bytes N msgs sent ...; the rounds of collectives are its steps.
 */
static int take_traffic(struct reader *r, char *first, char *save, int line)
{
	bool monitored = is_one_of(first, counted), wrong;
	char *word[5] = {first}, *end;
	struct traffic_edge edge;
	double messages = 0;
	long a, b;

	for (int i = monitored ? 0 : 1; i < 5; i++)
		word[i] = strtok_r(NULL, " \t", &save);
	/* A row of a matrix may begin with two ranks, too. */
	wrong = monitored ? !word[3] || strcmp(word[3], "bytes") != 0
			  : word[4] && strtok_r(NULL, " \t", &save);
	if (wrong || !word[2] || (a = rank_in(word[0])) < 0 || (b = rank_in(word[1])) < 0)
		return err_at(r->err, r->path, line, monitored ?
			"expected E RANK RANK BYTES bytes, as Open MPI writes it" :
			"expected RANK RANK BYTES [STEP [MESSAGES]]");
	if (a >= r->ranks || b >= r->ranks)
		return err_at(r->err, r->path, line, "rank %ld: there are 0 to %d",
			a >= r->ranks ? a : b, r->ranks - 1);
	edge = (struct traffic_edge){.a = (int)a, .b = (int)b};
	r->named = r->named > a ? r->named : edge.a + 1;
	r->named = r->named > b ? r->named : edge.b + 1;
	if (!number_in(word[2], &edge.weight))
		return err_at(r->err, r->path, line, "'%.32s' is not a number of bytes", word[2]);
	if (monitored) {
		edge.step = *first == 'I' ? collective_round(r->ranks, edge.a, edge.b) : 0;
	} else if (word[3]) {
		edge.step = strtoll(word[3], &end, 10);
		if (*end || edge.step < 0)
			return err_at(r->err, r->path, line, "'%.32s' is not a step", word[3]);
	}
	if (word[4] && !number_in(word[4], &messages) && !monitored)
		return err_at(r->err, r->path, line, "'%.32s' is not a number of messages",
			word[4]);
	r->messages += messages;
	return add_edge(r, edge);
}

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	char *save = NULL, *first;
	long rank;

	first = strtok_r(text, " \t", &save);
	rank = rank_in(first);
	save += strspn(save, " \t");
	if (is_one_of(first, skipped))
		return 0;
	if (!strcmp(first, "P"))
		return take_program(r, save);
	if (!strcmp(first, "T"))
		return take_share(r, save, line);
	return rank >= 0 && isalpha((unsigned char)*save) ? take_action(r, rank, save, line)
							   : take_traffic(r, first, save, line);
}

static int read_file(struct reader *r, const char *path)
{
	r->path = path;
	return textfile_read(path, take_line, r, r->err);
}

static int finish(struct reader *r, struct traffic *traffic, bool bad)
{
	bad = bad || traffic_init(traffic, r->ranks, r->edge, (size_t)r->count, r->err);
	arena_release(&r->arena);
	return bad ? -1 : 0;
}

int trafficfile_read(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err)
{
	struct reader r = {.ranks = ranks, .err = err};

	return finish(&r, traffic, read_file(&r, path));
}

int trafficfile_read_all(struct traffic *traffic, char *const *path, int ranks,
	struct traffic_run *run, struct mesh_err *err)
{
	struct reader r = {.ranks = ranks, .err = err};
	bool bad = false;
	int i;

	for (i = 0; i < ranks && path[i] && !bad && (size_t)r.count < run->most; i++)
		bad = read_file(&r, path[i]);
	run->messages = r.messages;
	run->share = r.sharers ? r.share / r.sharers : -1;
	run->files = i;
	run->named = r.named;
	run->split = r.split;
	run->program = r.program;
	return finish(&r, traffic, bad);
}
