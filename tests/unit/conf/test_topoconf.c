/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * topology.conf: what is read, and what each mistake is told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "support.h"
#include "graph/linkgraph.h"
#include "conf/topoconf.h"

static struct topoconf *parse(const char *text, struct mesh_err *err)
{
	return topoconf_parse(text, strlen(text), "t.conf", &hostlist_libslurm, err);
}

static void good(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse("# a comment\n"
				      "SwitchName=s0 Nodes=x[0-3]\n"
				      "meshname=torus0 DIMS=4x3x2 \\\n"
				      "  Wrap=yes,no,yes Nodes=n[0-21] Holes=1,0,0;3,2,1 # end\n"
				      "MeshName=gem Dims=2x2 Wrap=all NodesPerVertex=2\n"
				      "MeshNode=g0 Mesh=gem Coord=1,1\n"
				      "MeshNode=g1 Mesh=gem Coord=1,1\n"
				      "MeshNode=g2 Mesh=gem Coord=0,0\n",
		&err);
	const struct mesh *mesh;

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	assert_int_equal(conf->nmeshes, 2);
	mesh = topoconf_find(conf, "torus0", &err);
	assert_non_null(mesh);
	assert_int_equal(mesh->nnodes, 22);
	assert_true(mesh->wrap[0] && !mesh->wrap[1] && mesh->wrap[2]);
	assert_string_equal(mesh->node_name[1], "n1");
	assert_int_equal(mesh->vertex_of[1], 2);
	assert_int_equal(mesh_nodes_on(mesh, 1), 0);
	mesh = topoconf_find(conf, "gem", &err);
	assert_int_equal(mesh->nnodes, 3);
	assert_int_equal(mesh->vertex_of[1], 3);
	assert_int_equal(mesh_nodes_on(mesh, 1), 0);
	assert_null(topoconf_find(conf, NULL, &err));
	assert_string_equal(err.text, "there are 2 meshes: name one, as by --mesh=torus0");
	assert_null(topoconf_find(conf, "torus1", &err));
	assert_string_equal(err.text, "there is no mesh 'torus1'");
	topoconf_free(conf);
	conf = parse("MeshName=only Dims=1 Nodes=n\n", &err);
	assert_ptr_equal(topoconf_find(conf, NULL, &err), conf->mesh[0]);
	topoconf_free(conf);
	topoconf_free(NULL);
}

/* A line's own keys go before its type's, whose shapes are those that there is room for. */
static void types(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse("MeshType=other Wrap=none Dims=9\n"
				      "MeshType=pod NodeShape=2x2 Wrap=all ShapesExact=yes "
				      "Shapes=1x1,2x2@1,8x8,1x1x1 Env=A={NAME}\n"
				      "MeshType=pod Wrap=yes,no Env=B={COORD};C=d\n"
				      "MeshName=a Type=pod Dims=4x4 Nodes=a[0-15]\n"
				      "MeshName=b Dims=4x4 Nodes=b[0-15] Wrap=none Type=pod "
				      "Shapes=4x4\n",
		&err);

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	assert_int_equal(conf->mesh[0]->nlegal, 2);
	assert_int_equal(conf->mesh[0]->legal[1].side[1], 2);
	assert_true(conf->mesh[0]->legal_exact);
	/* The later line of the same name adds to the one before. */
	assert_true(conf->mesh[0]->wrap[0] && !conf->mesh[0]->wrap[1]);
	assert_string_equal(conf->mesh[0]->env, "B={COORD};C=d");
	assert_string_equal(conf->mesh[1]->type, "pod");
	assert_int_equal(conf->mesh[0]->node_side[1], 2);
	assert_int_equal(conf->mesh[1]->nlegal, 1);
	assert_false(conf->mesh[1]->wrap[1]);
	assert_int_equal(conf->mesh[1]->node_side[0], 2);
	topoconf_free(conf);
}

static uint64_t hash_of(const char *text)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse(text, &err);
	uint64_t hash;

	if (!conf)
		fail_msg("%s", err.text);
	hash = topoconf_hash(conf);
	topoconf_free(conf);
	return hash;
}

/* Each of these is another machine; the first may be said in other ways. */
static void hashes(void **state)
{
	static const char *const text[] = {
		"MeshName=m Dims=4x4 Nodes=n[0-15]\n",
		"MeshName=k Dims=4x4 Nodes=n[0-15]\n",
		"MeshName=m Dims=2x8 Nodes=n[0-15]\n",
		"MeshName=m Dims=4x4 Wrap=yes,no Nodes=n[0-15]\n",
		"MeshName=m Dims=4x4 Wrap=no,yes Nodes=n[0-15]\n",
		"MeshName=m Dims=4x4 Nodes=n[1-15,0]\n",
		"MeshName=m Dims=4x4 Nodes=n[0-14] Holes=0,0\n",
		"MeshName=m Dims=4x4 Nodes=n[0-14] Holes=3,3\n",
		"MeshName=m Dims=2x4 NodesPerVertex=2 Nodes=n[0-15]\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2@1\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15] NodeShape=2x1\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n0:n1\n",
		"MeshType=t Wrap=none\nMeshName=m Dims=4x4 Nodes=n[0-15] Type=t\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n15\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n15,2\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n15,2,3\n",
		"MeshName=a.b-c_d Dims=4x4 Nodes=n[0-15]\n",
		"MeshName=m Dims=4x4 Nodes=n[0-15]\nMeshName=k Dims=2 Nodes=k[0-1]\n",
	};
	enum { N = sizeof(text) / sizeof(*text) };

	(void)state;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			assert_int_equal(hash_of(text[i]) == hash_of(text[j]), i == j);
	assert_int_equal(hash_of(text[0]),
		hash_of("# same\nSwitchName=s\nmeshname=m nodes=n[0-3,4-15] \\\n dims=4x4\n"));
	/* As 1.0 took it, and as Slurm's own files go on. */
	assert_int_equal(hash_of(text[0]),
		hash_of("meshname=m\\\nNodes=n[0-3,\\\n4-15]\\\nDims=4x4\n"));
}

static void shapes(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse("MeshName=m Dims=4x6 Wrap=all Nodes=n[0-23] NodeShape=2x1 "
				      "Shapes=2x2,4x2@1,1x3@2x3+1x0,2x2@1+3 ShapesExact=yes\n",
		&err);
	const struct mesh *mesh;

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	mesh = conf->mesh[0];
	assert_int_equal(mesh->nlegal, 4);
	assert_true(mesh->legal_exact);
	assert_int_equal(mesh->legal[0].step[1], 2);
	assert_int_equal(mesh->legal[1].side[0], 4);
	assert_int_equal(mesh->legal[1].step[0], 1);
	assert_int_equal(mesh->legal[1].step[1], 1);
	assert_int_equal(mesh->legal[2].step[0], 2);
	assert_int_equal(mesh->legal[2].seed[0], 1);
	assert_int_equal(mesh->legal[2].seed[1], 0);
	assert_int_equal(mesh->legal[3].seed[1], 3);
	assert_int_equal(mesh->legal[3].side[2], 1);
	assert_int_equal(mesh->node_side[0], 2);
	assert_int_equal(mesh->node_side[1], 1);
	topoconf_free(conf);
}

/* Pods: the links that are broken, those that are extra, and who is joined to whom. */
static void links(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse(
		"Link=a[12,13],b[0,1],2\nLink=a0,a15\nLink=b3,a3\n"
		"MeshName=a Dims=4x4 Nodes=a[0-15] DownLinks=0,0:1,0;a6:a5;a[8-9]:a[12-13];b3:a3\n"
		"MeshName=b Dims=2x2 Wrap=all Nodes=b[0-3] DownLinks=b0:b1\n"
		"MeshName=c Dims=2x2 Nodes=c[0-3] DownLinks=1,1:1,0\n"
		"MeshName=d Dims=2x2 Nodes=d[0-3]\nDownLinksFile=/not/there\n",
		&err);
	const struct mesh *a, *b;

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	a = conf->mesh[0];
	b = conf->mesh[1];
	assert_int_equal(a->down[0], 1);
	assert_int_equal(a->down[5], 1);
	assert_int_equal(a->down[8], 2);
	assert_int_equal(a->down[9], 2);
	/* Both of a ring of two. */
	assert_int_equal(b->down[0], 1);
	assert_int_equal(b->down[1], 1);
	assert_int_equal(conf->mesh[2]->down[1], 2);
	assert_null(conf->mesh[3]->down);
	assert_true(a->graph && a->graph == b->graph);
	assert_true(conf->mesh[2]->graph && conf->mesh[2]->graph != a->graph);
	assert_null(conf->mesh[3]->graph);
	assert_int_equal(a->graph->ncables, 3);
	assert_int_equal(linkgraph_mesh_hops(a, 0, 15), 1);
	assert_int_equal(linkgraph_mesh_hops(a, 0, 1), 3);
	assert_int_equal(linkgraph_hops(a->graph, a->graph_first + 12, b->graph_first), 2);
	assert_int_equal(linkgraph_hops(a->graph, a->graph_first + 3, b->graph_first + 3), 8);
	topoconf_free(conf);
}

/* A topology.conf: what is before, a mesh whose cables are these, and more. */
static struct topoconf *parse_cabled(const char *before, const char *nodes, const char *cables,
	const char *more, struct mesh_err *err)
{
	char path[] = "/tmp/cables.XXXXXX", text[512];
	int fd = mkstemp(path);
	struct topoconf *conf;

	assert_true(fd >= 0 && write(fd, cables, strlen(cables)) == (ssize_t)strlen(cables));
	close(fd);
	snprintf(text, sizeof(text), "%sMeshName=c Nodes=%s Cables=%s\n%s", before, nodes, path,
		more);
	conf = parse(text, err);
	unlink(path);
	return conf;
}

static struct topoconf *parse_cables(const char *nodes, const char *cables, const char *more,
	struct mesh_err *err)
{
	return parse_cabled("", nodes, cables, more, err);
}

/* Two rings of wide cables between two grids: links to these join no pods. */
static void pods(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse_cabled("MeshName=a Dims=2x2 Nodes=a[0-3]\n", "h[0-7]",
		"h0 h1 4\nh1 h2 4\nh2 h3 4\nh3 h0 4\nh4 h5 4\nh5 h6 4\nh6 h7 4\nh7 h4 4\nh0 h4 1\n",
		"MeshName=b Dims=2x2 Nodes=b[0-3]\nLink=a0,h0\nLink=h7,b0\nLink=h3,b1\n", &err);
	const struct linkgraph *g;

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	g = conf->mesh[1]->graph;
	assert_true(conf->mesh[1]->cabled);
	assert_true(g == conf->mesh[0]->graph && g == conf->mesh[2]->graph);
	assert_int_equal(g->npods, 4);
	for (int v = 0; v < 16; v++)
		assert_int_equal(g->pod[v], v / 4);
	topoconf_free(conf);
}

static void cables(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf = parse_cables("h[0-4]",
		"# a comment\nh0 h1 16\nh1 h2 3 # three\nh2 h1\nh3   h2 1\n", "Link=h3,h4,9,2\n",
		&err);
	const struct mesh *c;

	(void)state;
	if (!conf)
		fail_msg("%s", err.text);
	c = conf->mesh[0];
	assert_true(c->cabled && c->nvertices == 5 && c->nnodes == 5 && c->graph->lanes == 16);
	assert_int_equal(mesh_up(c, 0, 0), -1);
	assert_int_equal(linkgraph_mesh_hops(c, 0, 1), 1);
	assert_int_equal(linkgraph_mesh_hops(c, 0, 2), 5); /* both lines together: 4 lanes */
	assert_int_equal(linkgraph_mesh_hops(c, 2, 3), 16);
	assert_int_equal(linkgraph_mesh_hops(c, 3, 4), 9);
	assert_int_equal(linkgraph_lanes(c->graph, 1, 2), 4);
	assert_int_equal(linkgraph_lanes(c->graph, 4, 3), 2);
	assert_int_equal(linkgraph_lanes(c->graph, 0, 2), 0);
	topoconf_free(conf);
	/* Coordinates are too narrow for one row. */
	conf = parse_cables("h[0-9999,10000-65536]", "h0 h65536 1\n", "", &err);
	if (!conf)
		fail_msg("%s", err.text);
	c = conf->mesh[0];
	assert_true(c->nnodes == 65537 && c->nvertices == 65538);
	assert_int_equal(linkgraph_mesh_hops(c, 65536, 0), 1);
	assert_int_equal(linkgraph_mesh_hops(c, 1, 0), LINKGRAPH_CUT);
	topoconf_free(conf);
	/* No more than the most lanes, no more than the most hops; a cable that is broken. */
	conf = parse_cables("h[0-3]", "h0 h1 65536\nh1 h0 9\nh1 h2 1\nh2 h3\n",
		"Link=\"h0, h3 \"\nLink=h3,h0\nDownLinksFile=/not/there\n", &err);
	if (!conf)
		fail_msg("%s", err.text);
	c = conf->mesh[0];
	assert_int_equal(linkgraph_lanes(c->graph, 0, 1), 65536);
	assert_int_equal(linkgraph_mesh_hops(c, 1, 2), LINKGRAPH_WEIGHT);
	topoconf_free(conf);
	conf = parse_cables("h[0-3]", "# none\n", "", &err);
	assert_int_equal(linkgraph_mesh_hops(conf->mesh[0], 0, 1), LINKGRAPH_CUT);
	topoconf_free(conf);
	/* Both cables between two ends are broken, and a link of cables. */
	conf = parse_cables("h[0-3] DownLinks=\"h1:h0; ;h0:h3;h3:h2\"",
		"h0 h1\nh1 h2\nh2 h3\n",
		"Link=h0,h3\nLink=h3,h0,2\nLink=h3,h0,3\nLink=h3,h1,4\n", &err);
	if (!conf)
		fail_msg("%s", err.text);
	c = conf->mesh[0];
	assert_int_equal(linkgraph_mesh_hops(c, 0, 3), LINKGRAPH_CUT);
	assert_int_equal(linkgraph_mesh_hops(c, 1, 3), 4);
	assert_int_equal(c->graph->ncables, 2);
	topoconf_free(conf);
}

/* A line of Cables= that is wrong is named, with its file. */
static void wrong_cables(void **state)
{
	static const char *const cases[][2] = {
		{"h0 h1\nh0\n", ":2: a line of Cables= is NODE NODE [LANES], 1 to 65536 lanes"},
		{"h0 h1 0\n", ":1: a line of Cables= is NODE NODE [LANES], 1 to 65536 lanes"},
		{"h0 h1 2 3\n", ":1: a line of Cables= is NODE NODE [LANES], 1 to 65536 lanes"},
		{"h0 h9\n", ":1: h9 is no node of mesh c"},
		{"h1 h1\n", ":1: h1 and h1: both ends of the link are at one vertex"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mesh_err err = {{0}};

		assert_null(parse_cables("h[0-3]", cases[i][0], "", &err));
		assert_ptr_equal(strstr(err.text, "/tmp/cables."), err.text);
		assert_non_null(strchr(err.text, ':'));
		assert_string_equal(strchr(err.text, ':'), cases[i][1]);
	}
}

/* --- files -------------------------------------------------------------------------- */

static char told[4096];

static void tell(const char *text)
{
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s|", text);
}

/* What is told of a file by those who read it, and by those who check it. */
static void expect(const char *text, const char *all)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf;

	put_file("t.conf", text);
	*told = '\0';
	conf = topoconf_check("t.conf", &hostlist_libslurm, tell);
	assert_string_equal(told, all);
	assert_true(!conf == !!*all);
	topoconf_free(conf);
	conf = topoconf_read("t.conf", &hostlist_libslurm, &err);
	assert_int_equal(strcspn(all, "|"), strlen(err.text));
	assert_memory_equal(err.text, all, strlen(err.text));
	topoconf_free(conf);
}

#define MESH "MeshName=m Dims=2x2 Nodes=n[0-3]"

static void orders(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf;

	(void)state;
	put_file("good.order", "3 2\n # rest\n1  0\n");
	put_file("t.conf", MESH " Order=good.order\n");
	conf = topoconf_read("t.conf", &hostlist_libslurm, &err);
	if (!conf)
		fail_msg("%s", err.text);
	for (int i = 0; i < 4; i++)
		assert_int_equal(conf->mesh[0]->order[i], 3 - i);
	topoconf_free(conf);
	put_file("o", "0 1\n2 4\n");
	expect(MESH " Order=o\n", "o:2: expected vertex numbers of 0 to 3|");
	put_file("o", "0 1x\n");
	expect(MESH " Order=o\n", "o:1: expected vertex numbers of 0 to 3|");
	put_file("o", "0 1 2\n3 0\n");
	expect(MESH " Order=o\n", "o:2: more than the 4 vertices of the mesh|");
	put_file("o", "0 1 2\n");
	expect(MESH " Order=o\n", "o: 3 vertices, mesh m has 4|");
	put_file("o", "0 1 2 2\n");
	expect(MESH " Order=o\n", "t.conf:1: mesh m: rank 3 of the order: vertex 2 is out of "
		"range or there twice|");
	expect(MESH " Order=none\n", "t.conf:1: Order= names a file: none: No such file or "
		"directory|");
}

/* All that is wrong, and where it is. */
static void checks(void **state)
{
	char many[1000] = "";
	int errors = 0;

	(void)state;
	put_file("down", "n0:n1\n\nn2\n");
	expect(MESH "\nDownLinksFile=down\n",
		"down:3: 'n2': a broken link is A:B, two nodes|");
	put_file("down", "n0:n1\nn2:n3;\n");
	expect(MESH "\nDownLinksFile=down\n", "");
	put_file("other", MESH "\n");
	expect("Include other\nMeshName=m Dims=1\n",
		"t.conf:2: mesh m is already defined on line 1 of other|");
	expect("MeshName=a* Dims=2\nMeshName=m Dims=0\nMeshName=m Nodes=x Nodes=y\nMeshNode=a\n"
	       "MeshNode=b Colour=red\n",
		"t.conf:1: MeshName=a*: a name has letters, digits, '.', '_' and '-'|"
		"t.conf:2: Dims=0: sides must be 1 to 32767, vertices at most 2097152|"
		"t.conf:3: mesh m is already defined on line 2|t.conf:3: Nodes= is there twice|"
		"t.conf:4: MeshNode=a needs Mesh= and Coord=|t.conf:5: unknown key 'Colour' on a "
		"MeshNode= line (man topology.conf.mesh lists them)|");
	expect("MeshName=a Dims=2\nMeshName=b Dims=2\nLink=a,b\n",
		"t.conf:1: mesh a has no nodes|t.conf:2: mesh b has no nodes|");
	expect(MESH "\nLink=n0,n0\nLink=n0,x\n",
		"t.conf:2: n0 and n0: both ends of the link are at one vertex|"
		"t.conf:3: node x is in no mesh|");
	for (int i = 0; i < 30; i++)
		strcat(many, "Meshes=x\n");
	put_file("t.conf", many);
	*told = '\0';
	assert_null(topoconf_check("t.conf", &hostlist_libslurm, tell));
	for (const char *at = told; (at = strchr(at, '|')); at++)
		errors++;
	assert_int_equal(errors, 20);
	assert_non_null(strstr(told, "t.conf:20: unknown key 'Meshes'"));
}

static char *line_of(const char *begin, char letter)
{
	size_t n = strlen(begin);
	char *line = malloc(n + 5002);

	assert_non_null(line);
	memcpy(line, begin, n);
	memset(line + n, letter, 5000);
	strcpy(line + n + 5000, "\n");
	return line;
}

static void long_paths(void **state)
{
	char *order = line_of(MESH " Order=", 'x'), *down = line_of(MESH "\nDownLinksFile=", 'x');

	(void)state;
	expect(order, "t.conf:1: Order=: the path is too long|");
	expect(down, "t.conf:2: DownLinksFile= names a file|");
	free(order);
	free(down);
}

/* Cables are limited, however many nodes a line names. */
static void many_cables(void **state)
{
	enum { NODES = 8192, HALF = NODES / 2 };
	static char text[300 * 40];
	struct mesh_err err;

	(void)state;
	sprintf(text, "MeshName=m Dims=%d Nodes=n[0-%d]\n", NODES, NODES - 1);
	for (int i = 0; i < 257; i++)
		sprintf(text + strlen(text), "Link=n[0-%d],n[%d-%d]\n", HALF - 1, HALF,
			NODES - 1);
	assert_null(parse(text, &err));
	assert_string_equal(err.text, "t.conf:258: more than 1048576 extra links");
}

/* A number is a ring where the side is a multiple, of whatever Dims= the line has. */
static void rings(void **state)
{
	struct mesh_err err;
	struct topoconf *conf = parse("MeshType=t Wrap=4,8\n"
				      "MeshName=a Type=t Dims=4x4 Nodes=a[0-15]\n"
				      "MeshName=b Type=t Dims=8x8 Nodes=b[0-63]\n"
				      "MeshName=c Type=t Dims=8x8 Wrap=no,yes Nodes=c[0-63]\n"
				      "MeshName=d Wrap=no,2,5 Dims=4x4x4 Nodes=d[0-63]\n",
		&err);
	static const bool wrap[][3] = {{1}, {1, 1}, {0, 1}, {0, 1, 0}};

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_memory_equal(conf->mesh[i]->wrap, wrap[i], sizeof(wrap[i]));
	topoconf_free(conf);
}

static void mistakes(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "t.conf: no MeshName= line (man topology.conf.mesh)"},
		{"MeshName=m Dims=8x8 Nodes=n[0-62]",
			"t.conf:1: Nodes= names 63 nodes, mesh m has room for exactly 64 "
			"(Holes= are vertices without nodes)"},
		{"MeshName=m Dims=8x8 Nodes=n[0-64]",
			"t.conf:1: Nodes= names 65 nodes, mesh m has room for exactly 64"},
		{"\n\nMeshName=m Dims=8*8 Nodes=n[0-63]",
			"t.conf:3: Dims=8*8: expected 1 to 6 sides like 8x8x4"},
		{"MeshName=m Dims=0x8 Nodes=n[0-63]",
			"t.conf:1: Dims=0x8: sides must be 1 to 32767, vertices at most 2097152"},
		{"MeshName=m Dims=32767x32767 Nodes=n[0-63]",
			"t.conf:1: Dims=32767x32767: sides must be 1 to 32767, vertices at most "
			"2097152"},
		{"MeshName=m Dims=1x1x1x1x1x1x1 Nodes=n",
			"t.conf:1: Dims=1x1x1x1x1x1x1: expected 1 to 6 sides like 8x8x4"},
		{"MeshName=m Dims=2x2 Wrap=yes Nodes=n[0-3]",
			"t.conf:1: Wrap= and Dims= have unequally many values: 1 and 2"},
		{"MeshName=m Dims=2x2 Wrap=yes,maybe Nodes=n[0-3]",
			"t.conf:1: Wrap=yes,maybe: expected all, none, or one yes, no or "
			"side per dimension"},
		{"MeshName=m Dims=2x2 Wrap=2,0 Nodes=n[0-3]",
			"t.conf:1: Wrap=2,0: expected all, none, or one yes, no or side per "
			"dimension"},
		{"MeshName=m Dims=2x2 Wrap=2,2x Nodes=n[0-3]",
			"t.conf:1: Wrap=2,2x: expected all, none, or one yes, no or side per "
			"dimension"},
		{"MeshName=m Dims=2x2 Nodes=n[0-3] Colour=red",
			"t.conf:1: unknown key 'Colour' on a MeshName= line "
			"(man topology.conf.mesh lists them)"},
		{"MeshName=m Dims=2x2 Nodes=n[0-3] link=n0,n3",
			"t.conf:1: Link= cannot be on a MeshName= line (man topology.conf.mesh)"},
		{"MeshNmae=m Dims=2x2 Nodes=n[0-3]",
			"t.conf:1: unknown key 'MeshNmae', did you mean 'MeshName'? (lines begin "
			"with MeshName=, MeshNode=, MeshType=, Link= or DownLinksFile=)"},
		{"Mesh m Dims=2x2 Nodes=n[0-3]",
			"t.conf:1: unknown key 'Mesh', did you mean 'MeshName'? (lines begin with "
			"MeshName=, MeshNode=, MeshType=, Link= or DownLinksFile=)"},
		{"MeshName=m Dims=2x2 Nodes=n[0-2],n1",
			"t.conf:1: node n1 is named twice (line 1)"},
		{"MeshName=m Dims=2x2 Nodes=n[0-3]\nMeshName=k Dims=1 Nodes=n3",
			"t.conf:2: node n3 is named twice (line 1)"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=m Coord=2,0",
			"t.conf:2: coordinate '2,0': dimension 1 of mesh m goes from 0 to 1"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=m Coord=1,0\nMeshNode=b Mesh=m Coord=1,0",
			"t.conf:3: Coord=1,0 of mesh m is taken (NodesPerVertex=1)"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=m Coord=1",
			"t.conf:2: coordinate '1': expected 2 numbers from 0 for mesh m"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=k Coord=1,1",
			"t.conf:2: Mesh=k is not defined"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=m",
			"t.conf:2: MeshNode=a needs Mesh= and Coord="},
		{"MeshName=m Dims=2x2", "t.conf:1: mesh m has no nodes"},
		{"MeshName=m Nodes=n", "t.conf:1: mesh m has no Dims="},
		{"MeshName=m Dims=2 Dims=3 Nodes=n[0-1]", "t.conf:1: Dims= is there twice"},
		{"MeshName=m Dims=2x2 Nodes=n[0-", "t.conf:1: Nodes=: not a host list at 'n[0-': "
			"] is missing"},
		{"MeshName=m Dims=2x2 Nodes=n[0-999999999]",
			"t.conf:1: Nodes=: more than 2097152 hosts"},
		{"MeshName=m Dims=2x2 Holes=0,0;0,0 Nodes=n[0-1]",
			"t.conf:1: Holes=: vertex 0,0 is there twice"},
		{"MeshName=m Dims=2x2 Nodes=", "t.conf:1: Nodes= has no value"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n0:n5",
			"t.conf:1: no link joins n0 and n5"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=0,0:0,2",
			"t.conf:1: no link joins 0,0 and 0,2"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=0,0:4,0",
			"t.conf:1: '4,0' is no coordinate of mesh m"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=0,0:1",
			"t.conf:1: '1' is no coordinate of mesh m"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n0",
			"t.conf:1: 'n0': a broken link is A:B, two nodes or coordinates"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n0:x1",
			"t.conf:1: node x1 is in no mesh"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n[0-1]:n4",
			"t.conf:1: 'n[0-1]' and 'n4' are not as many nodes"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n[0-99]:n4",
			"t.conf:1: 'n[0-99]': more nodes than there are"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0",
			"t.conf:2: Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to "
			"255 hops and 1 to 65536 lanes"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n5,256",
			"t.conf:2: Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to "
			"255 hops and 1 to 65536 lanes"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n1,1,0",
			"t.conf:2: Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to "
			"255 hops and 1 to 65536 lanes"},
		{"MeshName=m Dims=4x4 Cables=x Nodes=n[0-15]",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x", "t.conf:1: Cables= needs Nodes="},
		{"MeshName=m Cables=x Nodes=n[", "t.conf:1: Cables= needs Nodes=: not a host list "
						 "at 'n[': ] is missing"},
		{"MeshName=m Cables=/dev Nodes=n[0-15]",
			"t.conf:1: Cables= names a file: /dev: not a regular file"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n0",
			"t.conf:2: n0 and n0: both ends of the link are at one vertex"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,k5",
			"t.conf:2: node k5 is in no mesh"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nDownLinksFile=",
			"t.conf:2: DownLinksFile= names a file"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nDownLinksFile=/dev",
			"t.conf:2: DownLinksFile= names a file: /dev: not a regular file"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nDownLinksFile=/dev/null/x",
			"t.conf:2: DownLinksFile= names a file: /dev/null/x: Not a directory"},
		{"MeshName=m Dims", "t.conf:1: 'Dims': expected KEY=VALUE"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2,4",
			"t.conf:1: Shapes=: '4': expected 2 sides "
			"like 4x4x2, or 4x4x2@4x4x1 or 4x4x2@4+0x0x1"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2@,1x1",
			"t.conf:1: Shapes=: '2x2@': expected 2 "
			"sides like 4x4x2, or 4x4x2@4x4x1 or 4x4x2@4+0x0x1"},
		{"MeshName=m Shapes=2x2,4x5 Dims=4x4 Nodes=n[0-15]",
			"t.conf:1: Shapes=: 4x5: the machine has a side of 4 in dimension 2"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2@0",
			"t.conf:1: Shapes=: 2x2@0: places are 1 to 4 apart in dimension 1, from 0 "
			"to 3 on"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2@2+0x3",
			"t.conf:1: Shapes=: 2x2@2+0x3: its first place is over the edge in "
			"dimension 2"},
		{"MeshName=m Dims=4 Nodes=n[0-3] ShapesExact=maybe",
			"t.conf:1: ShapesExact=maybe: expected yes or no"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] NodeShape=2",
			"t.conf:1: NodeShape= has 1 sides, Dims= has 2"},
		{"MeshName=m Dims=4 NodesPerVertex=2 Nodes=n[0-7] NodeShape=2",
			"t.conf:1: NodeShape= goes with one node to the vertex, not "
			"NodesPerVertex=2"},
		{"MeshName=m Dims=2 Type=pod Nodes=n[0-1]\nMeshType=pod Wrap=all",
			"t.conf:1: Type=pod: there is no MeshType=pod line above"},
		{"MeshType=pod Wrapp=all\nMeshName=m Dims=2 Type=pod Nodes=n[0-1]",
			"t.conf:2: unknown key 'Wrapp' on a MeshName= line, did you mean 'Wrap'? "
			"(man topology.conf.mesh lists them)"},
		{"MeshType=", "t.conf:1: MeshType= has no value"},
		{"MeshType=4x4 Wrap=all",
			"t.conf:1: MeshType=4x4: a name of up to 23 letters, digits, '.', '_' and "
			"'-', the first a letter"},
		{"MeshType=a123456789012345678901234 Wrap=all",
			"t.conf:1: MeshType=a123456789012345678901234: a name of up to 23 letters, "
			"digits, '.', '_' and '-', the first a letter"},
		{"MeshName=m Dims=2 Nodes=n[0-1] Env=A={JOB_RANK",
			"t.conf:1: Env=: '{JOB_RANK' has no closing brace"},
		{"MeshType=t Env=A={HOSTS}\nMeshName=m Type=t Dims=2 Nodes=n[0-1]",
			"t.conf:2: Env=: unknown field {HOSTS}: expected JOB_HOSTS or a variable "
			"of select_mesh(7), as JOB_RANK"},
		{"MeshType=pod Shapes=2x2;1x1\nMeshName=m Dims=4x4 Type=pod Nodes=n[0-15]",
			"t.conf:2: Shapes=: '2x2;1x1': expected 2 sides like 4x4x2, or 4x4x2@4x4x1 "
			"or 4x4x2@4+0x0x1"},
		{"MeshType=pod Shapes=8x8,9x9\nMeshName=m Dims=4x4 Type=pod Nodes=n[0-15]",
			"t.conf:2: Shapes=: 9x9: the machine has a side of 4 in dimension 1"},
		{"MeshType=pod Shapes=9x9\nMeshName=m Dims=2x2 Type=pod Shapes=3x1 Nodes=n[0-3]",
			"t.conf:2: Shapes=: 3x1: the machine has a side of 2 in dimension 1"},
		{"MeshName=m Dims=2 NodesPerVertex=0 Nodes=n[0-1]",
			"t.conf:1: NodesPerVertex=0: expected a number from 1 to 65535"},
		{"MeshName=m Dims=2 NodesPerVertex=2x Nodes=n[0-1]",
			"t.conf:1: NodesPerVertex=2x: expected a number from 1 to 65535"},
		{"MeshName=mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
			"m",
			"t.conf:1: MeshName= needs a name of 1 to 63 characters"},
		{"MeshName=m Dims=2 NodeShape=2y Nodes=n[0-1]",
			"t.conf:1: NodeShape=2y: expected 1 to 6 sides like 2x2x1"},
		{"MeshName=m Dims=2 NodeShape=y Nodes=n[0-1]",
			"t.conf:1: NodeShape=y: expected 1 to 6 sides like 2x2x1"},
		{"MeshName=m Dims=40000 Nodes=n[0-1]",
			"t.conf:1: Dims=40000: sides must be 1 to 32767, vertices at most 2097152"},
		{"MeshName=m Dims=2 Wrap=1,1,1,1,1,1,1 Nodes=n[0-1]",
			"t.conf:1: Wrap=1,1,1,1,1,1,1: expected all, none, or one yes, no or "
			"side per dimension"},
		{"MeshName=mDims=0Nodes=n",
			"t.conf:1: Dims=0: sides must be 1 to 32767, vertices at most 2097152"},
		{"MeshName=m Dims=2\nMeshNode=a Mesh=m Coord=0 Dims=2",
			"t.conf:2: Dims= cannot be on a MeshNode= line (man topology.conf.mesh)"},
		{"MeshName=m Dims=2\nMeshNode=a Mesh=m Coord=0 Colour=red",
			"t.conf:2: unknown key 'Colour' on a MeshNode= line (man "
			"topology.conf.mesh lists them)"},
		{"MeshName=m Dims=2\nMeshNode=a Coord=0",
			"t.conf:2: MeshNode=a needs Mesh= and Coord="},
		{"MeshName=m Dims=2\nMeshNode=a[0-1] Mesh=m Coord=0",
			"t.conf:2: MeshNode=a[0-1]: expected one node name"},
		{"MeshName=m Dims=2x2\nMeshNode=a Mesh=m Coord=1,0x",
			"t.conf:2: Coord=1,0x: expected 2 numbers with commas"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=x",
			"t.conf:1: Shapes=: 'x': expected 2 sides like 4x4x2, or 4x4x2@4x4x1 or "
			"4x4x2@4+0x0x1"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=4x4x4y",
			"t.conf:1: Shapes=: '4x4x4y': expected 2 sides like 4x4x2, or "
			"4x4x2@4x4x1 or 4x4x2@4+0x0x1"},
		{"MeshName=m Cables=x Nodes=n[0-15] Wrap=yes",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x Nodes=n[0-15] Holes=1",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x Nodes=n[0-15] Shapes=1",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x Nodes=n[0-15] NodeShape=1",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x Nodes=n[0-15] NodesPerVertex=2",
			"t.conf:1: Cables= is for a machine that is no grid: no Dims=, Wrap=, "
			"Holes=, NodesPerVertex=, Shapes= or NodeShape="},
		{"MeshName=m Cables=x Nodes=n[0-2097151]",
			"t.conf:1: Cables=: more than 2097087 nodes"},
		{"MeshName=m Dims=2x2 Holes=4,0 Nodes=n[0-2]",
			"t.conf:1: coordinate '4,0': dimension 1 of mesh m goes from 0 to 1"},
		{"MeshName=m Dims=2x2 Holes=0,0:1 Nodes=n[0-2]",
			"t.conf:1: Holes=: expected ';' at ':1'"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n1,1,1,1",
			"t.conf:2: Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to "
			"255 hops and 1 to 65536 lanes"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n1,1x",
			"t.conf:2: Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to "
			"255 hops and 1 to 65536 lanes"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15]\nLink=n0,n?",
			"t.conf:2: not a host list at 'n?'"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=n0:n1:n2",
			"t.conf:1: 'n0:n1:n2': a broken link is A:B, two nodes or coordinates"},
		{"MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=:n1",
			"t.conf:1: not a host list: ''"},
		{"MeshName=m Dims=2 Nodes=n[0-1]\nLink=n0,n1\nMeshName=k Dims=1 Nodes=k "
			"DownLinks=n0:k",
			"t.conf:3: no link joins n0 and k"},
		{"MeshName=m Dims=2 Nodes=n[0-1] Type=a=b",
			"t.conf:1: Type=a=b: there is no MeshType=a=b line above"},
		{"MeshName=m Dims=2\nMeshName=m Dims=2",
			"t.conf:2: mesh m is already defined on line 1"},
		{"MeshName=m\x1b[2J Dims=2",
			"t.conf:1: MeshName=m?[2J: a name has letters, digits, '.', '_' and '-'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mesh_err err = {{0}};

		assert_null(parse(cases[i].text, &err));
		assert_string_equal(err.text, cases[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(good),
		cmocka_unit_test(shapes),
		cmocka_unit_test(links),
		cmocka_unit_test(cables),
		cmocka_unit_test(wrong_cables),
		cmocka_unit_test(hashes),
		cmocka_unit_test(rings),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(orders),
		cmocka_unit_test(checks),
		cmocka_unit_test(long_paths),
		cmocka_unit_test(many_cables),
		cmocka_unit_test(pods),
	};

	return cmocka_run_group_tests_name("topoconf", tests, enter_folder, leave_folder);
}
