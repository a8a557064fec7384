/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Accounting files of Torque, as Blue Waters has published them: a line a record.
 *
 *   03/18/2017 00:01:15;E;6335144.bw;user=u group=g account=a queue=normal ctime=1489668573
 *   qtime=1489668573 start=1489799118 exec_host=26742/0-31+26743/0-31 Resource_List.nodect=2
 *   Resource_List.walltime=04:00:00 unique_node_count=2 end=1489813275
 *
 * A record E is a job that has ended; all others are passed over. Times are seconds since 1970, in
 * Cobalt's files with a fraction; a start of 0 is none. PBS Pro also has a record of a whole array,
 * 123[], beside those of its jobs. Its nodect counts chunks, several of which may be on one host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/textfile.h"
#include "sim/need.h"
#include "sim/trace_format.h"

enum key {
	QTIME, CTIME, START, END, UNIQUE, VNODES, HOSTS, NODECT, WALLTIME, USER, ACCOUNT, GROUP,
	QUEUE, KEYS
};

static const char *const keys[KEYS] = {"qtime", "ctime", "start", "end", "unique_node_count",
	"exec_vnode", "exec_host", "Resource_List.nodect", "Resource_List.walltime", "user",
	"account", "group", "queue"};

/* The length of the date and the record's letter, or two; 0: it is no record. */
static int head(const char *line, char letter[3])
{
	int end = 0;

	sscanf(line, "%*2d/%*2d/%*4d %*2d:%*2d:%*2d;%2[A-Za-z];%n", letter, &end);
	return end;
}

static bool is_record(const char *line)
{
	char letter[3];

	return head(line, letter) > 0;
}

static void find_values(char *text, char *value[KEYS])
{
	for (char *word; (word = strsep(&text, " "));) {
		size_t length = strcspn(word, "=");

		for (int k = 0; word[length] && k < KEYS; k++)
			if (strlen(keys[k]) == length && !strncmp(keys[k], word, length))
				value[k] = word + length + 1;
	}
}

/* A whole number, 0 without one. That of a time may have a fraction, which does not count. */
static int parse(enum key key, const char *text, int64_t most, int64_t *number,
	struct mesh_err *err)
{
	char *end;

	*number = text ? strtoll(text, &end, 10) : 0;
	if (text && key <= END && *end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	return !text || (end > text && !*end && *number >= 0 && *number <= most) ? 0
		: err_printf(err, "%s= is not a whole number up to %lld: '%.32s'", keys[key],
			(long long)most, text);
}

/* Parse [[[DAYS:]HOURS:]MINUTES:]SECONDS. -1: it is no such time. */
static int64_t parse_span(const char *text)
{
	static const int64_t unit[] = {1, 60, 3600, 86400};
	int64_t field[4], sum = 0;
	int n = 0;

	do
		field[n++] = textfile_number(&text, 999999999);
	while (n < 4 && *text == ':' && text++);
	for (int i = 0; i < n; i++) {
		if (field[i] < 0)
			return -1;
		sum += field[i] * unit[n - 1 - i];
	}
	return *text ? -1 : sum;
}

static int parse_times(char *const *value, struct trace_slurm_job *job, struct mesh_err *err)
{
	const int64_t longest = (int64_t)TRACE_LONGEST;
	enum key submit = value[QTIME] ? QTIME : CTIME;

	if (!value[submit] || !value[START] || !value[END])
		return err_printf(err, "expected qtime= or ctime=, start= and end=");
	if (parse(submit, value[submit], longest, &job->submit, err) ||
		parse(START, value[START], longest, &job->start, err) ||
		parse(END, value[END], longest, &job->end, err))
		return -1;
	job->run = job->start ? job->end - job->start : 0;
	job->limit = value[WALLTIME] ? parse_span(value[WALLTIME]) : 0;
	return job->limit >= 0 && job->limit <= longest ? 0
		: err_printf(err, "%s= is not a time: '%.32s'", keys[WALLTIME], value[WALLTIME]);
}

/*
 * Count the hosts in n0/0*4+n1/0-31 or (n0:ncpus=4+n0[1]:ncpus=4)+(n1:ncpus=8), each once. 0: the
 * list has another form, or there is none.
 */
static int count_hosts(char *list)
{
	char **host = need(calloc(list ? strlen(list) / 2 + 1 : 1, sizeof(*host)));
	int n = 0, different = 0;

	for (char *one; (one = strsep(&list, "+"));) {
		one += strspn(one, "(");
		host[n++] = one;
		one += strcspn(one, "/:[");
		if (!strpbrk(one, "/:") || one == host[n - 1]) {
			n = 0;
			break;
		}
		*one = '\0';
	}
	sort_texts(host, n);
	for (int i = 0; i < n; i++)
		different += !i || strcmp(host[i - 1], host[i]) != 0;
	free(host);
	return different;
}

/* Torque counts the nodes; otherwise those count that the job had, or else that it asked for. */
static int parse_nodes(char *const *value, int64_t *count, struct mesh_err *err)
{
	enum key key = value[UNIQUE] ? UNIQUE : NODECT;

	for (int k = VNODES; k <= HOSTS && key == NODECT; k++)
		if ((*count = count_hosts(value[k])) > 0)
			return 0;
	return parse(key, value[key], INT32_MAX, count, err);
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	char *value[KEYS] = {NULL}, letter[3], *name;
	struct trace_slurm_job job = {.state = letter};
	int end;

	if (!(end = head(text, letter)))
		return err_printf(err, "expected MM/DD/YYYY HH:MM:SS;LETTER;JOB;KEY=VALUE ...");
	if (strcmp(letter, "E") != 0)
		return 0;
	text += end;
	name = strsep(&text, ";");
	if (!text || *name < '0' || *name > '9')
		return err_printf(err, "expected a job's number behind E;");
	if (strstr(name, "[]")) {
		trace_count_one(&r->trace->arrays, r->line);
		return 0;
	}
	find_values(text, value);
	if (parse_times(value, &job, err) || parse_nodes(value, &job.count, err))
		return -1;
	job.id = strtoll(name, NULL, 10);
	name[strcspn(name, ".")] = '\0'; /* 123 or 123[4], without the server */
	job.name = name;
	job.user = value[USER];
	job.account = value[ACCOUNT] ? value[ACCOUNT] : value[GROUP];
	job.qos = value[QUEUE];
	r->trace->nodes = true;
	return trace_slurm_add(r, &job, err);
}

const struct trace_format trace_torque = {.is = is_record, .line = take_line};
