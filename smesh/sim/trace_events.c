/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Workloads (.events) of the Slurm simulator of the University at Buffalo
 * (github.com/ubccr-slurm-simulator): a line for each submission, with the options of sbatch.
 *
 *   -dt 16 -e submit_batch_job | -J jobid_1004 -sim-walltime 21 --uid=user3 -t 00:01:00 -n 24
 *   --ntasks-per-node=12 -A account1 -p normal -q normal pseudo.job
 *
 * -dt is the submission, in seconds from the beginning. A job without -sim-walltime above 0 runs to
 * its limit. Its nodes are -N, or -n by --ntasks-per-node; otherwise Slurm would choose them, so
 * they are not known.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "sim/trace_format.h"

enum value {
	SUBMIT, EVENT, RUN, LIMIT, TASKS, PER_NODE, NODES, NAME, ID, USER, ACCOUNT, PARTITION, QOS,
	CANCEL, ARRAY, VALUES
};

static const struct {
	const char *name;
	enum value value;
} options[] = {{"-dt", SUBMIT}, {"-e", EVENT}, {"-sim-walltime", RUN}, {"-t", LIMIT},
	{"--time", LIMIT}, {"-n", TASKS}, {"--ntasks", TASKS}, {"--ntasks-per-node", PER_NODE},
	{"-N", NODES}, {"--nodes", NODES}, {"-J", NAME}, {"--job-name", NAME}, {"-jid", ID},
	{"-j", ID}, {"--job-id", ID}, {"--uid", USER}, {"-A", ACCOUNT}, {"--account", ACCOUNT},
	{"-p", PARTITION}, {"--partition", PARTITION}, {"-q", QOS}, {"--qos", QOS},
	{"-cancel-in", CANCEL}, {"-a", ARRAY}, {"--array", ARRAY}};

static bool is_events(const char *line)
{
	const char *bar = strchr(line, '|'), *event = strstr(line, "-e submit_batch_job");

	return *line == '-' && event && bar > event;
}

/* Cut the next word off, without the quotes that hold blanks together. NULL: there is none. */
static char *next_word(char **text)
{
	char *from = *text + strspn(*text, " \t"), *to = from, *word = from, quote = 0;

	if (!*from)
		return NULL;
	for (; *from && (quote || !strchr(" \t", *from)); from++)
		if (quote ? *from == quote : *from == '"' || *from == '\'')
			quote = quote ? 0 : *from;
		else
			*to++ = *from;
	*text = from + (*from != '\0');
	*to = '\0';
	return word;
}

/* Look a word up: "-n", "-n4", "--ntasks" or "--ntasks=4", with *value behind the name or NULL. */
static enum value find_option(char *word, char **value)
{
	size_t n = sizeof(options) / sizeof(*options), length = strcspn(word, "=");

	*value = word[length] ? word + length + 1 : NULL;
	for (size_t i = 0; i < n; i++)
		if (strlen(options[i].name) == length && !strncmp(word, options[i].name, length))
			return options[i].value;
	*value = word + 2;
	for (size_t i = 0; i < n; i++)
		if (!options[i].name[2] && !strncmp(word, options[i].name, 2))
			return options[i].value;
	return VALUES;
}

static void find_values(char *text, const char *value[VALUES])
{
	enum value next = VALUES;

	for (char *word, *behind; (word = next_word(&text));)
		if (next < VALUES) {
			value[next] = word;
			next = VALUES;
		} else if ((next = find_option(word, &behind)) < VALUES && behind) {
			value[next] = behind;
			next = VALUES;
		}
}

/* Parse a number from `least` on, or leave *number where there is no text. */
static int parse(const char *what, const char *text, double least, double *number,
	struct mesh_err *err)
{
	return !text || !trace_number(text, least, TRACE_LONGEST, number) ? 0
		: err_printf(err, "%s is not a number from %.0f on: '%.32s'", what, least, text);
}

static int count_nodes(const char *const *value, int *count, struct mesh_err *err)
{
	double nodes = 0, tasks = 1, per_node = 0;

	if (parse("-N", value[NODES], 1, &nodes, err) ||
		parse("-n", value[TASKS], 1, &tasks, err) ||
		parse("--ntasks-per-node", value[PER_NODE], 1, &per_node, err))
		return -1;
	if (!(nodes > 0) && !(per_node > 0) && tasks > 1)
		return err_printf(err, "-n without -N or --ntasks-per-node: on how many nodes it "
			"would run is not known");
	nodes = nodes > 0 ? nodes : per_node > 0 ? ceil(tasks / per_node) : 1;
	if (nodes > INT32_MAX || nodes - floor(nodes) > 0)
		return err_printf(err, "a job of %g nodes", nodes);
	*count = (int)nodes;
	return 0;
}

static int parse_times(const char *const *value, struct trace_job *job, struct mesh_err *err)
{
	double submit = -1, run = -1;
	int64_t limit = value[LIMIT] ? textfile_seconds(value[LIMIT]) : 0;

	if (parse("-dt", value[SUBMIT], 0, &submit, err) ||
		parse("-sim-walltime", value[RUN], -TRACE_LONGEST, &run, err))
		return -1;
	if (submit < 0)
		return err_printf(err, "expected -dt");
	limit = limit == -1 ? 0 : limit; /* none */
	if (limit < 0 || (double)limit > TRACE_LONGEST)
		return err_printf(err, "-t is not a time: '%.32s'", value[LIMIT]);
	if (!(run > 0) && !limit)
		return err_printf(err, "neither -sim-walltime above 0 nor -t");
	job->submit = trace_time(submit);
	job->estimate = limit * SIM_SECOND;
	job->run = run > 0 ? trace_time(run) : job->estimate;
	return 0;
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	const char *value[VALUES] = {NULL}, *id;
	char *bar = strchr(text, '|');
	struct trace_job found = TRACE_JOB;

	if (bar)
		*bar = ' ';
	find_values(text, value);
	if (!bar || !value[EVENT] || strcmp(value[EVENT], "submit_batch_job") != 0)
		return err_printf(err, "expected -dt SECONDS -e submit_batch_job | OPTIONS");
	if (value[CANCEL])
		return err_printf(err, "-cancel-in: jobs that users cancel are not simulated");
	if (value[ARRAY])
		return err_printf(err, "--array: expected a line for each job of it");
	if (parse_times(value, &found, err) || count_nodes(value, &found.count, err))
		return -1;
	id = value[ID] ? value[ID] : value[NAME] ? value[NAME] + strcspn(value[NAME], "0123456789")
						 : "";
	found.id = *id ? strtoll(id, NULL, 10) : r->trace->njobs + 1;
	found.line = r->line;
	found.user = trace_user(r->trace, value[USER]);
	found.group = trace_user(r->trace, value[ACCOUNT]);
	found.queue = trace_user(r->trace, value[QOS]);
	found.partition = trace_user(r->trace, value[PARTITION]);
	*trace_add(r->trace) = found;
	r->trace->nodes = true;
	return 1;
}

const struct trace_format trace_events = {.is = is_events, .line = take_line, .comment = '#'};
