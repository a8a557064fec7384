/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/import.h"

enum { WORD = 256, PATH = 512 };

struct reader {
	struct import *import;
	struct cables *cables; /* the import's */
	struct mesh_err *err;
	char name[WORD]; /* InfiniBand: whose ports follow, or empty. Slurm: the node */
	bool is_switch;	 /* iblinkinfo: the ports are a switch's */
	int column[2];	 /* CSV: of the two ends */
	bool wrap;	 /* coordinates: in all dimensions, if nothing else is said */
	/* Tenstorrent's: where we are, /eth_connections/connection, and a cable's ends */
	char block[PATH], field[WORD], end[2][WORD];
	int nhosts;
};

/* A cable between vertices of these names. */
static int add_cable(struct reader *r, const char *a, const char *b)
{
	int v = cables_vertex(r->cables, a, r->err);
	int u = v < 0 ? -1 : cables_vertex(r->cables, b, r->err);

	return u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/* --- InfiniBand --------------------------------------------------------------------------- */

/* The text between the first pair of quotes, cut out of the line; *rest is what follows. NULL:
 * there is none. */
static char *quoted(char *text, char **rest)
{
	char *from = strchr(text, '"'), *to = from ? strchr(from + 1, '"') : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	*rest = to + 1;
	return from + 1;
}

/* The host of a channel adapter is the first word of its description. */
static int add_host(struct reader *r, int vertex, char *description)
{
	if (strstr(description, "Aggregation Node"))
		return 0; /* a part of a switch */
	description[strcspn(description, " \t")] = '\0';
	return cables_node(r->cables, description, vertex, r->err);
}

static int add_port(struct reader *r, const char *peer, char *description)
{
	int v = peer ? add_cable(r, r->name, peer) : cables_vertex(r->cables, r->name, r->err);

	return v < 0 ? -1 : peer ? 0 : add_host(r, v, description);
}

/*
 * Switches are vertices, hosts the nodes on them. What hosts say of their own ports is not looked
 * at, as the switches say it too.
 *
 * Switch  8 "S-000000000020000a"   # "sw_2_2" base port 0 lid 3 lmc 0
 * [1]  "S-000000000020000b"[2]     # "sw_3_2" lid 4 4xSDR
 * [5]  "H-0000000000100028"[1](100029)   # "node20 HCA-1" lid 9 4xSDR
 */
static int net_line(struct reader *r, char *text)
{
	bool port = *text == '[', head = !strncmp(text, "Switch", 6);
	char *rest, *id, *description;

	if (!port && !head && strncmp(text, "Ca", 2) && strncmp(text, "Rt", 2))
		return 0;
	if (!(id = quoted(text, &rest)) || !(description = quoted(rest, &rest)))
		return err_printf(r->err, "expected \"ID\" and # \"DESCRIPTION\"");
	if (!port)
		snprintf(r->name, sizeof(r->name), "%s", head ? id : "");
	if (!*r->name)
		return 0;
	return port ? add_port(r, *id == 'S' ? id : NULL, description)
		    : cables_vertex(r->cables, id, r->err) < 0 ? -1 : 0;
}

/*
 * Hosts have blocks of their own. What a switch says of a peer that is no switch so far is left
 * out: if it is one, its own block has the cable, too. A LID of 0 is none yet.
 *
 * CA: node20 HCA-1:
 *   0x0000000000100029   9  1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>   3  5[  ] "sw_2_2" ( )
 * Switch: 0x000000000020000a sw_2_2:
 *            3    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>   4  2[  ] "sw_3_2" ( )
 *            3    7[  ] ==(             Down/ Polling)==>       [  ] "" ( )
 */
static int link_line(struct reader *r, char *text)
{
	char *to = strstr(text, ")==>"), own[32] = "LID ", peer[32] = "LID ";
	int v;

	if (!to) {
		r->is_switch = !strncmp(text, "Switch:", 7);
		if (!r->is_switch && sscanf(text, "CA: %159[^\n:]", r->name) != 1)
			*r->name = '\0';
		return 0;
	}
	sscanf(text, " %20[0-9]", own + 4);
	if (sscanf(to + 4, " %20[0-9] %*d[", peer + 4) != 1 || (!r->is_switch && !*r->name))
		return 0;
	if (peer[4] == '0' || (r->is_switch && (own[4] == '0' || !own[4])))
		return err_printf(r->err, "expected LID PORT[ ] at both ends, LIDs above 0");
	if (r->is_switch && cables_find_vertex(r->cables, peer) >= 0)
		return add_cable(r, own, peer);
	v = cables_vertex(r->cables, r->is_switch ? own : peer, r->err);
	return v < 0 ? -1 : r->is_switch ? 0 : add_host(r, v, r->name);
}

/* --- Tenstorrent's descriptor ------------------------------------------------------------- */

static bool ends(const char *text, const char *tail)
{
	size_t length = strlen(text), n = strlen(tail);

	return length >= n && !strcmp(text + length - n, tail);
}

static int proto_value(struct reader *r, const char *value)
{
	char id[24];
	int v;

	if (!strcmp(r->field, "host_id"))
		snprintf(r->end[ends(r->block, "_b")], WORD, "%s", value);
	if (strcmp(r->block, "/hosts") || strcmp(r->field, "hostname"))
		return 0;
	snprintf(id, sizeof(id), "%d", r->nhosts);
	v = cables_vertex(r->cables, id, r->err);
	return v < 0 ? -1 : cables_node(r->cables, value, v, r->err);
}

static int open_block(struct reader *r)
{
	size_t length = strlen(r->block);

	if (length + strlen(r->field) + 1 >= sizeof(r->block))
		return err_printf(r->err, "blocks in blocks of more than %d characters", PATH);
	snprintf(r->block + length, sizeof(r->block) - length, "/%s", r->field);
	if (!strcmp(r->field, "connection"))
		strcpy(r->end[0], strcpy(r->end[1], "0"));
	return 0;
}

static int close_block(struct reader *r)
{
	if (!*r->block)
		return err_printf(r->err, "a } without a {");
	r->nhosts += !strcmp(r->block, "/hosts");
	if (ends(r->block, "/connection") && add_cable(r, r->end[0], r->end[1]))
		return -1;
	*strrchr(r->block, '/') = '\0';
	return 0;
}

/*
 * Tenstorrent's factory system descriptor, a protocol buffer as text. Vertices are called by their
 * host_id, which is the place in the list of hosts; 0 is not written.
 *
 * hosts { hostname: "n0" }
 * eth_connections { connection { endpoint_a { tray_id: 1 } endpoint_b { host_id: 1 } } }
 */
static int proto_line(struct reader *r, char *text)
{
	int result = 0;

	while (!result && *(text += strspn(text, " \t\r,;:[]/")) && *text != '#') {
		char *word = text++, mark = *word;

		if (strchr("{<", mark)) {
			result = open_block(r);
		} else if (strchr("}>", mark)) {
			result = close_block(r);
		} else if (strchr("\"'", mark)) {
			if (!(text = strchr(text, mark)))
				return err_printf(r->err, "a string without an end");
			*text++ = '\0';
			result = proto_value(r, word + 1);
		} else {
			text += strcspn(text, " \t\r,;:[]/{}<>\"'#");
			mark = *text;
			*text = '\0';
			if (isdigit((unsigned char)*word))
				result = proto_value(r, word);
			else
				snprintf(r->field, sizeof(r->field), "%s", word);
			*text = mark;
		}
	}
	return result;
}

static int proto_end(struct reader *r)
{
	if (r->cables->nvertices <= r->nhosts)
		return 0;
	return err_printf(r->err, "there are %d hosts, but also cables of host_id %.100s",
		r->nhosts, r->cables->vertex_name[r->cables->nvertices - 1]);
}

/* --- lists of cables ----------------------------------------------------------------------- */

enum { FIELDS = 64 };

/* Fields between commas, semicolons or tabs, without blanks and quotes around. How many. */
static int split(char *text, char **field)
{
	int n = 0;

	for (char *one; n < FIELDS && (one = strsep(&text, ",;\t"));) {
		char *end = one + strlen(one);

		while (end > one && (isspace((unsigned char)end[-1]) || end[-1] == '"'))
			*--end = '\0';
		field[n++] = one + strspn(one, " \"");
	}
	return n;
}

/* A line that says which two columns have the ends: with two of these words. */
static bool is_header(struct reader *r, char *const *field, int n)
{
	static const char *const word[] = {"host", "hostname", "node", "source", "destination",
		"from", "to", "src", "dst", "host_a", "host_b", "node_a", "node_b", "host1",
		"host2"};
	int found = 0;

	for (int i = 0; i < n && found < 2; i++)
		for (size_t w = 0; w < sizeof(word) / sizeof(*word); w++)
			if (!strcasecmp(field[i], word[w])) {
				r->column[found++] = i;
				break;
			}
	return found == 2;
}

/* host[:port], host[/port]. Of a cutsheet the second line of the header says more: Source,,,,
 * Destination,,, and below Hostname,Tray,Port,Node Type,Hostname,Tray,Port,Node Type. */
static int cable_line(struct reader *r, char *text)
{
	char *field[FIELDS], *end[2];
	int n = split(text, field), v, u;

	if (*text == '#' || !n || (n == 1 && !*field[0]))
		return 0;
	if (!r->cables->ncables && is_header(r, field, n))
		return 0;
	if (r->column[0] == r->column[1])
		r->column[1] = 1;
	for (int i = 0; i < 2; i++) {
		if (r->column[i] >= n)
			return err_printf(r->err, "expected a cable's two ends");
		end[i] = field[r->column[i]];
		end[i][strcspn(end[i], ":/")] = '\0';
	}
	v = cables_host(r->cables, end[0], r->err);
	u = v < 0 ? -1 : cables_host(r->cables, end[1], r->err);
	return u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/* --- coordinates -------------------------------------------------------------------------- */

/* Numbers with a separator between. How many, or -1: there is something else, or too many. */
static int numbers(char *text, const char *separators, int *at)
{
	int n = 0;

	for (char *one, *end; (one = strsep(&text, separators));) {
		long value = strtol(one, &end, 10);

		if (!*one)
			continue;
		if (*end || n == MESH_MAX_DIMS || value < 0 || value >= MESH_MAX_SIDE)
			return -1;
		at[n++] = (int)value;
	}
	return n;
}

/* The grid of a name, made if there is none; NULL with text. */
static struct grid *named_grid(struct reader *r, const char *name)
{
	struct grids *grids = &r->import->grids;
	struct grid *grid;

	for (int i = 0; i < grids->ngrids; i++)
		if (!strncmp(grids->grid[i].name, name, sizeof(grid->name) - 1))
			return &grids->grid[i];
	if (!(grid = grids_add(grids))) {
		err_printf(r->err, "more than %d grids", MESH_MAX_MESHES);
		return NULL;
	}
	snprintf(grid->name, sizeof(grid->name), "%.63s", name);
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		grid->wrap[d] = r->wrap;
	return grid;
}

/* A vertex is called after its place until all are known: vertices are numbered anew then. */
static int place(struct reader *r, const char *host, struct grid *grid, char *text)
{
	char name[MESH_MAX_DIMS * 8 + 8];
	int at[MESH_MAX_DIMS] = {0}, n = numbers(text, " \t,;:.", at), v;
	size_t used;

	if (!grid)
		return -1;
	grid->ndims = grid->ndims ? grid->ndims : n;
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected HOST and %d coordinates of 0 to %d",
			grid->ndims > 0 ? grid->ndims : 3, MESH_MAX_SIDE - 1);
	used = (size_t)snprintf(name, sizeof(name), "%d", (int)(grid - r->import->grids.grid));
	for (int d = 0; d < n; d++) {
		grid->side[d] = at[d] < grid->side[d] ? grid->side[d] : at[d] + 1;
		used += (size_t)snprintf(name + used, sizeof(name) - used, ":%d", at[d]);
	}
	v = cables_vertex(r->cables, name, r->err);
	return v < 0 ? -1 : cables_node(r->cables, host, v, r->err);
}

/* host x y z, or host,x,y,z. */
static int coords_line(struct reader *r, char *text)
{
	char *host = text + strspn(text, " \t"), *rest = host + strcspn(host, " \t,;");

	if (!*host || *host == '#')
		return 0;
	if (*rest)
		*rest++ = '\0';
	return place(r, host, named_grid(r, ""), rest);
}

/* The word behind KEY= in a line, at most WORD - 1 characters. False: there is none. */
static bool value_of(const char *text, const char *key, char *value)
{
	const char *at = text;

	while ((at = strstr(at, key)) && at > text && at[-1] != ' ')
		at++;
	if (at)
		snprintf(value, WORD, "%.*s", (int)strcspn(at + strlen(key), " \t\r"),
			at + strlen(key));
	return at;
}

/* TorusName=t Dims=4x4x4, RingName=r RingSize=8, MeshName=m Dims=4x4 Wrap=yes,no */
static int sides(struct reader *r, const char *name, const char *text)
{
	struct grid *grid = named_grid(r, name);
	char value[WORD], *wrap = value;
	int side[MESH_MAX_DIMS], n;

	if (!grid || !(value_of(text, "Dims=", value) || value_of(text, "RingSize=", value)))
		return grid ? 0 : -1;
	n = numbers(value, "x", side);
	grid->ndims = grid->ndims ? grid->ndims : n;
	for (int d = 0; d < n; d++) {
		grid->side[d] = side[d] > grid->side[d] ? side[d] : grid->side[d];
		n = side[d] ? n : -1;
	}
	if (n < 1 || n != grid->ndims)
		return err_printf(r->err, "expected sides in Dims=");
	if (value_of(text, "Wrap=", value))
		for (int d = 0; d < grid->ndims && wrap; d++)
			grid->wrap[d] = !strcmp(strsep(&wrap, ","), "yes");
	return 0;
}

/*
 * What scontrol shows of topologies and of nodes, as one line or several: Topology=, a list of
 * default:torus0:3:1:0, or Address=torus0.3.1.0.
 */
static int scontrol_line(struct reader *r, char *text)
{
	char value[WORD], *list = value;
	int result = 0;

	value_of(text, "NodeName=", r->name);
	if (value_of(text, "TorusName=", value) || value_of(text, "RingName=", value) ||
		value_of(text, "MeshName=", value))
		return sides(r, value, text);
	if (!value_of(text, "Topology=", value) && !value_of(text, "Address=", value))
		return 0;
	for (char *unit; !result && (unit = strsep(&list, ","));) {
		char *at = unit + strlen(unit), *name;

		while (at > unit && strchr("0123456789:.", at[-1]))
			at--;
		at += strcspn(at, ":.");
		if (!*at)
			continue; /* of a tree */
		*at++ = '\0';
		name = strrchr(unit, ':');
		result = place(r, r->name, named_grid(r, name ? name + 1 : unit), at);
	}
	return result;
}

/* The vertices to their places. Coordinates of a list may begin at 1. */
static int set_places(struct reader *r)
{
	struct grids *grids = &r->import->grids;

	if (grids_init(grids, r->cables->nvertices))
		return err_printf(r->err, "out of memory");
	for (int v = 0; v < grids->nvertices; v++) {
		char *text = r->cables->vertex_name[v];

		grids->grid_of[v] = (int)strtol(text, &text, 10);
		for (int d = 0; *text; d++)
			grids->at[v][d] = (int)strtol(text + 1, &text, 10);
	}
	for (int d = 0; d < grids->grid->ndims && !*grids->grid->name; d++) {
		int low = grids->grid->side[d];

		for (int v = 0; v < grids->nvertices; v++)
			low = grids->at[v][d] < low ? grids->at[v][d] : low;
		grids->grid->side[d] -= low;
		for (int v = 0; v < grids->nvertices; v++)
			grids->at[v][d] -= low;
	}
	for (int i = 0; i < grids->ngrids; i++)
		if (grid_cells(&grids->grid[i], MESH_MAX_VERTICES) < 0)
			return err_printf(r->err, "more than %d vertices", MESH_MAX_VERTICES);
	return 0;
}

/* --- files -------------------------------------------------------------------------------- */

/* A line without its end, to be written to. 0, or -1 with text. */
typedef int take_line(struct reader *r, char *text);

/* In the order of IMPORT_FORMATS. */
static const struct {
	const char *name;
	take_line *line;
	bool placed; /* coordinates, not cables */
} formats[] = {
	{"ibnetdiscover", net_line, false},
	{"iblinkinfo", link_line, false},
	{"cables", cable_line, false},
	{"cutsheet", cable_line, false},
	{"textproto", proto_line, false},
	{"coords", coords_line, true},
	{"scontrol", scontrol_line, true},
};

int import_format(const char *name)
{
	for (int i = 0; i < (int)(sizeof(formats) / sizeof(*formats)); i++)
		if (!strcasecmp(formats[i].name, name))
			return i;
	return -1;
}

static int read_lines(struct reader *r, take_line *take, const char *path, FILE *file)
{
	struct mesh_err why = {{0}}, *err = r->err;
	int line = 0, result = 0;
	char *text = NULL;
	size_t room = 0;

	r->err = &why;
	while (!result && getline(&text, &room, file) >= 0) {
		text[strcspn(text, "\n")] = '\0';
		result = take(r, text);
		line++;
	}
	free(text);
	r->err = err;
	if (result)
		return err_at(err, path, line, "%s", why.text);
	if (*r->block)
		return err_at(err, path, line, "ends inside of %s", r->block + 1);
	return line ? 0 : err_printf(err, "%s: %s", path, ferror(file) ? strerror(errno) : "empty");
}

static int read_file(struct reader *r, take_line *take, const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	if (!file)
		return err_printf(r->err, "%s: %s", path, strerror(errno));
	result = read_lines(r, take, path, file);
	if (file != stdin)
		fclose(file);
	return result;
}

int import_read(struct import *import, int format, char *const *path, bool wrap,
	struct mesh_err *err)
{
	take_line *take = formats[format].line;
	struct reader r = {.import = import, .cables = &import->cables, .err = err,
		.wrap = wrap || take == scontrol_line};
	int result = 0;

	*import = (struct import){.placed = formats[format].placed};
	for (int i = 0; path[i] && !result; i++)
		result = read_file(&r, take, path[i]);
	if (!result && take == proto_line)
		result = proto_end(&r);
	if (!result && (!r.cables->nnodes ||
			(!import->placed && !r.cables->ncables && r.cables->nvertices > 1)))
		result = err_printf(err, "%s: no %s in it, read as %s", *path,
			r.cables->nnodes ? "cables" : "nodes", formats[format].name);
	if (!result && !(result = cables_finish(r.cables, err)))
		result = import->placed ? set_places(&r)
					: grids_find(&import->grids, r.cables, err);
	return result;
}

void import_release(struct import *import)
{
	cables_release(&import->cables);
	arena_release(&import->grids.arena);
}
