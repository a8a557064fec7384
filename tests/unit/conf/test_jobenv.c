/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job is told of its place, and the templates of Env=: what is right, what is refused, and
 * what there is no room for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "support.h"
#include "conf/jobenv.h"
#include "conf/topoconf.h"
#include "graph/linkgraph.h"

static struct topoconf *parse(const char *text)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf =
		topoconf_parse(text, strlen(text), "t.conf", &hostlist_libslurm, &err);

	if (!conf)
		fail_msg("%s", err.text);
	return conf;
}

static char told[8192];

static void tell(void *data, bool own, const char *name, const char *value)
{
	(void)data;
	if (!own)
		return;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s%s=%s", *told ? " " : "",
		name, value ? value : "(none)");
}

static int in_all; /* nodes of the job in all meshes; 0: in this one */

/* What templates make on node `here` of a job of node[n]. */
static const char *expanded(const struct mesh *mesh, const char *templates, const int *node, int n)
{
	struct mesh typed = *mesh;
	struct jobenv job = {&typed, node, n, in_all ? in_all : n, node[0], tell, NULL};
	struct mesh_err err;

	*told = '\0';
	assert_false(jobenv_check(templates, &err));
	typed.env = (char *)(uintptr_t)templates;
	assert_false(jobenv_tell(&job));
	return told;
}

/* n1 of a box of n3, n0 and n1 over the edge and n7, n4, n5 above them. */
static void boxes(void **state)
{
	static const int box[] = {1, 0, 3, 4, 5, 7}, row[] = {4, 5, 6, 7}, ell[] = {0, 1, 4};
	struct topoconf *conf =
		parse("MeshName=m Dims=4x4 Wrap=yes,no Nodes=n[0-15] NodeShape=2x1\n");
	const struct mesh *mesh = conf->mesh[0];

	(void)state;
	assert_string_equal(
		expanded(mesh, "HOSTS={JOB_HOSTS};ID={JOB_RANK};AT={JOB_COORD:.}", box, 6),
		"HOSTS=n3,n0,n1,n7,n4,n5 ID=2 AT=2.0");
	assert_string_equal(
		expanded(mesh, "B={JOB_BOUNDS},1;C={JOB_CHIPS:x};W=<{JOB_WRAP}>", box, 6),
		"B=3,2,1 C=6x2 W=<false,false>");
	assert_string_equal(expanded(mesh, "W={JOB_WRAP},x;N={NODE_CHIPS}-{NAME}", row, 4),
		"W=true,false,x N=2,1-m");
	/* A box, and nodes elsewhere: no box. */
	in_all = 5;
	assert_string_equal(expanded(mesh, "W={JOB_WRAP};B={BOX}", row, 4), "W=(none) B=4x1");
	/* As many as the box around those that are here, but not these. */
	in_all = 4;
	assert_string_equal(expanded(mesh, "H={JOB_HOSTS};B={BOX}", ell, 3), "H=(none) B=2x2");
	in_all = 0;
	/* No box: what is the job's is not there, and the rest is. */
	assert_string_equal(expanded(mesh, "ID={JOB_RANK};AT={COORD};B={BOX};E=", ell, 3),
		"ID=(none) AT=0,0 B=2x2 E=");
	assert_string_equal(expanded(mesh, "A=v5p-{JOB_CHIPS*2};B={JOB_CHIPS*1}", box, 6),
		"A=v5p-24 B=12");
	assert_string_equal(expanded(mesh, "W={JOB_WRAP%2},x;V={JOB_WRAP%3}", box, 6),
		"W=true,true,x V=false,false");
	assert_string_equal(expanded(mesh, "W={JOB_WRAP%4}", box, 6), "W=false,false");
	assert_string_equal(expanded(mesh, "A={JOB_CHIPS*2};W={JOB_WRAP%1}", ell, 3),
		"A=(none) W=(none)");
	topoconf_free(conf);
}

/* Two nodes on a vertex are a box of one; a hole is in none. */
static void vertices(void **state)
{
	static const int pair[] = {1, 0}, beside[] = {0, 1, 2};
	struct topoconf *conf = parse("MeshName=m Dims=3 NodesPerVertex=2 Nodes=n[0-3] Holes=1\n");

	(void)state;
	assert_string_equal(
		expanded(conf->mesh[0], "H={JOB_HOSTS};C={JOB_CHIPS};I={JOB_RANK}", pair, 2),
		"H=n0,n1 C=(none) I=1");
	assert_string_equal(expanded(conf->mesh[0], "C={JOB_CHIPS*2};W={JOB_WRAP%2}", pair, 2),
		"C=(none) W=(none)");
	assert_string_equal(expanded(conf->mesh[0], "H={JOB_HOSTS}", beside, 3), "H=(none)");
	topoconf_free(conf);
}

/* 20,000 names are longer than a variable may be. */
static void too_long(void **state)
{
	struct topoconf *conf = parse("MeshName=m Dims=200x100 Nodes=node[00001-20000]\n");
	int *all = malloc(20000 * sizeof(*all));

	(void)state;
	for (int i = 0; i < 20000; i++)
		all[i] = i;
	assert_string_equal(expanded(conf->mesh[0], "ID={JOB_RANK};H={JOB_HOSTS}", all, 20000),
		"ID=0 H=(none)");
	free(all);
	topoconf_free(conf);
}

/* On a machine of cables: the number among the job's nodes, in the order of the map. */
static void cables(void **state)
{
	static const int job[] = {2, 0, 3};
	struct mesh *mesh = make_mesh(1, (const int[]){4}, 0, 1);
	char *name[] = {(char[]){"a"}, (char[]){"b"}, (char[]){"c"}, (char[]){"d"}};
	struct linkgraph_cable cable = {.vertex = {0, 3}, .weight = 1};
	static const char templates[] = "H={JOB_HOSTS};I={JOB_RANK};W={WRAP};B={BOX}";

	(void)state;
	mesh->cabled = true;
	mesh->node_name = name;
	assert_int_equal(linkgraph_join(&mesh, 1, &cable, 1, NULL), 0);
	assert_string_equal(expanded(mesh, templates, job, 3), "H=a,c,d I=1 W=no B=(none)");
	in_all = 5; /* others of its nodes are elsewhere */
	assert_string_equal(expanded(mesh, templates, job, 3), "H=(none) I=(none) W=no B=(none)");
	in_all = 0;
	mesh_free(mesh);
}

/* A node that is in no mesh, of a job of which nothing else is known. */
static void nowhere(void **state)
{
	struct mesh *mesh = make_mesh(1, (const int[]){4}, 0, 1);
	struct jobenv job = {.mesh = mesh, .here = -1, .set = tell};

	(void)state;
	mesh->env = (char[]){"A={NAME};B=c"};
	*told = '\0';
	assert_int_equal(jobenv_tell(&job), 0);
	assert_string_equal(told, "A=(none) B=(none)");
	job.here = 1;
	*told = '\0';
	assert_int_equal(jobenv_tell(&job), 0);
	assert_string_equal(told, "A=m B=c");
	mesh->env = NULL;
	assert_int_equal(jobenv_tell(&job), 0);
	/* Nobody has checked these. */
	mesh->env = (char[]){"A={NONE}"};
	*told = '\0';
	assert_int_equal(jobenv_tell(&job), 0);
	assert_string_equal(told, "A=(none)");
	mesh->env = (char[]){"A"};
	assert_int_equal(jobenv_tell(&job), -1);
	mesh_free(mesh);
}

static void refused(void **state)
{
	static const struct {
		const char *templates, *message;
	} cases[] = {
		{"", "expected NAME=VALUE at ''"},
		{"A", "expected NAME=VALUE at 'A'"},
		{"=x", "expected NAME=VALUE at '=x'"},
		{"1A=x", "expected NAME=VALUE at '1A=x'"},
		{"A=x;", "expected NAME=VALUE at ''"},
		{"A-B=x", "expected NAME=VALUE at 'A-B=x'"},
		{"A=x;;B=y", "expected NAME=VALUE at ';B=y'"},
		{"A={JOB_RANK", "'{JOB_RANK' has no closing brace"},
		{"A={", "'{' has no closing brace"},
		{"A={JOB_RANK;B=y}", "'{JOB_RANK;B=y}' has no closing brace"},
		{"A={JOB_BOUNDS:", "'{JOB_BOUNDS:' has no closing brace"},
		{"A={JOB_BOUNDS:xx}", "'{JOB_BOUNDS:xx}' has no closing brace"},
		{"A={{NAME}}", "'{{NAME}}' has no closing brace"},
		{"A={JOB_CHIPS*0}", "'{JOB_CHIPS*0}': expected {JOB_CHIPS*N} or {JOB_WRAP%N}"},
		{"A={JOB_CHIPS*}", "'{JOB_CHIPS*}': expected {JOB_CHIPS*N} or {JOB_WRAP%N}"},
		{"A={JOB_CHIPS*2", "'{JOB_CHIPS*2' has no closing brace"},
		{"A={JOB_CHIPS%2}", "'{JOB_CHIPS%2}': expected {JOB_CHIPS*N} or {JOB_WRAP%N}"},
		{"A={JOB*2}", "'{JOB*2}': expected {JOB_CHIPS*N} or {JOB_WRAP%N}"},
		{"A={}", "unknown field {}: expected JOB_HOSTS or a variable of select_mesh(7), as "
			 "JOB_RANK"},
		{"A={JOB}", "unknown field {JOB}: expected JOB_HOSTS or a variable of "
			    "select_mesh(7), as JOB_RANK"},
		{"A={A234567890123456789012345678901234567890}",
			"unknown field {A2345678901234567890123456789012}: expected JOB_HOSTS or a "
			"variable of select_mesh(7), as JOB_RANK"},
		{"A={job_rank}", "unknown field {job_rank}: expected JOB_HOSTS or a variable of "
				 "select_mesh(7), as JOB_RANK"},
	};
	char name[JOBENV_NAME + 3] = "";
	struct mesh_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(jobenv_check(cases[i].templates, &err), -1);
		assert_string_equal(err.text, cases[i].message);
	}
	memset(name, 'A', JOBENV_NAME);
	strcpy(name + JOBENV_NAME, "=x");
	assert_int_equal(jobenv_check(name, &err), -1);
	assert_int_equal(jobenv_check(name + 1, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes),
		cmocka_unit_test(vertices),
		cmocka_unit_test(too_long),
		cmocka_unit_test(cables),
		cmocka_unit_test(nowhere),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests_name("jobenv", tests, NULL, NULL);
}
