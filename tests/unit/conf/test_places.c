/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which node is where, when several say to be at one place, or come where another is already.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "support.h"
#include "conf/places.h"

static const char map[] = "MeshName=m Dims=4 Nodes=a,b,c,d\n"
			  "MeshName=twin Dims=2 NodesPerVertex=2 Nodes=p,q,r,s\n";
static struct topoconf *conf;
static int line[4], twin[4];
static int *const at[] = {line, twin};

static int make(void **state)
{
	struct mesh_err err = {{0}};

	(void)state;
	conf = topoconf_parse(map, strlen(map), "t.conf", &hostlist_libslurm, &err);
	return conf ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	topoconf_free(conf);
	return 0;
}

static void forget(void)
{
	memset(line, -1, sizeof(line));
	memset(twin, -1, sizeof(twin));
}

/* Who is at the places then, '-' for nobody: of the line, a blank, of the twin. */
static const char *assigned(const struct places_node *node, int n)
{
	static char text[16];
	char *end = text;

	assert_int_equal(places_assign(conf, node, n, at), 0);
	for (int m = 0; m < 2; m++) {
		for (int i = 0; i < 4; i++)
			*end++ = at[m][i] < 0 ? '-' : *node[at[m][i]].name;
		*end++ = m ? '\0' : ' ';
	}
	return text;
}

#define WHO(...)                                                                                \
	assigned((const struct places_node[]){__VA_ARGS__},                                     \
		sizeof((const struct places_node[]){__VA_ARGS__}) / sizeof(struct places_node))

/* x is before y in the table, or behind it. */
static void kept(void **state)
{
	(void)state;
	forget();
	assert_string_equal(WHO({"x", NULL}, {"y", "t:m:1"}, {"c", NULL}), "-yc- ----");
	assert_string_equal(WHO({"x", "t:m:1"}, {"y", "t:m:1"}, {"c", NULL}), "-yc- ----");
	assert_string_equal(WHO({"x", "t:m:2"}, {"y", "t:m:1"}, {"c", NULL}), "-yc- ----");
	/* It goes, and the other has it; and comes back by its name, or says so. */
	assert_string_equal(WHO({"x", "t:m:1"}, {"y", "t:m:0"}, {"c", NULL}), "yxc- ----");
	assert_string_equal(
		WHO({"x", "t:m:1"}, {"y", "t:m:0"}, {"c", NULL}, {"b", NULL}), "yxc- ----");
	assert_string_equal(WHO({"x", "t:m:1"}, {NULL, NULL}, {"y", "t:m:1"}), "-x-- ----");
}

/* With nothing of before: what a node says counts before its name, and then the table's order. */
static void anew(void **state)
{
	(void)state;
	forget();
	assert_string_equal(WHO({"b", NULL}, {"x", "t:m:1"}, {"y", "t:m:1"}), "-x-- ----");
	forget();
	assert_string_equal(WHO({"b", "t:m:0"}, {"x", "t:m:1"}, {"a", NULL}), "bx-- ----");
	forget();
	assert_string_equal(WHO({"a", "t:other:0"}, {"b", "t:m:9"}, {"c", NULL}), "abc- ----");
}

/*
 * On a vertex with several places a node gets one that no other node needs; if all other nodes are
 * there, the place of the node that came last.
 */
static void vertices(void **state)
{
	(void)state;
	forget();
	assert_string_equal(WHO({"p", NULL}, {"x", "t:twin:0"}, {"r", NULL}), "---- pxr-");
	assert_string_equal(
		WHO({"p", NULL}, {"x", "t:twin:0"}, {"r", NULL}, {"q", NULL}), "---- pxr-");
	forget();
	assert_string_equal(
		WHO({"p", NULL}, {"x", "t:twin:0"}, {"r", NULL}, {"q", NULL}), "---- pxr-");
	assert_string_equal(WHO({"p", NULL}, {"x", "t:twin:0"}, {"y", "t:twin:0"}), "---- px--");
}

/* What programs that ask see: the names of those that are there. */
static void renamed(void **state)
{
	static const struct places_node node[] = {
		{"x", "t:m:1"}, {"b", "t:twin:1"}, {"c", NULL}, {"r", NULL}};

	(void)state;
	assert_int_equal(places_rename(conf, node, 4), 0);
	assert_int_equal(mesh_node(conf->mesh[0], "x"), 1);
	assert_int_equal(mesh_node(conf->mesh[0], "b"), -1);
	assert_int_equal(mesh_node(conf->mesh[0], "c"), 2);
	assert_int_equal(mesh_node(conf->mesh[0], "d"), 3);
	assert_int_equal(mesh_node(conf->mesh[1], "b"), 3);
	assert_int_equal(mesh_node(conf->mesh[1], "r"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept),
		cmocka_unit_test(anew),
		cmocka_unit_test(vertices),
		cmocka_unit_test(renamed),
	};

	return cmocka_run_group_tests_name("places", tests, make, drop);
}
