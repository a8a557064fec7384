/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A line makes a draft, one for each MeshName. Drafts become meshes at the end of the file, as
 * MeshNode lines may come before or after their mesh.
 */
#include "conf/topoconf.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/conffile.h"
#include "base/hash.h"
#include "base/suggest.h"
#include "graph/linkgraph.h"
#include "base/textfile.h"
#include "conf/jobenv_field.h"
#include "conf/linkconf.h"
#include "conf/shape.h"

struct draft {
	struct mesh_spec spec;
	char *name, *type, *nodes, *holes, *order, *shapes, *down, *env, *cables;
	bool any_shapes; /* Shapes= are of a type: only those count that the mesh has room for */
	struct conffile_place at;
	int nvertices;
	int wrap_flags; /* values in Wrap=; 0 for all, none or no Wrap= */
	int wrap_sides[MESH_MAX_DIMS]; /* a ring if the side is a multiple; 0: as the spec says */
	int node_sides; /* sides in NodeShape=; 0: there is none */
	/* Filled in by build(): */
	char **node_name;
	int *vertex_of;
	const struct conffile_place **node_at;
	int nnodes;
	int first_node_line; /* of its own, in parser.node_line[]; -1: none */
};

enum { MOST_ERRORS = 20 };

/* A MeshType line: the pairs of mesh lines that name the type and do not have these keys. */
struct type {
	char *name, *pairs;
};

/* A MeshNode= line. */
struct node_line {
	char *node, *mesh, *coord;
	struct conffile_place at;
	int next; /* the next line of the same mesh, or -1 */
};

struct parser {
	struct arena arena;
	const char *path;
	const struct mesh_hostlist_ops *hosts;
	struct mesh_err *err;
	void (*tell)(const char *text); /* NULL: end at the first error */
	int told;
	struct conffile_place at; /* the current line */
	struct draft *draft;
	int ndrafts;
	struct node_line *node_line;
	int nnode_lines;
	struct type *type;
	int ntypes;
	struct linkconf links;
};

#define fail_at(p, at, ...) conffile_fail((p)->err, at, __VA_ARGS__)
#define fail(p, ...) fail_at(p, (p)->at, __VA_ARGS__)

static int no_memory(struct parser *p)
{
	return fail(p, "out of memory");
}

/* Behind an error: 0: it has been told, go on; -1: this is the end. */
static int go_on(void *parser)
{
	struct parser *p = parser;

	if (!p->tell || p->told == MOST_ERRORS - 1)
		return -1;
	p->tell(p->err->text);
	*p->err->text = '\0';
	p->told++;
	return 0;
}

/* Parse up to MESH_MAX_DIMS numbers with separators. Returns how many, or -1. */
static int number_list(const char *text, char separator, int *value, const char **end)
{
	int n = 0;

	for (*end = text;; ++*end) {
		if (n == MESH_MAX_DIMS ||
			(value[n++] = textfile_number(end, MESH_MAX_VERTICES)) < 0)
			return -1;
		if (**end != separator)
			return n;
	}
}

/* --- keys ------------------------------------------------------------------------- */

static int key_dims(struct parser *p, struct draft *draft, const char *value)
{
	const char *end;
	int n = number_list(value, 'x', draft->spec.side, &end);

	if (n < 0 || *end)
		return fail(p, "Dims=%.64s: expected 1 to %d sides like 8x8x4", value,
			MESH_MAX_DIMS);
	draft->spec.ndims = n;
	draft->nvertices = 1;
	for (int d = 0; d < n; d++) {
		int side = draft->spec.side[d];

		if (side < 1 || side > MESH_MAX_SIDE || side > MESH_MAX_VERTICES / draft->nvertices)
			return fail(p, "Dims=%.64s: sides must be 1 to %d, vertices at most %d",
				value, MESH_MAX_SIDE, MESH_MAX_VERTICES);
		draft->nvertices *= side;
	}
	return 0;
}

static bool word_is(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !strncasecmp(text, word, length);
}

/* Dims= may come later on the line, so check_draft() checks the number of flags. */
static int key_wrap(struct parser *p, struct draft *draft, const char *value)
{
	bool *wrap = draft->spec.wrap;
	int n = 0;

	if (!strcasecmp(value, "all") || !strcasecmp(value, "none")) {
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			wrap[d] = tolower((unsigned char)*value) == 'a';
		return 0;
	}
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		bool yes = word_is(at, length, "yes");
		const char *end = at;
		int side = textfile_number(&end, MESH_MAX_SIDE);

		if (n == MESH_MAX_DIMS || (!yes && !word_is(at, length, "no") &&
						 (side < 1 || end != at + length)))
			return fail(p,
				"Wrap=%.64s: expected all, none, or one yes, no or side per "
				"dimension",
				value);
		draft->wrap_sides[n] = side > 0 ? side : 0;
		wrap[n++] = yes;
		at += length;
		if (!*at)
			break;
	}
	draft->wrap_flags = n;
	return 0;
}

static int key_per_vertex(struct parser *p, struct draft *draft, const char *value)
{
	const char *end = value;
	int n = textfile_number(&end, MESH_MAX_NODES_PER_VERTEX);

	if (n < 1 || *end)
		return fail(p, "NodesPerVertex=%.32s: expected a number from 1 to %d", value,
			MESH_MAX_NODES_PER_VERTEX);
	draft->spec.nodes_per_vertex = n;
	return 0;
}

static int keep(struct parser *p, char **where, const char *value)
{
	*where = arena_text(&p->arena, value);
	return *where ? 0 : no_memory(p);
}

/* Name a line in a message about another line; in text. */
static const char *line_of(const struct conffile_place *at, const struct conffile_place *other,
	char text[128])
{
	if (at->path == other->path)
		snprintf(text, 128, "line %d", at->line);
	else
		snprintf(text, 128, "line %d of %.100s", at->line, at->path);
	return text;
}

static int key_name(struct parser *p, struct draft *draft, const char *value)
{
	char where[128];

	if (!*value || strlen(value) >= MESH_MAX_NAME)
		return fail(p, "MeshName= needs a name of 1 to %d characters", MESH_MAX_NAME - 1);
	for (const char *c = value; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return fail(p,
				"MeshName=%.64s: a name has letters, digits, '.', '_' and '-'",
				value);
	for (int i = 0; i < p->ndrafts - 1; i++)
		if (p->draft[i].name && !strcmp(p->draft[i].name, value))
			return fail(p, "mesh %s is already defined on %s", value,
				line_of(&p->draft[i].at, &p->at, where));
	return keep(p, &draft->name, value);
}

static int key_exact(struct parser *p, struct draft *draft, const char *value)
{
	if (textfile_yes_no(value, &draft->spec.legal_exact))
		return fail(p, "ShapesExact=%.32s: expected yes or no", value);
	return 0;
}

static int key_node_shape(struct parser *p, struct draft *draft, const char *value)
{
	const char *end = value;

	draft->node_sides = shape_sides(&end, draft->spec.node_side);
	return draft->node_sides && !*end ? 0
		: fail(p, "NodeShape=%.64s: expected 1 to %d sides like 2x2x1", value,
			  MESH_MAX_DIMS);
}

/* Every key of lines that begin with MeshName= (of_mesh) or MeshNode=. */
static const struct {
	const char *name;
	bool of_mesh;
	int (*take)(struct parser *, struct draft *, const char *);
	size_t text; /* without take: the offset of the char * that keeps the value */
} keys[] = {
	{"MeshName", true, key_name, 0},
	{"Type", true, NULL, offsetof(struct draft, type)},
	{"Dims", true, key_dims, 0},
	{"Wrap", true, key_wrap, 0},
	{"Nodes", true, NULL, offsetof(struct draft, nodes)},
	{"NodesPerVertex", true, key_per_vertex, 0},
	{"Holes", true, NULL, offsetof(struct draft, holes)},
	{"Order", true, NULL, offsetof(struct draft, order)},
	{"Shapes", true, NULL, offsetof(struct draft, shapes)},
	{"ShapesExact", true, key_exact, 0},
	{"NodeShape", true, key_node_shape, 0},
	{"Env", true, NULL, offsetof(struct draft, env)},
	{"DownLinks", true, NULL, offsetof(struct draft, down)},
	{"Cables", true, NULL, offsetof(struct draft, cables)},
	{"MeshNode", false, NULL, offsetof(struct node_line, node)},
	{"Mesh", false, NULL, offsetof(struct node_line, mesh)},
	{"Coord", false, NULL, offsetof(struct node_line, coord)},
};

/* Lines with one key, about links: see linkconf.h. */
static const struct {
	const char *key;
	enum linkconf_kind kind;
} link_lines[] = {{"Link", LINKCONF_EXTRA}, {"DownLinksFile", LINKCONF_FILE}};
static const char type_line[] = "MeshType";

enum {
	NKEYS = sizeof(keys) / sizeof(keys[0]),
	NLINK_LINES = sizeof(link_lines) / sizeof(link_lines[0])
};

const char *topoconf_key(int i)
{
	if (i >= 0 && i < NKEYS)
		return keys[i].name;
	i -= NKEYS;
	return i >= 0 && i < NLINK_LINES ? link_lines[i].key : i == NLINK_LINES ? type_line : NULL;
}

static const char *key_at(const void *list, int i)
{
	(void)list;
	return topoconf_key(i);
}

/* Where the pairs of a line go: one of the two. */
struct target {
	struct draft *draft;
	struct node_line *node_line;
	unsigned seen, skipped; /* keys as bits: seen on this line; given before, to skip */
};

/* One KEY=VALUE of a mesh line or a node line. */
static int take_pair(struct parser *p, struct target *to, const char *key, const char *value)
{
	void *into = to->draft ? (void *)to->draft : to->node_line;
	char meant[96];

	for (unsigned i = 0; i < NKEYS; i++) {
		if (strcasecmp(key, keys[i].name) || keys[i].of_mesh != !!to->draft)
			continue;
		if (to->skipped & 1u << i)
			return 0;
		if (to->seen & 1u << i)
			return fail(p, "%s= is there twice", keys[i].name);
		to->seen |= 1u << i;
		if (!*value)
			return fail(p, "%s= has no value", keys[i].name);
		if (keys[i].take)
			return keys[i].take(p, to->draft, value);
		return keep(p, (char **)((char *)into + keys[i].text), value);
	}
	for (int i = 0; topoconf_key(i); i++)
		if (!strcasecmp(key, topoconf_key(i)))
			return fail(p, "%s= cannot be on a %s line (man topology.conf.mesh)",
				topoconf_key(i), to->draft ? "MeshName=" : "MeshNode=");
	return fail(p, "unknown key '%.64s' on a %s line%s (man topology.conf.mesh lists them)",
		key, to->draft ? "MeshName=" : "MeshNode=",
		suggest(key, key_at, NULL, meant, sizeof(meant)));
}

/* The longest key that ends at the first = of a value, with *equals set to it; NULL: none. */
static const char *key_inside(char *value, char **equals)
{
	const char *longest = NULL;

	*equals = strchr(value, '=');
	for (unsigned i = 0; *equals && i < NKEYS; i++) {
		size_t n = strlen(keys[i].name);

		if ((size_t)(*equals - value) >= n &&
			!strncasecmp(*equals - n, keys[i].name, n) &&
			(!longest || n > strlen(longest)))
			longest = keys[i].name;
	}
	return longest;
}

/*
 * Take one pair, or several. Version 1.0 replaced a backslash and its newline by a blank, so the
 * next line could begin with a key. Slurm puts nothing there, and the key follows the value
 * directly. Only values of Env= may contain a =.
 */
static int take_joined(struct parser *p, struct target *to, const char *key, char *value)
{
	const char *next;
	char *equals;
	int bad = 0;

	while (!bad && strcasecmp(key, "Env") && (next = key_inside(value, &equals))) {
		equals[-(ptrdiff_t)strlen(next)] = '\0';
		bad = take_pair(p, to, key, value);
		key = next;
		value = equals + 1;
	}
	return bad ? bad : take_pair(p, to, key, value);
}

static int take_pairs(struct parser *p, struct target *to, char *pairs)
{
	char *key, *value;
	int found, bad = 0;

	while (!bad && (found = conffile_pair(&pairs, &key, &value)))
		if (found < 0 ? fail(p, "'%.64s': expected KEY=VALUE", key)
			      : take_joined(p, to, key, value))
			bad = go_on(p);
	return bad;
}

/* Parse a number for each dimension, or one for all, at *at; false: there is none. */
static bool for_each_dim(const struct draft *draft, const char **at, int *value)
{
	int n = number_list(*at, 'x', value, at);

	for (int d = n; n == 1 && d < draft->spec.ndims; d++)
		value[d] = value[0];
	return n == 1 || n == draft->spec.ndims;
}

/*
 * Parse SIDES[@STEPS[+SEEDS]], up to a comma or the end. 0; 1 with text: the mesh has no room for
 * it, or another number of sides; -1 with text.
 */
static int parse_placement(struct parser *p, const struct draft *draft, const char **at,
	struct mesh_placement *placement)
{
	const char *start = *at;
	struct mesh_err why;
	int length = (int)strcspn(start, ","), ndims = draft->spec.ndims, sides;
	bool good, other;

	*placement = (struct mesh_placement){.side = {0}};
	sides = number_list(start, 'x', placement->side, at);
	good = sides == ndims;
	other = sides > 0 && !good && strchr(",@+", **at);
	memcpy(placement->step, placement->side, sizeof(placement->step));
	if (good && **at == '@') {
		++*at;
		good = for_each_dim(draft, at, placement->step);
	}
	if (good && **at == '+') {
		++*at;
		good = for_each_dim(draft, at, placement->seed);
	}
	if (!good || *at != start + length) {
		fail(p,
			"Shapes=: '%.*s': expected %d sides like 4x4x2, or 4x4x2@4x4x1 or "
			"4x4x2@4+0x0x1",
			length < 64 ? length : 64, start, ndims);
		return other ? 1 : -1;
	}
	if (!mesh_placement_check(placement, &draft->spec, &why))
		return 0;
	fail(p, "Shapes=: %.*s: %s", length, start, why.text);
	return 1;
}

/* Called when all of the line is known. */
static int parse_shapes(struct parser *p, struct draft *draft)
{
	const char *at = draft->shapes;
	struct mesh_placement *legal;
	int room = 1;

	for (const char *c = at; *c; c++)
		room += *c == ',';
	if (!(draft->spec.legal = arena_array(&p->arena, legal, room)))
		return no_memory(p);
	for (int i = 0; i < room; i++, at++) {
		const char *end = at + strcspn(at, ",");
		int bad = parse_placement(p, draft, &at, &legal[draft->spec.nlegal]);

		if (bad < 0 || (bad && !draft->any_shapes))
			return -1;
		draft->spec.nlegal += !bad;
		at = end;
	}
	if (!draft->spec.nlegal) /* otherwise the mesh had room for none */
		return -1;
	if (p->err)
		*p->err->text = '\0';
	return 0;
}

/* A cabled mesh: one vertex for each node, in as few rows as coordinates allow. */
static int draft_cables(struct parser *p, struct draft *draft)
{
	struct mesh_err why = {{0}};
	int n = draft->nodes ? hostlist_check(draft->nodes, &why) : 0, rows;

	if (draft->spec.ndims || draft->wrap_flags || draft->holes || draft->shapes ||
		draft->node_sides || draft->spec.nodes_per_vertex)
		return fail(p, "Cables= is for a machine that is no grid: no Dims=, Wrap=, Holes=, "
			"NodesPerVertex=, Shapes= or NodeShape=");
	if (n < 1)
		return fail(p, "Cables= needs Nodes=%s%s", draft->nodes ? ": " : "", why.text);
	rows = (n + MESH_MAX_SIDE - 1) / MESH_MAX_SIDE;
	if (n > MESH_MAX_VERTICES - rows)
		return fail(p, "Cables=: more than %d nodes", MESH_MAX_VERTICES - rows);
	draft->spec.cabled = true;
	draft->spec.nnodes = n;
	draft->spec.ndims = rows > 1 ? 2 : 1;
	draft->spec.side[0] = (n + rows - 1) / rows;
	draft->spec.side[1] = rows;
	draft->nvertices = draft->spec.side[0] * rows;
	return 0;
}

static int check_draft(struct parser *p, struct draft *draft)
{
	int flags = draft->wrap_flags;
	struct mesh_err why;

	if (draft->cables && draft_cables(p, draft))
		return -1;
	if (!draft->spec.ndims)
		return fail(p, "mesh %s has no Dims=", draft->name);
	if (flags && flags != draft->spec.ndims)
		return fail(p, "Wrap= has %d values, Dims= has %d sides", flags, draft->spec.ndims);
	for (int d = 0; d < draft->spec.ndims; d++)
		if (draft->wrap_sides[d])
			draft->spec.wrap[d] = draft->spec.side[d] % draft->wrap_sides[d] == 0;
	if (draft->node_sides && draft->node_sides != draft->spec.ndims)
		return fail(p, "NodeShape= has %d sides, Dims= has %d", draft->node_sides,
			draft->spec.ndims);
	if (!draft->spec.nodes_per_vertex)
		draft->spec.nodes_per_vertex = 1;
	if (draft->node_sides && draft->spec.nodes_per_vertex > 1)
		return fail(p, "NodeShape= goes with one node to the vertex, not NodesPerVertex=%d",
			draft->spec.nodes_per_vertex);
	if (draft->env && jobenv_check(draft->env, &why))
		return fail(p, "Env=: %s", why.text);
	return draft->shapes ? parse_shapes(p, draft) : 0;
}

/* --- types -------------------------------------------------------------------------- */

/* MeshType=NAME KEY=VALUE ... */
static int take_type(struct parser *p, char *pairs)
{
	struct type *type = arena_grow(&p->arena, &p->type, p->ntypes, sizeof(*type));
	char *key, *name;

	if (!type)
		return no_memory(p);
	conffile_pair(&pairs, &key, &name);
	if (!*name)
		return fail(p, "%s= has no value", type_line);
	if (!shape_type(name, '\0'))
		return fail(p,
			"%s=%.64s: a name of up to %d letters, digits, '.', '_' and '-', the first "
			"a letter",
			type_line, name, MESH_MAX_TYPE - 1);
	if (keep(p, &type->name, name) || keep(p, &type->pairs, pairs))
		return -1;
	p->ntypes++;
	return 0;
}

/* Add the pairs of the type's lines for keys that the mesh line lacks. The last pair counts. */
static int apply_type(struct parser *p, struct draft *draft, unsigned seen)
{
	struct target to = {.draft = draft, .skipped = seen};
	bool found = false;
	char *pairs;

	draft->any_shapes = !draft->shapes;
	for (int i = p->ntypes - 1; i >= 0; i--) {
		if (strcmp(p->type[i].name, draft->type))
			continue;
		found = true;
		if (keep(p, &pairs, p->type[i].pairs) || take_pairs(p, &to, pairs))
			return -1;
		to.skipped |= to.seen;
		to.seen = 0;
	}
	return found ? 0 : fail(p, "Type=%.64s: there is no %s=%.64s line above", draft->type,
				   type_line, draft->type);
}

/* --- lines -------------------------------------------------------------------------- */

/* MeshName=NAME KEY=VALUE ... */
static int take_mesh(struct parser *p, char *text)
{
	struct target to = {0};
	int told = p->told;

	if (p->ndrafts == MESH_MAX_MESHES)
		return fail(p, "more than %d meshes", MESH_MAX_MESHES);
	if (!(to.draft = arena_grow(&p->arena, &p->draft, p->ndrafts, sizeof(*to.draft))))
		return no_memory(p);
	p->ndrafts++;
	to.draft->at = p->at;
	if (take_pairs(p, &to, text) ||
		(to.draft->type && apply_type(p, to.draft, to.seen)))
		return -1;
	return p->told > told ? 0 : check_draft(p, to.draft);
}

/* MeshNode=NODE KEY=VALUE ... */
static int take_node(struct parser *p, char *text)
{
	struct target to = {0};
	int told = p->told;

	if (!(to.node_line = arena_grow(&p->arena, &p->node_line, p->nnode_lines,
		      sizeof(*to.node_line))))
		return no_memory(p);
	p->nnode_lines++;
	to.node_line->at = p->at;
	if (take_pairs(p, &to, text))
		return -1;
	if (p->told == told && (!to.node_line->mesh || !to.node_line->coord))
		return fail(p, "MeshNode=%s needs Mesh= and Coord=", to.node_line->node);
	return 0;
}

const char *topoconf_line(int i)
{
	return i > 1 ? topoconf_key(NKEYS + i - 2) : i ? "MeshNode" : "MeshName";
}

static const char *line_at(const void *list, int i)
{
	(void)list;
	return topoconf_line(i);
}

static int take_one(struct parser *p, char *text, struct conffile_place at)
{
	char key[65], meant[96];

	for (int i = 0; i < NLINK_LINES; i++)
		if (conffile_begins(text, link_lines[i].key))
			return linkconf_keep(&p->links, (struct linkconf_item){
				conffile_value(text), at, link_lines[i].kind, -1})
				? no_memory(p) : 0;
	if (conffile_begins(text, type_line))
		return take_type(p, text);
	if (conffile_begins(text, "MeshName"))
		return take_mesh(p, text);
	if (conffile_begins(text, "MeshNode"))
		return take_node(p, text);
	if (strncasecmp(text, "Mesh", 4) != 0)
		return 0; /* the line is Slurm's */
	snprintf(key, sizeof(key), "%.*s", (int)strcspn(text, "= \t"), text);
	return fail(p, "unknown key '%s'%s (lines begin with MeshName=, MeshNode=, MeshType=, "
		"Link= or DownLinksFile=)", key, suggest(key, line_at, NULL, meant, sizeof(meant)));
}

/* One logical line, without comment, blanks trimmed. */
static int take_line(void *parser, char *text, struct conffile_place at)
{
	struct parser *p = parser;

	p->at = at;
	return take_one(p, text, at) ? go_on(p) : 0;
}

/* --- drafts to meshes ------------------------------------------------------------- */

/* Parse the vertex `1,0,2` at text, with *end behind it; -1 with text. */
static int parse_vertex(struct parser *p, const struct draft *draft, const char *text,
	const char **end)
{
	int c[MESH_MAX_DIMS], v = 0, stride = 1;
	int n = number_list(text, ',', c, end);

	if (n != draft->spec.ndims)
		return fail(p, "coordinate '%.*s': mesh %s has %d dimensions",
			(int)strcspn(text, ";"), text, draft->name, draft->spec.ndims);
	for (int d = 0; d < n; d++) {
		if (c[d] >= draft->spec.side[d])
			return fail(p,
				"coordinate '%.*s': dimension %d of mesh %s goes from 0 to %d",
				(int)strcspn(text, ";"), text, d + 1, draft->name,
				draft->spec.side[d] - 1);
		v += c[d] * stride;
		stride *= draft->spec.side[d];
	}
	return v;
}

static int mark_holes(struct parser *p, const struct draft *draft, char *hole, int *nholes)
{
	const char *at = draft->holes;

	*nholes = 0;
	for (int v = draft->spec.nnodes; draft->spec.cabled && v < draft->nvertices; v++) {
		hole[v] = 1;
		++*nholes;
	}
	for (; at; at++) {
		const char *start = at;
		int v = parse_vertex(p, draft, at, &at);

		if (v < 0)
			return -1;
		if (*at && *at != ';')
			return fail(p, "Holes=: expected ';' at '%.32s'", at);
		if (hole[v])
			return fail(
				p, "Holes=: vertex %.*s is there twice", (int)(at - start), start);
		hole[v] = 1;
		++*nholes;
		if (!*at)
			break;
	}
	return 0;
}

static int add_node(struct parser *p, struct draft *draft, char *name, int vertex,
	const struct conffile_place *at)
{
	int n = draft->nnodes;

	if (!arena_grow(&p->arena, &draft->node_name, n, sizeof(*draft->node_name)) ||
		!arena_grow(&p->arena, &draft->vertex_of, n, sizeof(int)) ||
		!arena_grow(&p->arena, &draft->node_at, n, sizeof(*draft->node_at)))
		return no_memory(p);
	draft->node_name[n] = name;
	draft->vertex_of[n] = vertex;
	draft->node_at[n] = at;
	draft->nnodes++;
	return 0;
}

/* Put the nodes of Nodes= on the vertices that are not holes, in order. */
static int fill_vertices(struct parser *p, struct draft *draft, const char *hole, int nholes)
{
	int per_vertex = draft->spec.nodes_per_vertex;
	int64_t want = (int64_t)(draft->nvertices - nholes) * per_vertex;
	struct mesh_err why = {{0}};
	char **name;
	int n = hostlist_check(draft->nodes, &why);

	if (n == want)
		n = p->hosts->expand(draft->nodes, &p->arena, &name, &why);
	if (n < 0)
		return fail(p, "Nodes=: %s", why.text);
	if (n != want)
		return fail(p, "Nodes= names %d nodes, mesh %s has room for exactly %lld%s", n,
			draft->name, (long long)want,
			n < want ? " (Holes= are vertices without nodes)" : "");
	for (int i = 0, v = 0; i < n; v++)
		for (int j = 0; !hole[v] && j < per_vertex; j++, i++)
			if (add_node(p, draft, name[i], v, &draft->at))
				return -1;
	return 0;
}

static int place_one(struct parser *p, struct draft *draft, const struct node_line *line,
	int *on)
{
	const char *end;
	int v;

	p->at = line->at;
	if (!hostlist_is_name(line->node))
		return fail(p, "MeshNode=%.64s: expected one node name", line->node);
	if ((v = parse_vertex(p, draft, line->coord, &end)) < 0)
		return -1;
	if (*end)
		return fail(p, "Coord=%.64s: expected %d numbers with commas", line->coord,
			draft->spec.ndims);
	if (on[v] >= draft->spec.nodes_per_vertex)
		return fail(p, "Coord=%s of mesh %s is taken (NodesPerVertex=%d)", line->coord,
			draft->name, draft->spec.nodes_per_vertex);
	on[v]++;
	return add_node(p, draft, line->node, v, &line->at);
}

static int place_nodes(struct parser *p, struct draft *draft, int *on)
{
	for (int i = 0; i < draft->nnodes; i++)
		on[draft->vertex_of[i]]++;
	for (int i = draft->first_node_line; i >= 0; i = p->node_line[i].next)
		if (place_one(p, draft, &p->node_line[i], on))
			return -1;
	p->at = draft->at;
	return draft->nnodes ? 0 : fail(p, "mesh %s has no nodes", draft->name);
}

/* An order file: one vertex number for each rank, one or more to a line. */
struct order_file {
	struct parser *p;
	int *order;
	int count, nvertices;
	const char *path;
};

static int take_order_line(void *data, char *text, int line)
{
	struct order_file *file = data;
	const char *at = text;

	while (*at) {
		int v = textfile_number(&at, file->nvertices - 1);

		if (v < 0 || (*at && !isspace((unsigned char)*at)))
			return err_at(file->p->err, file->path, line,
				"expected vertex numbers of 0 to %d", file->nvertices - 1);
		if (file->count == file->nvertices)
			return err_at(file->p->err, file->path, line,
				"more than the %d vertices of the mesh", file->nvertices);
		file->order[file->count++] = v;
		while (isspace((unsigned char)*at))
			at++;
	}
	return 0;
}

static int read_order(struct parser *p, const struct draft *draft, const int **order)
{
	char path[4096];
	struct order_file file = {.p = p, .nvertices = draft->nvertices, .path = path};
	struct mesh_err why = {{0}};

	if (!(*order = arena_array(&p->arena, file.order, draft->nvertices)))
		return no_memory(p);
	if (textfile_beside(p->path, draft->order, path, sizeof(path)))
		return fail(p, "Order=: the path is too long");
	if (textfile_read_config(path, take_order_line, &file, &why)) {
		if (*why.text)
			return fail(p, "Order= names a file: %s", why.text);
		return p->err && !*p->err->text ? no_memory(p) : -1;
	}
	if (file.count < draft->nvertices)
		return err_printf(p->err, "%s: %d vertices, mesh %s has %d", path, file.count,
			draft->name, draft->nvertices);
	return 0;
}

static struct mesh *finish(struct parser *p, struct draft *draft)
{
	struct mesh_err why = {{0}};
	struct mesh_spec spec = draft->spec;
	struct mesh *mesh;

	if (draft->order && read_order(p, draft, &spec.order))
		return NULL;
	spec.name = draft->name;
	spec.nnodes = draft->nnodes;
	spec.vertex_of = draft->vertex_of;
	spec.node_name = draft->node_name;
	spec.type = draft->type;
	spec.env = draft->env;
	if (!(mesh = mesh_new(&spec, &why)))
		fail(p, "mesh %s: %s", draft->name, why.text);
	return mesh;
}

static struct mesh *build(struct parser *p, struct draft *draft)
{
	char *hole = arena_get(&p->arena, draft->nvertices, 1);
	int *on = arena_get(&p->arena, draft->nvertices, sizeof(*on));
	int nholes;

	p->at = draft->at;
	if (!on)
		no_memory(p);
	if (!on || mark_holes(p, draft, hole, &nholes) ||
		(draft->nodes && fill_vertices(p, draft, hole, nholes)) ||
		place_nodes(p, draft, on))
		return NULL;
	return finish(p, draft);
}

struct named {
	const char *name;
	int number; /* of a node, or of a draft */
	const struct conffile_place *at; /* of a node */
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* A node may be in one place only, among all meshes of the file. */
static int check_unique(struct parser *p)
{
	int64_t total = 0;
	size_t n = 0;
	struct named *all;
	char where[128];

	for (int i = 0; i < p->ndrafts; i++)
		total += p->draft[i].nnodes;
	if (!arena_array(&p->arena, all, total))
		return no_memory(p);
	for (int i = 0; i < p->ndrafts; i++)
		for (int j = 0; j < p->draft[i].nnodes; j++, n++)
			all[n] = (struct named){p->draft[i].node_name[j], (int)n,
				p->draft[i].node_at[j]};
	qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(all[i - 1].name, all[i].name))
			return fail_at(p, *all[i].at, "node %.64s is named twice (%s)",
				all[i].name, line_of(all[i - 1].at, all[i].at, where));
	return 0;
}

static int find_name(const void *name, const void *of)
{
	return strcmp(name, ((const struct named *)of)->name);
}

/* Chain the MeshNode= lines of each mesh, in the file's order. */
static int chain_node_lines(struct parser *p)
{
	struct named *all = arena_get(&p->arena, p->ndrafts, sizeof(*all));

	if (!all)
		return no_memory(p);
	for (int i = 0; i < p->ndrafts; i++) {
		all[i] = (struct named){p->draft[i].name, i, NULL};
		p->draft[i].first_node_line = -1;
	}
	qsort(all, (size_t)p->ndrafts, sizeof(*all), by_name);
	for (int i = p->nnode_lines - 1; i >= 0; i--) {
		struct node_line *line = &p->node_line[i];
		const struct named *of =
			bsearch(line->mesh, all, (size_t)p->ndrafts, sizeof(*all), find_name);

		if (!of)
			return fail_at(
				p, line->at, "Mesh=%.64s is not defined", line->mesh);
		line->next = p->draft[of->number].first_node_line;
		p->draft[of->number].first_node_line = i;
	}
	return 0;
}

/* Apply broken and extra links, when all nodes are known. */
static int link_all(struct parser *p, const struct topoconf *conf)
{
	const struct linkconf_input input = {
		conf->mesh, conf->nmeshes, p->path, p->hosts, go_on, p};

	for (int i = 0; i < p->ndrafts; i++) {
		struct draft *draft = &p->draft[i];

		if ((draft->down && linkconf_keep(&p->links, (struct linkconf_item){
			    draft->down, draft->at, LINKCONF_DOWN, i})) ||
			(draft->cables && linkconf_keep(&p->links, (struct linkconf_item){
				 draft->cables, draft->at, LINKCONF_CABLES, i})))
			return no_memory(p);
	}
	return linkconf_apply(&p->links, &input, p->err) || p->told ? -1 : 0;
}

static int build_all(struct parser *p, struct topoconf *conf)
{
	if (!p->ndrafts)
		return err_printf(p->err, "%s: no MeshName= line (man topology.conf.mesh)",
			p->path);
	conf->mesh = calloc((size_t)p->ndrafts, sizeof(*conf->mesh));
	if (!conf->mesh)
		return no_memory(p);
	if (chain_node_lines(p))
		return -1;
	for (int i = 0; i < p->ndrafts; i++) {
		struct mesh *mesh = build(p, &p->draft[i]);

		if (mesh)
			conf->mesh[conf->nmeshes++] = mesh;
		else if (go_on(p))
			return -1;
	}
	return p->told || check_unique(p) ? -1 : link_all(p, conf);
}

/* Parse the lines of the text (NULL: of the file), then build the meshes. */
static struct topoconf *parse(struct parser *p, const char *text, size_t size)
{
	const struct conffile file = {
		.take = take_line, .data = p, .arena = &p->arena, .err = p->err};
	struct topoconf *conf = calloc(1, sizeof(*conf));
	int bad;

	if (!conf) {
		no_memory(p);
		return NULL;
	}
	bad = text ? conffile_parse(&file, text, size, p->path) : conffile_read(&file, p->path);
	if (bad && p->err && !*p->err->text)
		no_memory(p);
	if (bad || p->told || build_all(p, conf)) {
		topoconf_free(conf);
		conf = NULL;
	}
	arena_release(&p->links.arena);
	arena_release(&p->arena);
	return conf;
}

struct topoconf *topoconf_read(const char *path, const struct mesh_hostlist_ops *hosts,
	struct mesh_err *err)
{
	struct parser p = {.path = path, .at.path = path, .hosts = hosts, .err = err};

	return parse(&p, NULL, 0);
}

struct topoconf *topoconf_check(const char *path, const struct mesh_hostlist_ops *hosts,
	void (*tell)(const char *text))
{
	struct mesh_err err = {{0}};
	struct parser p = {
		.path = path, .at.path = path, .hosts = hosts, .err = &err, .tell = tell};
	struct topoconf *conf = parse(&p, NULL, 0);

	if (!conf && *err.text)
		tell(err.text);
	return conf;
}

struct topoconf *topoconf_parse(const char *text, size_t size, const char *path,
	const struct mesh_hostlist_ops *hosts, struct mesh_err *err)
{
	struct parser p = {.path = path, .at.path = path, .hosts = hosts, .err = err};

	return parse(&p, text, size);
}

void topoconf_free(struct topoconf *conf)
{
	if (!conf)
		return;
	for (int i = 0; i < conf->nmeshes; i++)
		mesh_free(conf->mesh[i]);
	free(conf->mesh);
	free(conf);
}

static uint64_t hash_ints(uint64_t hash, const int *n, int count)
{
	for (int i = 0; n && i < count; i++)
		hash = hash_add(hash, (uint64_t)n[i]);
	return hash;
}

static uint64_t hash_mesh(uint64_t hash, const struct mesh *mesh)
{
	hash = hash_bytes(hash, mesh->name, strlen(mesh->name) + 1);
	hash = hash_ints(hash, mesh->side, MESH_MAX_DIMS);
	hash = hash_bytes(hash, mesh->wrap, sizeof(mesh->wrap));
	hash = hash_ints(
		hash, (const int[]){mesh->ndims, mesh->nnodes, mesh->nlegal, mesh->legal_exact}, 4);
	hash = hash_ints(hash, mesh->vertex_of, mesh->nnodes);
	for (int i = 0; i < mesh->nnodes; i++)
		hash = hash_bytes(hash, mesh->node_name[i], strlen(mesh->node_name[i]) + 1);
	hash = hash_ints(hash, mesh->order, mesh->nvertices);
	for (int i = 0; i < mesh->nlegal; i++) {
		hash = hash_ints(hash, mesh->legal[i].side, MESH_MAX_DIMS);
		hash = hash_ints(hash, mesh->legal[i].step, MESH_MAX_DIMS);
		hash = hash_ints(hash, mesh->legal[i].seed, MESH_MAX_DIMS);
	}
	if (mesh->down)
		hash = hash_bytes(hash, mesh->down, (size_t)mesh->nvertices);
	for (int i = 0; mesh->graph && i < mesh->graph->ncables; i++) {
		const struct linkgraph_cable *cable = &mesh->graph->cable[i];

		hash = hash_ints(hash, cable->mesh, 2);
		hash = hash_ints(hash, cable->vertex, 2);
		hash = hash_add(hash, (uint64_t)cable->weight);
		if (cable->lanes)
			hash = hash_add(hash, (uint64_t)cable->lanes);
	}
	if (*mesh->type)
		hash = hash_bytes(hash, mesh->type, strlen(mesh->type));
	return hash_ints(hash, mesh->node_side, MESH_MAX_DIMS);
}

uint64_t topoconf_hash(const struct topoconf *conf)
{
	uint64_t hash = HASH_BEGIN;

	for (int i = 0; i < conf->nmeshes; i++)
		hash = hash_mesh(hash, conf->mesh[i]);
	return hash;
}
