/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/draft.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "base/textfile.h"
#include "conf/jobenv_field.h"
#include "conf/shape.h"

#define fail(p, ...) conffile_fail((p)->err, (p)->at, __VA_ARGS__)

enum { MOST_ERRORS = 20 };

int draft_go_on(void *drafts)
{
	struct drafts *p = drafts;

	if (!p->tell || p->told == MOST_ERRORS - 1)
		return -1;
	p->tell(p->err->text);
	*p->err->text = '\0';
	p->told++;
	return 0;
}

const char *draft_place(const struct conffile_place *at, const struct conffile_place *other,
	char text[128])
{
	if (at->path == other->path)
		snprintf(text, 128, "line %d", at->line);
	else
		snprintf(text, 128, "line %d of %.100s", at->line, at->path);
	return text;
}

int draft_numbers(const char *text, char separator, int *value, const char **end)
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

static int key_dims(struct drafts *p, struct draft *draft, const char *value)
{
	const char *end;
	int n = draft_numbers(value, 'x', draft->spec.side, &end);

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
static int key_wrap(struct drafts *p, struct draft *draft, const char *value)
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

static int key_per_vertex(struct drafts *p, struct draft *draft, const char *value)
{
	const char *end = value;
	int n = textfile_number(&end, MESH_MAX_NODES_PER_VERTEX);

	if (n < 1 || *end)
		return fail(p, "NodesPerVertex=%.32s: expected a number from 1 to %d", value,
			MESH_MAX_NODES_PER_VERTEX);
	draft->spec.nodes_per_vertex = n;
	return 0;
}

static int keep(struct drafts *p, char **where, const char *value)
{
	*where = arena_text(&p->arena, value);
	return *where ? 0 : draft_no_memory(p);
}

static int key_name(struct drafts *p, struct draft *draft, const char *value)
{
	char where[128];

	if (strlen(value) >= MESH_MAX_NAME)
		return fail(p, "MeshName= needs a name of 1 to %d characters", MESH_MAX_NAME - 1);
	for (const char *c = value; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return fail(p,
				"MeshName=%.64s: a name has letters, digits, '.', '_' and '-'",
				value);
	for (int i = 0; i < p->ndrafts - 1; i++)
		if (p->draft[i].name && !strcmp(p->draft[i].name, value))
			return fail(p, "mesh %s is already defined on %s", value,
				draft_place(&p->draft[i].at, &p->at, where));
	return keep(p, &draft->name, value);
}

static int key_exact(struct drafts *p, struct draft *draft, const char *value)
{
	if (textfile_yes_no(value, &draft->spec.legal_exact))
		return fail(p, "ShapesExact=%.32s: expected yes or no", value);
	return 0;
}

static int key_node_shape(struct drafts *p, struct draft *draft, const char *value)
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
	int (*take)(struct drafts *, struct draft *, const char *);
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
	{"MeshNode", false, NULL, offsetof(struct draft_node, node)},
	{"Mesh", false, NULL, offsetof(struct draft_node, mesh)},
	{"Coord", false, NULL, offsetof(struct draft_node, coord)},
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

const char *draft_key(int i)
{
	unsigned at = (unsigned)i;

	if (at < NKEYS)
		return keys[at].name;
	at -= NKEYS;
	return at < NLINK_LINES ? link_lines[at].key : at == NLINK_LINES ? type_line : NULL;
}

static const char *key_at(const void *list, int i)
{
	(void)list;
	return draft_key(i);
}

/* Where the pairs of a line go: one of the two. */
struct target {
	struct draft *draft;
	struct draft_node *node_line;
	unsigned seen, skipped; /* keys as bits: seen on this line; given before, to skip */
};

/* One KEY=VALUE of a mesh line or a node line. */
static int take_pair(struct drafts *p, struct target *to, const char *key, const char *value)
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
	for (int i = 0; draft_key(i); i++)
		if (!strcasecmp(key, draft_key(i)))
			return fail(p, "%s= cannot be on a %s line (man topology.conf.mesh)",
				draft_key(i), to->draft ? "MeshName=" : "MeshNode=");
	return fail(p, "unknown key '%.64s' on a %s line%s (man topology.conf.mesh lists them)",
		key, to->draft ? "MeshName=" : "MeshNode=",
		suggest(key, key_at, NULL, meant, sizeof(meant)));
}

/*
 * The key that ends at the first = of a value, with *equals set to it; NULL: none. No key is the
 * end of another.
 */
static const char *key_inside(char *value, char **equals)
{
	*equals = strchr(value, '=');
	for (unsigned i = 0; *equals && i < NKEYS; i++) {
		size_t n = strlen(keys[i].name);

		if ((size_t)(*equals - value) >= n &&
			!strncasecmp(*equals - n, keys[i].name, n))
			return keys[i].name;
	}
	return NULL;
}

/*
 * Take one pair, or several. Version 1.0 replaced a backslash and its newline by a blank, so the
 * next line could begin with a key. Slurm puts nothing there, and the key follows the value
 * directly. Only values of Env= may contain a =.
 */
static int take_joined(struct drafts *p, struct target *to, const char *key, char *value)
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

static int take_pairs(struct drafts *p, struct target *to, char *pairs)
{
	char *key, *value;
	int found, bad = 0;

	while (!bad && (found = conffile_pair(&pairs, &key, &value)))
		if (found < 0 ? fail(p, "'%.64s': expected KEY=VALUE", key)
			      : take_joined(p, to, key, value))
			bad = draft_go_on(p);
	return bad;
}

/* Parse a number for each dimension, or one for all, at *at; false: there is none. */
static bool for_each_dim(const struct draft *draft, const char **at, int *value)
{
	int n = draft_numbers(*at, 'x', value, at);

	for (int d = n; n == 1 && d < draft->spec.ndims; d++)
		value[d] = value[0];
	return n == 1 || n == draft->spec.ndims;
}

/*
 * Parse SIDES[@STEPS[+SEEDS]], up to a comma or the end. 0; 1 with text: the mesh has no room for
 * it, or another number of sides; -1 with text.
 */
static int parse_placement(struct drafts *p, const struct draft *draft, const char **at,
	struct mesh_placement *placement)
{
	const char *start = *at;
	struct mesh_err why;
	int length = (int)strcspn(start, ","), ndims = draft->spec.ndims, sides;
	bool good, other;

	*placement = (struct mesh_placement){.side = {0}};
	sides = draft_numbers(start, 'x', placement->side, at);
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
static int parse_shapes(struct drafts *p, struct draft *draft)
{
	const char *at = draft->shapes;
	struct mesh_placement *legal;
	int room = 1;

	for (const char *c = at; *c; c++)
		room += *c == ',';
	if (!(draft->spec.legal = arena_array(&p->arena, legal, room)))
		return draft_no_memory(p);
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
	*p->err->text = '\0';
	return 0;
}

/* A cabled mesh: one vertex for each node, in as few rows as coordinates allow. */
static int draft_cables(struct drafts *p, struct draft *draft)
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

static int check_draft(struct drafts *p, struct draft *draft)
{
	int flags = draft->wrap_flags;
	struct mesh_err why;

	if (draft->cables && draft_cables(p, draft))
		return -1;
	if (!draft->spec.ndims)
		return fail(p, "mesh %s has no Dims=", draft->name);
	if (flags && flags != draft->spec.ndims)
		return fail(p, "Wrap= and Dims= have unequally many values: %d and %d", flags,
			draft->spec.ndims);
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
static int take_type(struct drafts *p, char *pairs)
{
	struct draft_type *type = arena_grow(&p->arena, &p->type, p->ntypes, sizeof(*type));
	char *key, *name;

	if (!type)
		return draft_no_memory(p);
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
static int apply_type(struct drafts *p, struct draft *draft, unsigned seen)
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
static int take_mesh(struct drafts *p, char *text)
{
	struct target to = {0};
	int told = p->told;

	if (p->ndrafts == MESH_MAX_MESHES)
		return fail(p, "more than %d meshes", MESH_MAX_MESHES);
	if (!(to.draft = arena_grow(&p->arena, &p->draft, p->ndrafts, sizeof(*to.draft))))
		return draft_no_memory(p);
	p->ndrafts++;
	to.draft->at = p->at;
	if (take_pairs(p, &to, text) ||
		(to.draft->type && apply_type(p, to.draft, to.seen)))
		return -1;
	return p->told > told ? 0 : check_draft(p, to.draft);
}

/* MeshNode=NODE KEY=VALUE ... */
static int take_node(struct drafts *p, char *text)
{
	struct target to = {0};
	int told = p->told;

	if (!(to.node_line = arena_grow(&p->arena, &p->node_line, p->nnode_lines,
		      sizeof(*to.node_line))))
		return draft_no_memory(p);
	p->nnode_lines++;
	to.node_line->at = p->at;
	if (take_pairs(p, &to, text))
		return -1;
	if (p->told == told && (!to.node_line->mesh || !to.node_line->coord))
		return fail(p, "MeshNode=%s needs Mesh= and Coord=", to.node_line->node);
	return 0;
}

const char *draft_line(int i)
{
	return i > 1 ? draft_key(NKEYS + i - 2) : i ? "MeshNode" : "MeshName";
}

static const char *line_at(const void *list, int i)
{
	(void)list;
	return draft_line(i);
}

static int take_one(struct drafts *p, char *text, struct conffile_place at)
{
	char key[65], meant[96];

	for (int i = 0; i < NLINK_LINES; i++)
		if (conffile_begins(text, link_lines[i].key))
			return linkconf_keep(&p->links, (struct linkconf_item){
				conffile_value(text), at, link_lines[i].kind, -1})
				? draft_no_memory(p) : 0;
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

int draft_take_line(void *drafts, char *text, struct conffile_place at)
{
	struct drafts *p = drafts;

	p->at = at;
	return take_one(p, text, at) ? draft_go_on(p) : 0;
}
