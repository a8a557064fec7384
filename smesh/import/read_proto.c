/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tenstorrent's factory system descriptor, a protocol buffer as text:
 *
 * hosts { hostname: "n0" }
 * eth_connections { connection { endpoint_a { tray_id: 1 } endpoint_b { host_id: 1 } } }
 *
 * A host_id is an index in the list of hosts of the same file; 0 is not written. A connection is
 * one channel, a lane. What else is said about its ends (tray, chip, channel) tells channels
 * apart.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/reader.h"

enum { WORD = 256, DEPTH = 16 };

struct end {
	bool there;
	int host;
	uint64_t port;
};

struct link {
	struct end end[2];
	int line;
};

struct proto {
	/* The open blocks: hosts, or eth_connections and connection; in [ ] the same name again. */
	char open[DEPTH][WORD];
	bool list[DEPTH];
	int depth;
	char field[WORD]; /* the last name; "" behind its value */
	struct end end[2];
	char **host; /* NULL: without a name */
	struct link *link;
	int nhosts, nlinks;
};

/* --- blocks -------------------------------------------------------------------------------- */

static bool is_in(const struct proto *p, const char *name)
{
	return p->depth && !strcmp(p->open[p->depth - 1], name);
}

static bool in_list(const struct proto *p)
{
	return p->depth && p->list[p->depth - 1];
}

/* Are we in the block of a host? [ ] around it does not count. */
static bool in_hosts(const struct proto *p)
{
	return is_in(p, "hosts") && !in_list(p) && p->depth == 1 + (p->list[0] != 0);
}

/* The end that the block is about, or NULL. */
static struct end *end_here(struct proto *p)
{
	return is_in(p, "endpoint_a") ? &p->end[0] : is_in(p, "endpoint_b") ? &p->end[1] : NULL;
}

static int open_block(struct reader *r, bool list)
{
	struct proto *p = r->state;
	const char *name = in_list(p) ? p->open[p->depth - 1] : p->field;

	if (p->depth == DEPTH)
		return err_printf(r->err, "blocks in blocks, deeper than %d", DEPTH);
	memmove(p->open[p->depth], name, WORD);
	p->list[p->depth++] = list;
	*p->field = '\0';
	if (list)
		return 0;
	if (is_in(p, "connection"))
		memset(p->end, 0, sizeof(p->end));
	if (end_here(p))
		end_here(p)->there = true;
	if (in_hosts(p))
		need_append(&r->arena, p->host, p->nhosts, NULL);
	return 0;
}

static int close_block(struct reader *r, bool list)
{
	struct proto *p = r->state;

	if (!p->depth || p->list[p->depth - 1] != list)
		return err_printf(r->err, list ? "a ] without a [" : "a } without a {");
	if (!list && is_in(p, "connection"))
		need_append(&r->arena, p->link, p->nlinks,
			(struct link){{p->end[0], p->end[1]}, r->line});
	p->depth--;
	*p->field = '\0';
	return 0;
}

static int take_value(struct reader *r, const char *value)
{
	struct proto *p = r->state;
	struct end *at = end_here(p);
	char *end;
	long id;

	if (!*p->field && !in_list(p))
		return err_printf(r->err, "'%.32s' is no value of a field", value);
	if (!strcmp(p->field, "hostname") && in_hosts(p)) {
		p->host[p->nhosts - 1] = need_text(&r->arena, value);
	} else if (at && !strcmp(p->field, "host_id")) {
		id = strtol(value, &end, 0);
		if (*end || id < 0 || id > INT32_MAX)
			return err_printf(r->err, "'%.32s' is not a host_id", value);
		at->host = (int)id;
	} else if (at && strcmp(value, "0") != 0) {
		/* A sum: fields come in any order, and 0 may be missing. */
		at->port += hash_bytes(hash_bytes(HASH_BEGIN, p->field, strlen(p->field)), value,
			strlen(value));
	}
	if (!in_list(p))
		*p->field = '\0';
	return 0;
}

/* --- words --------------------------------------------------------------------------------- */

/* Take a string. Returns what follows, or NULL with text. */
static char *take_string(struct reader *r, char *text)
{
	char mark = *text, *end = text + 1;

	while (*end && *end != mark)
		end += *end == '\\' && end[1] ? 2 : 1;
	if (!*end) {
		err_printf(r->err, "a string without an end");
		return NULL;
	}
	*end = '\0';
	return take_value(r, text + 1) ? NULL : end + 1;
}

/* Take a name or a value. Returns what follows, or NULL with text. */
static char *take_word(struct reader *r, char *text)
{
	struct proto *p = r->state;
	char *end = text + strcspn(text, " \t,;:[]{}<>\"'#"), mark = *end;
	bool bad = false;

	*end = '\0';
	if (*p->field || isdigit((unsigned char)*text) || *text == '-')
		bad = take_value(r, text);
	else
		snprintf(p->field, sizeof(p->field), "%s", text);
	*end = mark;
	return bad ? NULL : end == text ? end + 1 : end;
}

/* Take [: behind a name a list; otherwise the name of an extension, which is skipped. */
static char *take_bracket(struct reader *r, char *text)
{
	struct proto *p = r->state;
	char *end;

	if (*p->field)
		return open_block(r, true) ? NULL : text + 1;
	if (!(end = strchr(text, ']'))) {
		err_printf(r->err, "a [ without a ]");
		return NULL;
	}
	snprintf(p->field, sizeof(p->field), "[]");
	return end + 1;
}

static int proto_line(struct reader *r, char *text)
{
	while (text && *(text += strspn(text, " \t,;:")) && *text != '#') {
		if (strchr("{<", *text))
			text = open_block(r, false) ? NULL : text + 1;
		else if (strchr("}>]", *text))
			text = close_block(r, *text == ']') ? NULL : text + 1;
		else if (*text == '[')
			text = take_bracket(r, text);
		else if (strchr("\"'", *text))
			text = take_string(r, text);
		else
			text = take_word(r, text);
	}
	return text ? 0 : -1;
}

/* --- files --------------------------------------------------------------------------------- */

/* The vertex of a host, by its name, which other files may have too. */
static int host_vertex(struct reader *r, int id)
{
	const struct proto *p = r->state;
	char name[READER_NAME];

	if (id >= p->nhosts)
		return err_printf(r->err, "there are %d hosts, but also cables of host_id %d",
			p->nhosts, id);
	if (p->host[id])
		return cables_host(r->cables, p->host[id], r->err);
	snprintf(name, sizeof(name), "file %d host %d", r->file, id);
	return cables_vertex(r->cables, name, r->err);
}

static int add_cable(struct reader *r, const struct link *link)
{
	struct cable_end end[2] = {{0}};

	r->line = link->line;
	for (int i = 0; i < 2; i++) {
		end[i].port = link->end[i].port;
		if (link->end[i].there &&
			(end[i].vertex = host_vertex(r, link->end[i].host)) < 0)
			return -1;
	}
	for (int i = 0; i < 2; i++)
		if (!link->end[i].there)
			return err_printf(r->err, "a connection without %s",
				i ? "endpoint_b" : "endpoint_a");
	if (end[0].vertex == end[1].vertex && link->end[0].host != link->end[1].host)
		return err_printf(r->err, "host_id %d and %d are both %.64s", link->end[0].host,
			link->end[1].host, r->cables->vertex_name[end[0].vertex]);
	cables_add(r->cables, end, 1);
	return 0;
}

static int proto_file_end(struct reader *r)
{
	struct proto *p = r->state;

	if (p->depth)
		return err_printf(r->err, "ends inside of %s", p->open[p->depth - 1]);
	for (int i = 0; i < p->nhosts; i++)
		if (host_vertex(r, i) < 0)
			return -1;
	for (int i = 0; i < p->nlinks; i++)
		if (add_cable(r, &p->link[i]))
			return -1;
	*p = (struct proto){.depth = 0};
	return 0;
}

const struct import_reader import_textproto = {.name = "textproto", .state = sizeof(struct proto),
	.line = proto_line, .file_end = proto_file_end};
