/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes by name: each is found, nothing else is, and a job of all nodes of a large machine is found
 * in less than a second (28 s with a search through all nodes for each).
 */
#include "base/mesh.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conf/topoconf.h"
#include "base/hostlist.h"
#include "support.h"

static void hold(const char *line)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf =
		topoconf_parse(line, strlen(line), "t.conf", &hostlist_libslurm, &err);
	const struct mesh *mesh = conf ? conf->mesh[0] : NULL;
	char other[80];

	if (!mesh)
		fail_msg("%s", err.text);
	for (int i = 0; i < mesh->nnodes; i++)
		assert_int_equal(mesh_node(mesh, mesh->node_name[i]), i);
	for (int i = 0; i < mesh->nnodes; i += 7) {
		snprintf(other, sizeof(other), "%s0x", mesh->node_name[i]);
		assert_int_equal(mesh_node(mesh, other), -1);
	}
	assert_int_equal(mesh_node(mesh, ""), -1);
	topoconf_free(conf);
}

static void found(void **state)
{
	(void)state;
	hold("MeshName=m Dims=1 Nodes=n");
	hold("MeshName=m Dims=2 Nodes=n1,n");
	hold("MeshName=m Dims=5x4x3 NodesPerVertex=2 Nodes=r[0-9]c[0-11]");
}

static void large(void **state)
{
	clock_t begin = clock();

	(void)state;
	hold("MeshName=m Dims=46x46x46 Nodes=nid[00000-49999],nid[50000-97335]");
	assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),
		cmocka_unit_test(large),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
