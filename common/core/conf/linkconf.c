/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/linkconf.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/linkgraph.h"
#include "base/textfile.h"

/* A vertex of one of the meshes. */
struct end {
	int mesh, vertex;
};

struct work {
	struct arena arena;
	const struct linkconf_input *in;
	struct mesh_err *err;
	int total; /* nodes of all meshes */
	struct linkgraph_cable *cable; /* [ncables] in the end sorted; weight 0: broken */
	int ncables;
	struct conffile_place at; /* the text in progress */
	int of; /* the index of its mesh, or -1 */
};

#define fail(w, ...) conffile_fail((w)->err, (w)->at, __VA_ARGS__)

int linkconf_keep(struct linkconf *links, struct linkconf_item item)
{
	struct linkconf_item *kept = arena_grow(&links->arena, &links->item, links->n,
		sizeof(*kept));

	item.text = arena_text(&links->arena, item.text);
	if (!kept || !item.text)
		return -1;
	*kept = item;
	links->n++;
	return 0;
}

/*
 * The hops that a cable of this many lanes counts as, if the best cable has `most`: messages take
 * that many times as long on it.
 */
static int cable_weight(int lanes, int most)
{
	int weight = (most + lanes / 2) / lanes;

	return weight < LINKGRAPH_WEIGHT ? weight : LINKGRAPH_WEIGHT;
}

/* --- ends ------------------------------------------------------------------------- */

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text + strspn(text, " \t");
}

/*
 * Cut text at separators outside of brackets into part[most], and trim blanks. Returns how many
 * parts; -1: more.
 */
static int cut(char *text, char separator, char **part, int most)
{
	int n = 0, depth = 0;

	part[n++] = text;
	for (char *c = text; *c; c++) {
		depth += (*c == '[') - (*c == ']');
		if (*c != separator || depth)
			continue;
		if (n == most)
			return -1;
		part[n++] = c + 1;
	}
	for (int i = n; i-- > 0;) {
		if (i)
			part[i][-1] = '\0';
		part[i] = trim(part[i]);
	}
	return n;
}

static bool is_coordinate(const char *text)
{
	return *text && !text[strspn(text, "0123456789,")];
}

/* The vertex `1,0,2`; -1 with text. */
static int vertex_at(struct work *w, const struct mesh *mesh, const char *text)
{
	const char *at = text;
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++, at++) {
		int c = textfile_number(&at, mesh->side[d] - 1);

		if (c < 0 || *at != (d < mesh->ndims - 1 ? ',' : '\0'))
			return fail(w, "'%.64s' is no coordinate of mesh %s", text, mesh->name);
		v += c * mesh->stride[d];
	}
	return v;
}

static int find_node(struct work *w, const char *name, struct end *end)
{
	for (int m = 0; m < w->in->nmeshes; m++) {
		int node = mesh_node(w->in->mesh[m], name);

		if (node < 0)
			continue;
		*end = (struct end){m, w->in->mesh[m]->vertex_of[node]};
		return 0;
	}
	return fail(w, "node %.64s is in no mesh", name);
}

/* A new array of the ends that a host list names. Returns how many, or -1 with text. */
static int find_nodes(struct work *w, const char *hosts, struct end **end)
{
	struct mesh_err why = {{0}};
	char **name = NULL;
	int n = hostlist_check(hosts, &why);

	if (n > w->total)
		return fail(w, "'%.64s': more nodes than there are", hosts);
	if (n < 0 || (n = w->in->hosts->expand(hosts, &w->arena, &name, &why)) < 0)
		return fail(w, "%s", why.text);
	if (!arena_array(&w->arena, *end, n))
		return fail(w, "out of memory");
	for (int i = 0; i < n; i++)
		if (find_node(w, name[i], &(*end)[i]))
			return -1;
	return n;
}

static int find_ends(struct work *w, const char *text, struct end **end)
{
	if (w->of < 0 || !is_coordinate(text))
		return find_nodes(w, text, end);
	if (!arena_array(&w->arena, *end, 1))
		return fail(w, "out of memory");
	**end = (struct end){w->of, vertex_at(w, w->in->mesh[w->of], text)};
	return (*end)->vertex < 0 ? -1 : 1;
}

/* Call take() for each pair of ends that the two texts name. */
static int each_pair(struct work *w, char *const *text,
	int (*take)(struct work *, char *const *, const struct end *))
{
	struct end *end[2];
	int n = find_ends(w, text[0], &end[0]);
	int other = n < 0 ? -1 : find_ends(w, text[1], &end[1]);

	if (other < 0)
		return -1;
	if (n != other)
		return fail(w, "'%.64s' and '%.64s' are not as many nodes", text[0], text[1]);
	for (int i = 0; i < n; i++)
		if (take(w, text, (const struct end[]){end[0][i], end[1][i]}))
			return -1;
	return 0;
}

/* --- extra links -------------------------------------------------------------------- */

/* A cable with its lower end first. */
static struct linkgraph_cable cable_of(const struct end *end, int weight, int lanes)
{
	bool turned = end[0].mesh > end[1].mesh ||
		(end[0].mesh == end[1].mesh && end[0].vertex > end[1].vertex);
	const struct end low = end[turned], high = end[!turned];

	return (struct linkgraph_cable){{low.mesh, high.mesh}, {low.vertex, high.vertex}, weight,
		lanes};
}

/* Equal ends are neighbours in this order. */
static int by_ends(const void *a, const void *b)
{
	const struct linkgraph_cable *x = a, *y = b;

	for (int i = 0; i < 2; i++) {
		if (x->mesh[i] != y->mesh[i])
			return x->mesh[i] - y->mesh[i];
		if (x->vertex[i] != y->vertex[i])
			return x->vertex[i] - y->vertex[i];
	}
	return 0;
}

static int add_cable(struct work *w, char *const *text, const struct end *end)
{
	struct linkgraph_cable *cable;

	if (end[0].mesh == end[1].mesh && end[0].vertex == end[1].vertex)
		return fail(w, "%.64s and %.64s: both ends of the link are at one vertex", text[0],
			text[1]);
	if (w->ncables == LINKCONF_MOST)
		return fail(w, "more than %d extra links", LINKCONF_MOST);
	if (!(cable = arena_grow(&w->arena, &w->cable, w->ncables, sizeof(*cable))))
		return fail(w, "out of memory");
	*cable = cable_of(end, text[2] ? atoi(text[2]) : 1, text[3] ? atoi(text[3]) : 0);
	w->ncables++;
	return 0;
}

/* Is the text empty, or a number from 1 to `most`? */
static bool is_number(const char *text, int most)
{
	return !text || (textfile_number(&text, most) > 0 && !*text);
}

/* A,B[,WEIGHT[,LANES]] */
static int take_extra(struct work *w, char *value)
{
	char *part[4] = {0};

	if (cut(value, ',', part, 4) < 2 || !is_number(part[2], LINKGRAPH_WEIGHT) ||
		!is_number(part[3], LINKCONF_LANES))
		return fail(w,
			"Link=: expected NODE,NODE or NODE,NODE,WEIGHT[,LANES] of 1 to %d hops and "
			"1 to %d lanes",
			LINKGRAPH_WEIGHT, LINKCONF_LANES);
	return each_pair(w, part, add_cable);
}

/* --- a machine by its cables -------------------------------------------------------- */

/* A B [LANES] */
static int take_cable(void *data, char *text, int line)
{
	struct work *w = data;
	char one[] = "1", *save, *part[4] = {strtok_r(text, " \t", &save)};
	struct end end[2];

	w->at.line = line;
	for (int i = 1; i < 4 && part[i - 1]; i++)
		part[i] = strtok_r(NULL, " \t", &save);
	if (!part[1] || part[3] || !is_number(part[2], LINKCONF_LANES))
		return fail(w, "a line of Cables= is NODE NODE [LANES], 1 to %d lanes",
			LINKCONF_LANES);
	for (int i = 0; i < 2; i++) {
		const struct mesh *mesh = w->in->mesh[w->of];
		int node = mesh_node(mesh, part[i]);

		if (node < 0)
			return fail(w, "%.64s is no node of mesh %s", part[i], mesh->name);
		end[i] = (struct end){w->of, mesh->vertex_of[node]};
	}
	return add_cable(w, (char *[]){part[0], part[1], one, part[2] ? part[2] : one}, end);
}

/*
 * Make one cable of lines with the same ends, for one mesh, whose cables begin at `first`. The
 * hops of a cable follow from the most lanes.
 */
static void weigh_cables(struct work *w, int first)
{
	struct linkgraph_cable *cable = w->cable;
	int n = first, most = 1;

	if (w->ncables > first)
		qsort(cable + first, (size_t)(w->ncables - first), sizeof(*cable), by_ends);
	for (int i = first; i < w->ncables; i++)
		if (n == first || by_ends(&cable[n - 1], &cable[i]))
			cable[n++] = cable[i];
		else if ((cable[n - 1].lanes += cable[i].lanes) > LINKCONF_LANES)
			cable[n - 1].lanes = LINKCONF_LANES;
	for (int i = first; i < n; i++)
		most = cable[i].lanes > most ? cable[i].lanes : most;
	for (int i = first; i < n; i++)
		cable[i].weight = cable_weight(cable[i].lanes, most);
	w->ncables = n;
}

/* --- broken links ------------------------------------------------------------------- */

/* The dimension in which the second end is the neighbour up from the first; or -1. */
static int dimension_up(const struct work *w, const struct end *low, const struct end *high)
{
	const struct mesh *mesh = w->in->mesh[low->mesh];

	for (int d = 0; low->mesh == high->mesh && d < mesh->ndims; d++)
		if (mesh_up(mesh, low->vertex, d) == high->vertex)
			return d;
	return -1;
}

/* Break the cables between two ends; false: there are none. */
static bool break_cables(struct work *w, const struct end *end)
{
	const struct linkgraph_cable key = cable_of(end, 0, 0);
	struct linkgraph_cable *found = w->ncables ? bsearch(&key, w->cable, (size_t)w->ncables,
							     sizeof(key), by_ends) : NULL;

	if (!found)
		return false;
	while (found > w->cable && !by_ends(found - 1, &key))
		found--;
	for (; found < w->cable + w->ncables && !by_ends(found, &key); found++)
		found->weight = 0;
	return true;
}

/* Break all links between two ends. A ring of two has two links, each up from one end. */
static int break_links(struct work *w, char *const *text, const struct end *end)
{
	bool found = break_cables(w, end);

	for (int i = 0; i < 2; i++) {
		int d = dimension_up(w, &end[i], &end[!i]);

		found |= d >= 0;
		if (d >= 0 && mesh_break(w->in->mesh[end[i].mesh], end[i].vertex, d))
			return fail(w, "out of memory");
	}
	return found ? 0 : fail(w, "no link joins %.64s and %.64s", text[0], text[1]);
}

/* A:B;A:B... */
static int take_down(struct work *w, char *value)
{
	char *save, *part[2];

	for (char *pair = strtok_r(value, ";", &save); pair; pair = strtok_r(NULL, ";", &save)) {
		if (!*(pair = trim(pair)))
			continue;
		if (cut(pair, ':', part, 2) != 2)
			return fail(w, "'%.64s': a broken link is A:B, two nodes%s", pair,
				w->of < 0 ? "" : " or coordinates");
		if (each_pair(w, part, break_links))
			return -1;
	}
	return 0;
}

static int take_file_line(void *data, char *text, int line)
{
	struct work *w = data;

	w->at.line = line;
	return take_down(w, text);
}

/* Read the lines of a file that a key at w->at names. */
static int read_file(struct work *w, const char *key, const char *path, textfile_line *take)
{
	struct mesh_err why = {{0}};
	const struct conffile_place at = w->at;
	int bad;

	w->at.path = path;
	bad = textfile_read_config(path, take, w, &why);
	w->at = at;
	if (bad && (*why.text || !*w->err->text))
		return fail(w, "%s names a file: %s", key, *why.text ? why.text : "out of memory");
	return bad;
}

static int take_file(struct work *w, const char *name, enum linkconf_kind kind)
{
	const char *key = kind == LINKCONF_CABLES ? "Cables=" : "DownLinksFile=";
	int first = w->ncables;
	char path[4096];

	if (!*name || textfile_beside(w->in->path, name, path, sizeof(path)))
		return fail(w, "%s names a file", key);
	/* No file: no broken link. A file that cannot be looked at is an error. */
	if (kind == LINKCONF_FILE && access(path, F_OK) && errno == ENOENT)
		return 0;
	if (read_file(w, key, path, kind == LINKCONF_FILE ? take_file_line : take_cable))
		return -1;
	weigh_cables(w, first);
	return 0;
}

/* --- graphs ------------------------------------------------------------------------- */

/* Make one graph for all meshes with extra links, and one for each other mesh with broken links. */
static int join_all(struct work *w)
{
	struct mesh **member = arena_get(&w->arena, w->in->nmeshes, sizeof(*member));
	int *place = arena_get(&w->arena, w->in->nmeshes, sizeof(*place)), n = 0, kept = 0;
	struct mesh_err why = {"out of memory"};
	int bad = !place;

	if (!bad)
		memset(place, -1, (size_t)w->in->nmeshes * sizeof(*place));
	for (int i = 0; i < w->ncables && !bad; i++) {
		struct linkgraph_cable cable = w->cable[i];

		for (int j = cable.mesh[0] == cable.mesh[1]; j < 2 && !cable.weight; j++)
			w->in->mesh[cable.mesh[j]]->cables_down++;
		for (int j = 0; j < 2 && cable.weight; j++) {
			int *at = &place[cable.mesh[j]];

			if (*at < 0)
				member[*at = n++] = w->in->mesh[cable.mesh[j]];
			cable.mesh[j] = *at;
		}
		if (cable.weight)
			w->cable[kept++] = cable;
	}
	bad = bad || (kept && linkgraph_join(member, n, w->cable, kept, &why));
	for (int m = 0; m < w->in->nmeshes && !bad; m++)
		bad = place[m] < 0 && (w->in->mesh[m]->down || w->in->mesh[m]->cabled) &&
			linkgraph_join(&w->in->mesh[m], 1, NULL, 0, &why);
	return bad ? err_printf(w->err, "%s: %s", w->in->path, why.text) : 0;
}

/* --- all of it ---------------------------------------------------------------------- */

static int take_item(struct work *w, const struct linkconf_item *item)
{
	w->at = item->at;
	w->of = item->mesh;
	switch (item->kind) {
	case LINKCONF_EXTRA: return take_extra(w, item->text);
	case LINKCONF_DOWN: return take_down(w, item->text);
	default: return take_file(w, item->text, item->kind);
	}
}

/* Take extra links first: some of them may be broken. */
static int take_items(struct work *w, struct linkconf *links, bool extra)
{
	int bad = 0;

	for (int i = 0; i < links->n && !bad; i++)
		if ((links->item[i].kind <= LINKCONF_EXTRA) == extra &&
			take_item(w, &links->item[i]))
			bad = w->in->go_on(w->in->data);
	if (extra && w->ncables)
		qsort(w->cable, (size_t)w->ncables, sizeof(*w->cable), by_ends);
	return bad;
}

int linkconf_apply(struct linkconf *links, const struct linkconf_input *input,
	struct mesh_err *err)
{
	struct work w = {.in = input, .err = err};
	int bad;

	if (!links->n)
		return 0;
	for (int m = 0; m < input->nmeshes; m++)
		w.total += input->mesh[m]->nnodes;
	bad = take_items(&w, links, true) ||
		take_items(&w, links, false) || join_all(&w);
	arena_release(&w.arena);
	return bad ? -1 : 0;
}
