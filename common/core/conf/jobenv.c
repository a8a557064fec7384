/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/jobenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "geometry/box.h"
#include "geometry/metrics.h"

#define AS_NUMBER(name) name,
enum { JOBENV_NAMES(AS_NUMBER) };
_Static_assert((int)JOB_HOSTS == (int)JOBENV_VARIABLES, "the last is of Env= only");

/* The values of the variables; "": this job has no such variable. */
struct values {
	char text[JOBENV_VARIABLES][MESH_MAX_DIMS * 16];
	char *hosts; /* NULL: the job's nodes are not all of a box */
	int chips[MESH_MAX_DIMS], ndims; /* JOB_CHIPS */
};

static void set_numbers(char *text, char between, int n, const int *number)
{
	for (int i = 0; i < n; i++)
		text += snprintf(text, 16, "%.*s%d", !!i, &between, number[i]);
}

static const char *const true_words[] = {"false", "true"};

static void set_words(char *text, int n, const bool *flag, const char *const word[2])
{
	for (int i = 0; i < n; i++)
		text += snprintf(text, 16, "%s%s", i ? "," : "", word[flag[i]]);
}

/* The nodes of the box in the order of their ranks; NULL when memory is out. */
static char *list_hosts(const struct mesh *mesh, const struct mesh_box *box)
{
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);
	int64_t volume = box_volume(mesh->ndims, box->side);

	for (int place = 0; out && place < volume; place++) {
		int coord[MESH_MAX_DIMS], rest = place, v;

		for (int d = 0; d < mesh->ndims; d++) {
			coord[d] = (box->base[d] + rest % box->side[d]) % mesh->side[d];
			rest /= box->side[d];
		}
		v = mesh_vertex(mesh, coord);
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			fprintf(out, "%s%s", place || i > mesh->first[v] ? "," : "",
				mesh->node_name[mesh->node_at[i]]);
	}
	if (out && fclose(out)) {
		free(list);
		list = NULL;
	}
	return list;
}

/*
 * Set what launchers of accelerators need: the box around the job's nodes, this node's place and
 * number in it, the first dimension fastest; and the same in chips.
 */
static void set_job(struct values *v, const struct jobenv *job, const struct mesh_box *box)
{
	const struct mesh *mesh = job->mesh;
	int at[MESH_MAX_DIMS], vertex = mesh->vertex_of[job->here];
	int rank = 0, stride = mesh->nodes_per_vertex;
	bool ring[MESH_MAX_DIMS]; /* the box spans the ring, so messages may go either way */

	for (int d = 0; d < mesh->ndims; d++) {
		at[d] = mesh->coord[vertex][d] - box->base[d];
		at[d] += at[d] < 0 ? mesh->side[d] : 0;
		v->chips[d] = box->side[d] * mesh->node_side[d];
		ring[d] = mesh->wrap[d] && box->side[d] == mesh->side[d];
		rank += at[d] * stride;
		stride *= box->side[d];
	}
	for (int i = mesh->first[vertex]; mesh->node_at[i] != job->here; i++)
		rank++;
	set_numbers(v->text[BOX], 'x', mesh->ndims, box->side);
	set_numbers(v->text[JOB_BOUNDS], ',', mesh->ndims, box->side);
	set_numbers(v->text[JOB_COORD], ',', mesh->ndims, at);
	set_numbers(v->text[JOB_RANK], ',', 1, &rank);
	set_words(v->text[JOB_WRAP], mesh->ndims, ring, true_words);
	if (!mesh->node_side[0])
		return;
	v->ndims = mesh->ndims;
	set_numbers(v->text[NODE_CHIPS], ',', mesh->ndims, mesh->node_side);
	set_numbers(v->text[JOB_CHIPS], ',', mesh->ndims, v->chips);
}

/* On a cabled mesh: this node's number among the job's nodes, in the order of the map. */
static int set_cabled(struct values *v, const struct jobenv *job)
{
	int *node, n = job->nnodes, rank = 0, bad = -1;
	struct arena arena = {0};
	size_t size;
	FILE *out;

	if (n != job->total)
		return 0;
	if (arena_array(&arena, node, n) && (out = open_memstream(&v->hosts, &size))) {
		memcpy(node, job->node, (size_t)n * sizeof(*node));
		sort_ints(node, n);
		for (int i = 0; i < n; i++) {
			fprintf(out, "%s%s", i ? "," : "", job->mesh->node_name[node[i]]);
			rank += node[i] < job->here;
		}
		set_numbers(v->text[JOB_RANK], ',', 1, &rank);
		bad = fclose(out);
	}
	arena_release(&arena);
	return bad ? -1 : 0;
}

static int set_values(struct values *v, const struct jobenv *job)
{
	const struct mesh *mesh = job->mesh;
	int coord[MESH_MAX_DIMS];
	struct mesh_box box;
	int64_t hops;

	snprintf(v->text[NAME], sizeof(v->text[NAME]), "%s", mesh->name);
	for (int d = 0; d < mesh->ndims; d++)
		coord[d] = mesh->coord[mesh->vertex_of[job->here]][d];
	set_numbers(v->text[DIMS], 'x', mesh->ndims, mesh->side);
	set_words(v->text[WRAP], mesh->ndims, mesh->wrap, (const char *const[]){"no", "yes"});
	set_numbers(v->text[COORD], ',', mesh->ndims, coord);
	if (!job->nnodes)
		return 0;
	if (mesh->cabled && set_cabled(v, job))
		return -1;
	if (!mesh->cabled) {
		box = box_around(mesh, job->node, job->nnodes);
		set_job(v, job, &box);
	}
	if ((hops = mesh_pairwise_hops(mesh, job->node, job->nnodes)) < 0)
		return -1;
	snprintf(v->text[MEAN_HOPS], sizeof(v->text[MEAN_HOPS]), "%.4g",
		mesh_mean_hops(hops, job->nnodes));
	if (mesh->cabled || job->nnodes != job->total ||
		box_volume(mesh->ndims, box.side) * mesh->nodes_per_vertex != job->total)
		return 0;
	return (v->hosts = list_hosts(mesh, &box)) ? 0 : -1;
}

/* --- templates --------------------------------------------------------------------- */

/*
 * {JOB_CHIPS*2}: twice the number of the job's chips. {JOB_WRAP%4}: all dimensions are rings if
 * the job is made of whole cubes of 4 chips a side, whose faces are joined by switches; else none
 * is.
 */
static void reckon(
	const struct values *v, const struct jobenv_field *field, char *text, size_t size)
{
	uint64_t all = (uint64_t)field->number;
	bool ring[MESH_MAX_DIMS], whole = true;

	for (int d = 0; d < v->ndims; d++) {
		all *= (uint64_t)v->chips[d];
		whole = whole && v->chips[d] % field->number == 0;
	}
	for (int d = 0; d < v->ndims; d++)
		ring[d] = whole;
	if (field->which == JOB_CHIPS)
		snprintf(text, size, "%llu", (unsigned long long)all);
	else
		set_words(text, v->ndims, ring, true_words);
}

/* Write the checked template at *at, and move *at to its end. 1: the job lacks a field; else 0. */
static int expand(const char **at, const struct values *v, FILE *out)
{
	int lacks = 0;

	while (**at && **at != ';') {
		char reckoned[MESH_MAX_DIMS * 16];
		const char *value;
		struct jobenv_field field;

		if (**at != '{') {
			fputc(*(*at)++, out);
			continue;
		}
		if (jobenv_field(at, &field, NULL))
			return 1;
		value = field.which == JOB_HOSTS ? v->hosts : v->text[field.which];
		if (field.number && v->ndims) {
			reckon(v, &field, reckoned, sizeof(reckoned));
			value = reckoned;
		}
		if (!value || !*value || (field.number && !v->ndims) ||
			(!v->hosts && !strncmp(jobenv_names[field.which], "JOB_", 4)))
			lacks = 1;
		for (; !lacks && *value; value++)
			fputc(*value == ',' ? field.comma : *value, out);
	}
	return lacks;
}

/* Set the variable of NAME=TEMPLATE at *at, and move *at to its end. 0, or -1: memory is out. */
static int tell_template(const char **at, const struct values *v, const struct jobenv *job)
{
	char name[JOBENV_NAME], *value = NULL;
	size_t size;
	int lacks, bad;
	FILE *out;

	if (jobenv_name(at, name, NULL) || !(out = open_memstream(&value, &size)))
		return -1;
	lacks = expand(at, v, out);
	lacks |= job->here < 0;
	if (!(bad = fclose(out)))
		job->set(job->data, true, name, lacks || size >= JOBENV_VALUE ? NULL : value);
	free(value);
	return bad ? -1 : 0;
}

int jobenv_tell(const struct jobenv *job)
{
	struct values v = {.hosts = NULL};
	int result = job->here < 0 ? 0 : set_values(&v, job);
	const char *at = job->mesh->env;

	for (int i = 0; !result && i < JOBENV_VARIABLES; i++)
		if (*v.text[i])
			job->set(job->data, false, jobenv_names[i], v.text[i]);
	for (; at && !result; at = *at ? at + 1 : NULL)
		result = tell_template(&at, &v, job);
	free(v.hosts);
	return result;
}
