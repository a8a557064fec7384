/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a slurm.conf for smesh check. Whatever the bytes, there is a message, or nodes in
 * order and partitions of them.
 */
#include "cmd/slurmconf.h"
#include "fail.h"
#include "fuzz.h"

static void check_nodes(const struct slurmconf *c)
{
	for (int i = 0; i < c->nnodes; i++) {
		const struct slurmconf_node *node = &c->node[i];

		fuzz_require(*node->name && node->at.path && node->at.line > 0);
		fuzz_require(!i || strcmp(node[-1].name, node->name) <= 0);
	}
}

/* ALL has all nodes; none has others, or a node twice. */
static void check_partition(struct slurmconf *c, const struct slurmconf_partition *partition)
{
	struct mesh_err err = {{0}};
	struct nodeset set;
	int index = slurmconf_partition(c, partition->name);

	fuzz_require(index >= 0 && &c->partition[index] <= partition);
	fuzz_require(!strcmp(c->partition[index].name, partition->name));
	if (slurmconf_nodes(c, partition, &set, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
		return;
	}
	fuzz_require(nodeset_count(&set) <= c->nnodes);
	if (!partition->nodes)
		fuzz_require(!nodeset_count(&set));
	else if (!strcmp(partition->nodes, "ALL"))
		fuzz_require(nodeset_count(&set) == c->nnodes);
}

static void check_lines(const struct slurmconf *c)
{
	fuzz_require(!c->cluster == !slurmconf_line(c, "ClusterName"));
	fuzz_require(!c->parameters == !slurmconf_line(c, "SchedulerParameters"));
	for (int i = 0; i < SLURMCONF_PLUGINS; i++)
		fuzz_require(!c->plugins[i] == !slurmconf_line(c, slurmconf_plugins[i].key));
	for (int i = 0; i < c->nlines; i++)
		fuzz_require(c->line[i].at.line > 0 && slurmconf_line(c, c->line[i].key));
	fuzz_require(c->ncontrollers >= c->controls_here);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slurmconf conf = {.bad = false};
	struct mesh_err err = {{0}};
	char path[FUZZ_PATH];
	int fd = fuzz_file(data, size, path);

	*fuzz_said = '\0';
	if (slurmconf_read(&conf, path, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
	} else {
		fuzz_require(conf.bad == !!*fuzz_said);
		check_nodes(&conf);
		check_lines(&conf);
		for (int i = 0; i < conf.npartitions && i < 64; i++)
			check_partition(&conf, &conf.partition[i]);
	}
	arena_release(&conf.arena);
	close(fd);
	return 0;
}
