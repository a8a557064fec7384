/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which node is where, when several say to be at one place, or come where another is already.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "support.h"
#include "conf/address.h"
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
	topoconf_free(conf);
	conf = topoconf_parse(map, strlen(map), "t.conf", &hostlist_libslurm, &err);
	return conf ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	topoconf_free(conf);
	conf = NULL;
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
	/* Of two that are away the first one's. */
	forget();
	assert_string_equal(WHO({"x", "t:twin:1"}, {"p", NULL}, {"q", NULL}), "---- pqx-");
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

/* Who was there is no longer in the table, or has another place now. */
static void gone(void **state)
{
	(void)state;
	forget();
	assert_string_equal(WHO({"x", "t:m:1"}, {"y", "t:m:0"}, {"z", "t:twin:0"}), "yx-- z---");
	assert_string_equal(WHO({"x", "t:twin:1"}), "---- --x-");
	line[2] = line[3] = 0; /* in two places at once */
	twin[2] = -1;
	assert_string_equal(WHO({"x", "t:m:2"}), "--x- ----");
	forget();
	line[0] = line[2] = 0;
	assert_string_equal(WHO({"a", NULL}), "a--- ----");
	/* Of a vertex's places its own, whichever comes first. */
	forget();
	assert_string_equal(WHO({"q", "t:twin:0"}, {"p", NULL}), "---- pq--");
	forget();
	assert_string_equal(WHO({"x", "t:twin:0"}, {"y", "t:twin:0"}, {"q", NULL}), "---- xy--");
	forget();
	assert_int_equal(
		places_assign(conf, &(const struct places_node){"b", "t:twin:1"}, 1, at), 0);
	assert_int_equal(line[1], PLACES_AWAY);
	assert_int_equal(line[0], -1);
}

/* Topology= as users write it: who understands it, and where it is. */
static void addresses(void **state)
{
	static const struct {
		const char *unit, *message;
	} bad[] = {
		{"n:1", "no mesh of that name: 'n:1'"},
		{"x", "no mesh of that name: 'x'"},
		{"m", "expected m and 1 coordinates inside the mesh, as m:0...: 'm'"},
		{"m:4", "expected m and 1 coordinates inside the mesh, as m:0...: 'm:4'"},
		{"m:1x", "expected m and 1 coordinates inside the mesh, as m:0...: 'm:1x'"},
		{"m:1:0", "more than 1 coordinates: 'm:1:0'"},
	};
	char text[16], longer[400] = "t:m:1,t:";
	struct address where;
	struct mesh_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(address_parse(conf, bad[i].unit, &where, &err), -1);
		assert_string_equal(err.text, bad[i].message);
	}
	assert_int_equal(address_parse(conf, "m.3", &where, &err), 0);
	assert_true(where.mesh == 0 && where.vertex == 3);
	assert_int_equal(address_parse(conf, "twin:1", &where, &err), 0);
	assert_true(where.mesh == 1 && where.vertex == 1);
	assert_false(address_find(conf, NULL, &where));
	assert_false(address_find(conf, "", &where));
	assert_false(address_find(conf, "m,twin", &where));
	assert_true(address_find(conf, "leaf:s1,default:m:9,default:m:2,default:m:3", &where));
	assert_int_equal(where.vertex, 2);
	memset(longer + strlen(longer), '0', sizeof(longer) - strlen(longer) - 1);
	assert_true(address_find(conf, longer, &where));
	assert_false(address_find(conf, longer + 6, &where));
	address_text(conf->mesh[0], 2, text, sizeof(text));
	assert_string_equal(text, "m:2");
	address_text(conf->mesh[1], 1, text, 5);
	assert_string_equal(text, "twin");
	address_text(conf->mesh[1], 1, text, 4);
	assert_string_equal(text, "twi");
}

/* What a job was told of where its nodes are, by whatever slurmctld. */
static void heard(void **state)
{
	static const char *const not_told[] = {"", "x", "12", "12:?", "12:x", "12:x=t:m:1,y"};
	char told[64];

	(void)state;
	assert_int_equal(places_hear(conf, NULL), PLACES_NOT_TOLD);
	for (size_t i = 0; i < sizeof(not_told) / sizeof(*not_told); i++)
		assert_int_equal(places_hear(conf, not_told[i]), PLACES_NOT_TOLD);
	snprintf(told, sizeof(told), "%" PRIx64 ":", topoconf_hash(conf));
	assert_int_equal(places_hear(conf, told), PLACES_TOLD);
	assert_int_equal(places_hear(conf, "12:"), PLACES_OTHER);
	assert_int_equal(mesh_node(conf->mesh[0], "d"), 3);
	snprintf(told, sizeof(told), "%" PRIx64 ":z=:m:0,a=:m:3", topoconf_hash(conf));
	assert_int_equal(places_hear(conf, told), PLACES_TOLD);
	assert_int_equal(mesh_node(conf->mesh[0], "z"), 0);
	assert_int_equal(mesh_node(conf->mesh[0], "a"), 3);
	assert_int_equal(mesh_node(conf->mesh[0], "d"), -1);
	assert_int_equal(places_hear(conf, "12:c=:twin:1"), PLACES_OTHER);
	assert_int_equal(mesh_node(conf->mesh[0], "-c"), 2);
	assert_int_equal(mesh_node(conf->mesh[1], "c"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept),
		cmocka_unit_test(anew),
		cmocka_unit_test(vertices),
		cmocka_unit_test(gone),
		cmocka_unit_test(addresses),
		cmocka_unit_test_setup_teardown(renamed, make, drop),
		cmocka_unit_test_setup_teardown(heard, make, drop),
	};

	return cmocka_run_group_tests_name("places", tests, make, drop);
}
