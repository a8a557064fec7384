/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config/jobenv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/box.h"
#include "geometry/metrics.h"

enum { NAME, DIMS, WRAP, COORD, BOX, MEAN_HOPS, JOB_BOUNDS, JOB_WRAP, JOB_COORD, JOB_RANK,
	NODE_CHIPS, JOB_CHIPS, JOB_HOSTS };

const char *const jobenv_names[JOBENV_FIELDS] = {[NAME] = "NAME", [DIMS] = "DIMS",
	[WRAP] = "WRAP", [COORD] = "COORD", [BOX] = "BOX", [MEAN_HOPS] = "MEAN_HOPS",
	[JOB_BOUNDS] = "JOB_BOUNDS", [JOB_WRAP] = "JOB_WRAP", [JOB_COORD] = "JOB_COORD",
	[JOB_RANK] = "JOB_RANK", [NODE_CHIPS] = "NODE_CHIPS", [JOB_CHIPS] = "JOB_CHIPS",
	[JOB_HOSTS] = "JOB_HOSTS"};

/* A value that is being written; length JOBENV_VALUE or more: it is too long. */
struct text {
	char *at;
	size_t length;
};

static void put(struct text *text, const char *word, size_t length)
{
	if (text->length + length < JOBENV_VALUE)
		memcpy(text->at + text->length, word, length);
	text->length += length;
}

/* The end; false: it is too long. */
static bool end(struct text *text)
{
	put(text, "", 1);
	return text->length <= JOBENV_VALUE;
}

static void set_numbers(struct jobenv *job, int i, int ndims, const int *number)
{
	char between = i == DIMS || i == BOX ? 'x' : ',', *text = job->text[i];
	int length = 0;

	for (int d = 0; d < ndims; d++)
		length += snprintf(text + length, sizeof(job->text[i]) - (size_t)length, "%.*s%d",
			!!d, &between, number[d]);
}

static void set_words(
	struct jobenv *job, int i, int ndims, const bool *flag, const char *const word[2])
{
	for (int d = 0; d < ndims; d++)
		snprintf(job->text[i] + strlen(job->text[i]), 16, "%s%s", d ? "," : "",
			word[flag[d]]);
}

/* Nodes of the box in the order of their ranks. */
static void write_hosts(struct text *text, const struct mesh *mesh, const struct mesh_box *box)
{
	int64_t volume = box_volume(mesh->ndims, box->side);

	for (int place = 0; place < volume; place++) {
		int coord[MESH_MAX_DIMS], rest = place, v;

		for (int d = 0; d < mesh->ndims; d++) {
			coord[d] = (box->base[d] + rest % box->side[d]) % mesh->side[d];
			rest /= box->side[d];
		}
		v = mesh_vertex(mesh, coord);
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
			const char *name = mesh->node_name[mesh->node_at[i]];

			put(text, ",", text->length > 0);
			put(text, name, strlen(name));
		}
	}
}

static int set_hosts(struct jobenv *job, const struct mesh *mesh, const struct mesh_box *box)
{
	struct text hosts = {.at = malloc(JOBENV_VALUE)};

	if (!(job->value[JOB_HOSTS] = hosts.at))
		return -1;
	write_hosts(&hosts, mesh, box);
	if (!end(&hosts))
		*hosts.at = '\0';
	return 0;
}

/*
 * What launchers of accelerators want to know: the box around the job's nodes, where in it this
 * node is, and its number there, the first dimension fastest; and all that in chips.
 */
static void set_job(
	struct jobenv *job, const struct mesh *mesh, const struct mesh_box *box, int here)
{
	int at[MESH_MAX_DIMS], chips[MESH_MAX_DIMS], rank = 0, stride = 1;
	bool ring[MESH_MAX_DIMS]; /* round the machine: messages may go either way */

	for (int d = 0; d < mesh->ndims; d++) {
		at[d] = mesh->coord[mesh->vertex_of[here]][d] - box->base[d];
		at[d] += at[d] < 0 ? mesh->side[d] : 0;
		chips[d] = box->side[d] * mesh->node_side[d];
		ring[d] = mesh->wrap[d] && box->side[d] == mesh->side[d];
		rank += at[d] * stride;
		stride *= box->side[d];
	}
	rank *= mesh->nodes_per_vertex;
	for (int i = mesh->first[mesh->vertex_of[here]]; mesh->node_at[i] != here; i++)
		rank++;
	set_numbers(job, BOX, mesh->ndims, box->side);
	set_numbers(job, JOB_BOUNDS, mesh->ndims, box->side);
	set_numbers(job, JOB_COORD, mesh->ndims, at);
	set_numbers(job, JOB_RANK, 1, &rank);
	set_words(job, JOB_WRAP, mesh->ndims, ring, (const char *const[]){"false", "true"});
	if (!mesh->node_side[0])
		return;
	set_numbers(job, NODE_CHIPS, mesh->ndims, mesh->node_side);
	set_numbers(job, JOB_CHIPS, mesh->ndims, chips);
}

int jobenv_init(
	struct jobenv *job, const struct mesh *mesh, const int *node, int nnodes, int here)
{
	struct mesh_box box;
	struct mesh_metrics metrics;
	int coord[MESH_MAX_DIMS];

	*job = (struct jobenv){.whole = false};
	for (int i = 0; i < JOBENV_VARIABLES; i++)
		job->value[i] = job->text[i];
	for (int d = 0; d < mesh->ndims; d++)
		coord[d] = mesh->coord[mesh->vertex_of[here]][d];
	snprintf(job->text[NAME], sizeof(job->text[NAME]), "%s", mesh->name);
	set_numbers(job, DIMS, mesh->ndims, mesh->side);
	set_words(job, WRAP, mesh->ndims, mesh->wrap, (const char *const[]){"no", "yes"});
	set_numbers(job, COORD, mesh->ndims, coord);
	if (!nnodes)
		return 0;
	box = box_around(mesh, node, nnodes);
	set_job(job, mesh, &box, here);
	if (mesh_measure(mesh, node, nnodes, &metrics))
		return -1;
	snprintf(job->text[MEAN_HOPS], sizeof(job->text[0]), "%.4g", metrics.mean_hops);
	job->whole = box_volume(mesh->ndims, box.side) * mesh->nodes_per_vertex == nnodes;
	return job->whole ? set_hosts(job, mesh, &box) : 0;
}

void jobenv_release(struct jobenv *job)
{
	free(job->value[JOB_HOSTS]);
}

/* --- templates --------------------------------------------------------------------- */

/*
 * The field whose brace is at *at, which is behind it then; *comma: what takes the place of commas.
 * -1 with text.
 */
static int take_field(const char **at, char *comma, struct mesh_err *err)
{
	const char *name = *at + 1;
	size_t length = strcspn(name, ":};{");
	size_t tail = name[length] == ':' && name[length + 1] ? 2 : 0;

	if (name[length + tail] != '}')
		return err_printf(err, "'%.32s' has no closing brace", *at);
	*comma = tail ? name[length + 1] : ',';
	*at = name + length + tail + 1;
	for (int i = 0; i < JOBENV_FIELDS; i++)
		if (!strncmp(name, jobenv_names[i], length) && !jobenv_names[i][length])
			return i;
	return err_printf(err,
		"unknown field {%.*s}: expected JOB_HOSTS or a variable of select_mesh(7), as "
		"JOB_RANK",
		(int)(length < 32 ? length : 32), name);
}

/*
 * NAME=TEMPLATE at *at, which is at its end then, into value (NULL: only look at it). 0; 1: the job
 * lacks a field; -1 with text.
 */
static int expand(
	const char **at, const struct jobenv *job, struct text *text, struct mesh_err *err)
{
	int lacks = 0;

	for (char comma; **at && **at != ';';) {
		size_t plain = strcspn(*at, "{;");
		int field;

		if (job)
			put(text, *at, plain);
		*at += plain;
		if (**at != '{')
			break;
		if ((field = take_field(at, &comma, err)) < 0)
			return -1;
		if (!job)
			continue;
		if (!job->value[field] || !*job->value[field] ||
			(!job->whole && !strncmp(jobenv_names[field], "JOB_", 4)))
			lacks = 1;
		for (const char *c = lacks ? "" : job->value[field]; *c; c++)
			put(text, *c == ',' ? &comma : c, 1);
	}
	return lacks;
}

/* How long the NAME of NAME= at `at` is; 0: it is none. */
static size_t name_length(const char *at)
{
	size_t length = 0;

	while (isalnum((unsigned char)at[length]) || at[length] == '_')
		length++;
	return isdigit((unsigned char)*at) || length >= JOBENV_NAME || at[length] != '=' ? 0
											  : length;
}

int jobenv_check(const char *templates, struct mesh_err *err)
{
	for (const char *at = templates;; at++) {
		size_t length = name_length(at);

		if (!length)
			return err_printf(err, "expected NAME=VALUE at '%.32s'", at);
		at += length + 1;
		if (expand(&at, NULL, NULL, err))
			return -1;
		if (!*at)
			return 0;
	}
}

int jobenv_expand(const struct jobenv *job, const char *templates,
	void (*set)(void *data, const char *name, const char *value), void *data)
{
	char name[JOBENV_NAME], *value = malloc(JOBENV_VALUE);

	for (const char *at = templates; value; at++) {
		struct text text = {.at = value};
		size_t length = name_length(at);
		bool lacks;

		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		at += length + 1;
		lacks = expand(&at, job, &text, NULL);
		set(data, name, !lacks && end(&text) ? value : NULL);
		if (!*at)
			break;
	}
	if (!value)
		return -1;
	free(value);
	return 0;
}
