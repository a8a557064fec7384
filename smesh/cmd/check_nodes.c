/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: nodes and partitions of slurm.conf, against the meshes.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "cmd/check.h"
#include "sim/human.h"
#include "sim/need.h"

struct names {
	char **name;
	int n;
};

/* How many names are not among others, which are sorted; text has a short list of them. */
static int find_missing(const struct names *from, const struct names *in, char text[256],
	struct arena *arena)
{
	char **missing = need_get(arena, from->n, sizeof(*missing));
	int n = 0;

	for (int i = 0; i < from->n; i++)
		if (!sort_has(in->name, in->n, from->name[i]))
			missing[n++] = from->name[i];
	if (n) {
		hostlist_by_number(missing, n);
		check_hosts_list(missing, n, text, 256);
	}
	return n;
}

/* The names of all meshes' nodes, sorted. */
static struct names all_names(const struct topoconf *conf, struct arena *arena)
{
	struct names all = {NULL, 0};
	int n = 0;

	for (int i = 0; i < conf->nmeshes; i++)
		n += conf->mesh[i]->nnodes;
	need_array(arena, all.name, n);
	for (int i = 0; i < conf->nmeshes; i++)
		for (int j = 0; j < conf->mesh[i]->nnodes; j++)
			all.name[all.n++] = conf->mesh[i]->node_name[j];
	sort_texts(all.name, all.n);
	return all;
}

/* The node names of slurm.conf, sorted and each once. */
static struct names slurm_names(struct slurmconf *c)
{
	struct names all = {NULL, 0};

	need_array(&c->arena, all.name, c->nnodes);
	for (int i = 0; i < c->nnodes; i++)
		if (!i || strcmp(c->node[i].name, c->node[i - 1].name) != 0)
			all.name[all.n++] = c->node[i].name;
	return all;
}

void check_nodes(struct check *s)
{
	struct arena *arena = &s->slurm.arena;
	const struct names mesh = all_names(s->base.conf, arena), slurm = slurm_names(&s->slurm);
	char text[256];
	int n = find_missing(&slurm, &mesh, text, arena);

	if (n)
		check_warn(s, 0, "%d node%s of slurm.conf %s in no mesh and will be placed without "
			"it: %s", n, human_s(n), n == 1 ? "is" : "are", text);
	if ((n = find_missing(&mesh, &slurm, text, arena)))
		check_warn(s, SMESH_HOLES, "%d node%s of a mesh %s not in slurm.conf, a hole until "
			"slurmctld knows %s: %s", n, human_s(n), n == 1 ? "is" : "are",
			n == 1 ? "it" : "them", text);
	if (n == mesh.n)
		check_warn(s, SMESH_HOLES,
			"no node of a mesh is in slurm.conf: write names as NodeName= "
			"does, with the same leading zeros and without a domain");
}

/* slurmctld ends if a name is there twice. */
static void tell_twice(struct check *s, const char *key, const char *name,
	const struct conffile_place *at, const struct conffile_place *first)
{
	check_warn(s, SMESH_NO_START, "%s:%d: %s=%s is there twice (%s:%d): slurmctld will not "
		"start", at->path, at->line, key, name, first->path, first->line);
}

void check_twice(struct check *s)
{
	const struct slurmconf *c = &s->slurm;

	for (int i = 0; i < c->nlines; i++) {
		const struct slurmconf_line *line = &c->line[i];
		const struct slurmconf_line *last = slurmconf_line(c, line->key);

		if (line != last) /* Slurm keeps the last one */
			check_warn(s, 0,
				"%s:%d: %s= does nothing: it is there again (%s:%d), and Slurm "
				"keeps the last one", line->at.path, line->at.line, line->key,
				last->at.path, last->at.line);
	}
	for (int i = 1; i < c->nnodes; i++) {
		const struct slurmconf_node *node = &c->node[i];

		if (strcmp(node->name, node[-1].name) != 0)
			continue;
		tell_twice(s, "NodeName", node->name, &node->at, &node[-1].at);
		break; /* one of a range is enough */
	}
	for (int i = 0; i < c->npartitions; i++) {
		const struct slurmconf_partition *p = &c->partition[i];
		int first = slurmconf_partition(c, p->name);

		if (first != i)
			tell_twice(s, "PartitionName", p->name, &p->at, &c->partition[first].at);
	}
}

void check_partitions(struct check *s)
{
	const struct mesh_settings *settings = &s->settings;
	for (int i = 0; i < settings->npartitions; i++) {
		const char *name = settings->by_partition[i].partition;

		if (slurmconf_partition(&s->slurm, name) == s->slurm.npartitions)
			check_warn_of(s, "SchedulerParameters", 0,
				"SchedulerParameters: mesh_%s_%s does nothing: slurm.conf has no "
				"partition %s",
				settings->by_partition[i].ops ? "strategy" : "pattern", name, name);
	}
}

/*
 * Warn if jobs of a partition could go elsewhere, while jobs of a smaller partition that shares
 * its nodes cannot.
 */
static void compare_overlap(struct check *s, const struct nodeset *set)
{
	enum { SHOWN = 10 };
	const struct slurmconf *c = &s->slurm;
	json_t *list = json_array();
	int found = 0;

	for (int a = 0; a < c->npartitions; a++)
		for (int b = 0; b < c->npartitions; b++) {
			const char *name = c->partition[a].name, *with = c->partition[b].name;
			int mine = nodeset_count(&set[a]), theirs = nodeset_count(&set[b]),
			    shared = 0;

			nodeset_each(i, &set[a])
				shared += nodeset_has(&set[b], i);
			if (!shared || shared == theirs || mine > theirs ||
				(mine == theirs && a > b))
				continue;
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:i, s:i, s:i}", "partition", name, "with",
					with, "nodes", mine, "shared", shared, "others",
					theirs - shared));
			if (found++ < SHOWN)
				fprintf(s->text,
					"partition %s shares %d of its %d node%s with partition "
					"%s, which has %d other%s\n",
					name, shared, mine, human_s(mine), with, theirs - shared,
					human_s(theirs - shared));
		}
	if (found > SHOWN)
		fprintf(s->text, "and %d more pair%s of partitions\n", found - SHOWN,
			human_s(found - SHOWN));
	json_object_set_new(s->out, "uneven_partitions", list);
}

void check_overlap(struct check *s)
{
	struct slurmconf *c = &s->slurm;
	struct nodeset *set = need_get(&c->arena, c->npartitions, sizeof(*set));
	struct mesh_err why;

	for (int i = 0; i < c->npartitions; i++)
		if (slurmconf_nodes(c, &c->partition[i], &set[i], &why))
			check_warn(s, SMESH_NO_START, "%s: slurmctld will not start", why.text);
	compare_overlap(s, set);
}
