/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * InfiniBand: the output of ibnetdiscover and iblinkinfo without options. Switches are vertices,
 * and hosts are the nodes on them. A cable's lanes are its width times its speed, in units of SDR:
 * 2.5 Gbit/s.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/reader.h"

enum { NAME = 256 };

/* A channel adapter: its own description, and its GUID. */
struct adapter {
	const char *description, *guid;
	int line;
};

struct adapters {
	struct adapter *list;
	int n;
};

/* --- hosts --------------------------------------------------------------------------------- */

static int by_adapter(const void *a, const void *b)
{
	const struct adapter *x = a, *y = b;
	int order = strcmp(x->description, y->description);

	return order ? order : strcmp(x->guid, y->guid);
}

/* Is it what adapters say that were not told their host's name: that of the device or the model? */
static bool has_no_host(const char *description)
{
	static const char *const patterns[] = {"localhost*", "*Mellanox*", "*ConnectX*",
		"MT[0-9][0-9][0-9][0-9]*", "mlx[0-9]_*", "hfi[0-9]_*", "HCA-*", NULL};
	const char *const *p = patterns;

	while (*p && fnmatch(*p, description, 0))
		p++;
	return *p;
}

/* The host's name: the first word, or the one that the driver of Intel and QLogic puts last. */
static void host_of(const char *description, char name[NAME])
{
	static const char *const before[] = {
		"Intel Infiniband HCA ", "QLogic Infiniband HCA ", NULL};

	for (int i = 0; before[i]; i++)
		if (!strncmp(description, before[i], strlen(before[i])))
			description += strlen(before[i]);
	description += strspn(description, " \t");
	snprintf(name, NAME, "%.*s", (int)strcspn(description, " \t"), description);
}

/* Refuse a first word of all adapters, or of more than a host can have. They are sorted. */
static int check_words(struct reader *r, const struct adapters *all)
{
	enum { FEW = 2, MOST = 16 };
	const struct adapter *list = all->list;
	char name[NAME], next[NAME];

	for (int i = 0, n, end; i < all->n; i = end) {
		host_of(list[i].description, name);
		for (n = 1, end = i + 1; end < all->n; end++) {
			host_of(list[end].description, next);
			if (strcmp(name, next) != 0)
				break;
			n += strcmp(list[end].guid, list[end - 1].guid) != 0;
		}
		if (n > MOST || (n > FEW && end - i == all->n))
			return reader_bad(r, list[i].line, "%d adapters have names like '%.64s' "
				"and '%.64s': '%.32s' is no host's name, expected NAME and the "
				"device (rdma-ndd sets it)", n, list[i].description,
				list[end - 1].description, name);
	}
	return 0;
}

/* Adapters of a fabric that all have one description are of hosts without a name, too. */
static int check_names(struct reader *r, struct adapters *all)
{
	struct adapter *list = all->list;

	if (all->n)
		qsort(list, (size_t)all->n, sizeof(*list), by_adapter);
	for (int i = 0, n, end; i < all->n; i = end) {
		for (n = 1, end = i + 1; end < all->n &&
			!strcmp(list[end].description, list[i].description); end++)
			n += strcmp(list[end].guid, list[end - 1].guid) != 0;
		if (n > 1 || has_no_host(list[i].description))
			return reader_bad(r, list[i].line, "%d adapter%s called '%.128s', e.g. "
				"%.32s: no host's name, expected NAME and the device (rdma-ndd "
				"sets it)", n, n == 1 ? " is" : "s are", list[i].description,
				list[i].guid);
	}
	if (check_words(r, all))
		return -1;
	all->n = 0;
	return 0;
}

/* Add a host's adapter. */
static int add_host(struct reader *r, struct adapters *all, int vertex, struct adapter from)
{
	char name[NAME];

	if (vertex < 0 || strstr(from.description, "Aggregation Node"))
		return vertex < 0 ? -1 : 0; /* a part of a switch */
	need_append(&r->arena, all->list, all->n, (struct adapter){
		need_text(&r->arena, from.description), need_text(&r->arena, from.guid),
		from.line});
	host_of(from.description, name);
	if (!*name)
		return reader_bad(r, from.line, "the adapter %.32s has no description: expected "
			"NAME and the device (rdma-ndd sets it)", from.guid);
	return cables_node(r->cables, name, vertex, r->err);
}

static int lanes_of(int width, double gbits)
{
	double lanes = width * gbits / 2.5;

	return lanes >= CABLES_MAX_LANES ? CABLES_MAX_LANES : lanes > 1 ? (int)(lanes + 0.5) : 1;
}

/* --- ibnetdiscover ------------------------------------------------------------------------- */

struct net {
	char name[NAME]; /* the switch whose ports follow; or "" */
	struct adapters adapters;
	int *head; /* [nheads] vertices of switches that have a block */
	int nheads;
};

/*
 * Cut the text between the first pair of quotes out of the line; *rest follows it. NULL: there is
 * none.
 */
static char *quoted(char *text, char **rest)
{
	char *from = strchr(text, '"'), *to = from ? strchr(from + 1, '"') : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	*rest = to + 1;
	return from + 1;
}

/* Another program's name if the line is of its output, or NULL. */
static const char *other_output(const char *text)
{
	char word[8] = "";
	int port;

	if (sscanf(text, "%7[A-Za-z] : 0x%*x ports %d", word, &port) == 2)
		return "ibnetdiscover -l";
	if (sscanf(text, "%7s %*d %d 0x%*x", word, &port) == 2 &&
		(!strcmp(word, "SW") || !strcmp(word, "CA") || !strcmp(word, "RT")))
		return "ibnetdiscover -p";
	if (sscanf(text, "%7[A-Za-z] %d \"", word, &port) == 2 && !strchr(text, '#') &&
		(!strcmp(word, "Switch") || !strcmp(word, "Hca") || !strcmp(word, "Ca") ||
			!strcmp(word, "Router")))
		return "a net file of ibsim";
	return NULL;
}

/* The lanes of a word as 4xEDR, behind which options print others; 1: there is none. */
static int net_lanes(const char *text)
{
	static const struct {
		char name[8];
		double gbits;
	} speed[] = {{"SDR", 2.5}, {"DDR", 5}, {"QDR", 10}, {"FDR10", 10.3125}, {"FDR", 14.0625},
		{"EDR", 25.78125}, {"HDR", 53.125}, {"NDR", 106.25}, {"XDR", 212.5}};
	char name[8];
	int width;

	for (const char *word = text; (word = strchr(word, ' ')); word++)
		for (size_t i = 0; sscanf(word, " %3dx%7s", &width, name) == 2 &&
			i < sizeof(speed) / sizeof(*speed); i++)
			if (!strcmp(name, speed[i].name))
				return lanes_of(width, speed[i].gbits);
	return 1;
}

/* A port of the current switch. */
struct net_port {
	const char *id, *description; /* of the peer */
	int port, peer, lanes;
};

static int take_port(struct reader *r, const struct net_port *port)
{
	struct net *net = r->state;
	int v = cables_vertex(r->cables, net->name, r->err), u;

	if (v < 0)
		return -1;
	if (*port->id == 'H')
		return add_host(r, &net->adapters, v,
			(struct adapter){port->description, port->id, r->line});
	if (*port->id != 'S')
		return 0;
	if ((u = cables_vertex(r->cables, port->id, r->err)) < 0)
		return -1;
	cables_add(r->cables, (struct cable_end[]){{v, (uint64_t)port->port},
		{u, (uint64_t)port->peer}}, port->lanes);
	return 0;
}

/*
 * What hosts say about their ports is ignored, as the switches say it too.
 *
 * Switch  8 "S-000000000020000a"   # "sw_2_2" base port 0 lid 3 lmc 0
 * [1]  "S-000000000020000b"[2]     # "sw_3_2" lid 4 4xSDR
 * [5]  "H-0000000000100028"[1](100029)   # "node20 HCA-1" lid 9 4xSDR
 */
static int net_line(struct reader *r, char *text)
{
	bool port = *text == '[', head = !strncmp(text, "Switch", 6);
	struct net *net = r->state;
	const char *other = other_output(text);
	struct net_port p = {.id = NULL};
	char *rest;
	int v;

	if (other)
		return err_printf(r->err, "this is %s: expected what ibnetdiscover prints without "
			"options", other);
	if (!port && !head && strncmp(text, "Ca", 2) && strncmp(text, "Hca", 3) &&
		strncmp(text, "Rt", 2))
		return 0;
	sscanf(text, "[%9d", &p.port);
	if ((p.id = quoted(text, &rest)))
		sscanf(rest, "[%9d", &p.peer);
	if (!p.id || !(p.description = quoted(rest, &rest)))
		return err_printf(r->err, "expected \"ID\" and # \"DESCRIPTION\"");
	p.lanes = net_lanes(rest);
	if (!port)
		snprintf(net->name, sizeof(net->name), "%s", head ? p.id : "");
	if (!*net->name)
		return 0;
	if (port)
		return take_port(r, &p);
	if ((v = cables_vertex(r->cables, p.id, r->err)) >= 0)
		need_append(&r->arena, net->head, net->nheads, v);
	return v < 0 ? -1 : 0;
}

static int net_file_end(struct reader *r)
{
	struct net *net = r->state;

	*net->name = '\0';
	return check_names(r, &net->adapters);
}

/* Count the switches that only others name, as where the file ends too early. */
static int net_end(struct reader *r)
{
	const struct net *net = r->state;
	bool *has = need_get(&r->arena, r->cables->nvertices, sizeof(*has));

	for (int i = 0; i < net->nheads; i++)
		has[net->head[i]] = true;
	for (int v = 0; v < r->cables->nvertices; v++)
		r->import->headless += !has[v];
	return 0;
}

const struct import_reader import_ibnetdiscover = {.name = "ibnetdiscover",
	.state = sizeof(struct net), .line = net_line, .file_end = net_file_end, .end = net_end};

/* --- iblinkinfo ---------------------------------------------------------------------------- */

/* A switch's LID. Each fabric numbers LIDs from 1; GUIDs are unique in the world. */
struct lid {
	int lid;
	const char *guid;
};

struct cable {
	int lid[2], port[2], lanes;
};

/* A host's port, and the LID of the switch. */
struct port {
	struct adapter adapter;
	int peer;
};

struct links {
	bool is_switch;
	char name[NAME], guid[24]; /* of the current block; name "": no adapter's */
	struct lid *lid;
	struct cable *cable;
	struct port *port; /* the ports of hosts */
	int *other, *lost; /* LIDs of blocks that are no switches; and of no block at all */
	int nlids, ncables, nports, nothers, nlost;
	struct adapters adapters;
};

/* Switch: 0x0002c90000000010 sw0:, CA: n0 HCA-1:; a line between ports may be a warning. */
static void link_block(struct links *l, const char *text)
{
	static const char *const types[] = {"Switch", "CA", "Router", "??", NULL};
	const char *const *type = types;

	while (*type && (strncmp(text, *type, strlen(*type)) != 0 ||
		!strchr(": ", text[strlen(*type)])))
		type++;
	if (!*type)
		return;
	*l->name = *l->guid = '\0';
	l->is_switch = type == types;
	text += strlen(*type);
	text += strspn(text, ": ");
	if (l->is_switch && !strncmp(text, "0x", 2))
		sscanf(text, "%18[0-9a-fA-Fx]", l->guid);
	else if (type == types + 1 && sscanf(text, "%159[^\n:]", l->name) < 1)
		strcpy(l->name, " ");
}

/* Note that the LID is a switch's. */
static void add_lid(struct reader *r, struct links *l, int lid)
{
	const struct lid *last = l->nlids ? &l->lid[l->nlids - 1] : NULL;

	if (!last || last->lid != lid || strcmp(last->guid, l->guid) != 0)
		need_append(&r->arena, l->lid, l->nlids,
			(struct lid){lid, need_text(&r->arena, l->guid)});
}

/* The first port of an adapter gives the adapter its GUID. */
static void add_port(struct reader *r, struct links *l, const char *text, int peer)
{
	if (!*l->guid)
		sscanf(text, " %18[0-9a-fA-Fx]", l->guid);
	need_append(&r->arena, l->port, l->nports, (struct port){{need_text(&r->arena, l->name),
		need_text(&r->arena, l->guid), r->line}, peer});
}

/*
 * Hosts have blocks of their own, so what a switch says about a peer that is no switch is ignored.
 * LID 0 is not assigned yet.
 *
 * CA: node20 HCA-1:
 *   0x0000000000100029   9  1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>   3  5[  ] "sw_2_2" ( )
 * Switch: 0x000000000020000a sw_2_2:
 *            3    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>   4  2[  ] "sw_3_2" ( )
 *            3    7[  ] ==(             Down/ Polling)==>       [  ] "" ( )
 */
static int link_line(struct reader *r, char *text)
{
	struct links *l = r->state;
	char *to = strstr(text, ")==>"), *speed = strstr(text, "==(");
	int own = 0, peer = 0, port[2] = {0}, width = 0;
	double gbits = 0;

	if (!to) {
		link_block(l, text);
		return 0;
	}
	if (strchr(text, '"') < to && strchr(text, '"'))
		return err_printf(r->err, "this is iblinkinfo -l: expected what iblinkinfo prints "
			"without options");
	sscanf(text, " %9d %9d", &own, &port[0]);
	if (!l->is_switch && (sscanf(text, " 0x%*x %9d", &own) == 1 || own > 0))
		need_append(&r->arena, l->other, l->nothers, own);
	if (sscanf(to + 4, " %9d %9d[", &peer, &port[1]) != 2 || (!l->is_switch && !*l->name))
		return 0;
	if (speed)
		sscanf(speed, "==( %9dX %lf", &width, &gbits);
	if (peer <= 0 || (l->is_switch && own <= 0))
		return err_printf(r->err, "expected LID PORT[ ] at both ends, LIDs above 0");
	if (!l->is_switch) {
		add_port(r, l, text, peer);
		return 0;
	}
	add_lid(r, l, own);
	need_append(&r->arena, l->cable, l->ncables,
		(struct cable){{own, peer}, {port[0], port[1]}, lanes_of(width, gbits)});
	return 0;
}

static int by_lid(const void *a, const void *b)
{
	const struct lid *x = a, *y = b;

	return x->lid != y->lid ? (x->lid > y->lid) - (x->lid < y->lid)
				: strcmp(x->guid, y->guid);
}

static int of_lid(const void *lid, const void *entry)
{
	return *(const int *)lid - ((const struct lid *)entry)->lid;
}

/*
 * Name the vertex of a LID by its GUID, which other files may have too. False: it is no switch's.
 */
static bool vertex_name(const struct reader *r, int lid, char name[READER_NAME])
{
	const struct links *l = r->state;
	const struct lid *found = l->nlids
		? bsearch(&lid, l->lid, (size_t)l->nlids, sizeof(*found), of_lid) : NULL;

	snprintf(name, READER_NAME, "file %d LID %d", r->file, lid);
	if (found && *found->guid)
		snprintf(name, READER_NAME, "%s", found->guid);
	return found;
}

/* A LID must be unique in a fabric. */
static int check_lids(struct reader *r, const struct links *l)
{
	if (l->nlids)
		qsort(l->lid, (size_t)l->nlids, sizeof(*l->lid), by_lid);
	for (int i = 1; i < l->nlids; i++)
		if (l->lid[i].lid == l->lid[i - 1].lid &&
			strcmp(l->lid[i].guid, l->lid[i - 1].guid) != 0)
			return err_printf(r->err, "LID %d is two switches, %s and %s: these "
				"are two fabrics, expected a file for each", l->lid[i].lid,
				l->lid[i - 1].guid, l->lid[i].guid);
	return 0;
}

/* Take a cable between switches; a peer that is no switch makes none. */
static int take_cable(struct reader *r, const struct cable *cable)
{
	struct links *l = r->state;
	struct cable_end end[2];
	char name[READER_NAME];

	for (int i = 0; i < 2; i++) {
		if (!vertex_name(r, cable->lid[i], name) && i) {
			if (!l->nothers || !bsearch(&cable->lid[i], l->other, (size_t)l->nothers,
					sizeof(*l->other), sort_compare_int))
				need_append(&r->arena, l->lost, l->nlost, cable->lid[i]);
			return 0;
		}
		end[i].port = cable->port[i] > 0 ? (uint64_t)cable->port[i] : 0;
		if ((end[i].vertex = cables_vertex(r->cables, name, r->err)) < 0)
			return -1;
	}
	cables_add(r->cables, end, cable->lanes);
	return 0;
}

static int link_file_end(struct reader *r)
{
	struct links *l = r->state;
	char a[READER_NAME];

	if (check_lids(r, l))
		return -1;
	if (l->nothers)
		sort_ints(l->other, l->nothers);
	for (int i = 0; i < l->ncables; i++)
		if (take_cable(r, &l->cable[i]))
			return -1;
	if (l->nlost)
		sort_ints(l->lost, l->nlost);
	for (int i = 0; i < l->nlost; i++)
		r->import->headless += !i || l->lost[i] != l->lost[i - 1];
	for (int i = 0; i < l->nports; i++) {
		vertex_name(r, l->port[i].peer, a);
		if (add_host(r, &l->adapters, cables_vertex(r->cables, a, r->err),
			l->port[i].adapter))
			return -1;
	}
	*l = (struct links){.adapters = l->adapters};
	return check_names(r, &l->adapters);
}

const struct import_reader import_iblinkinfo = {.name = "iblinkinfo",
	.state = sizeof(struct links), .line = link_line, .file_end = link_file_end};
