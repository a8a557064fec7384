/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tenstorrent's descriptors, protocol buffers as text: of cabling (graph_templates, root_instance),
 * of the deployment (hosts: the names by host_id), and of a system from the factory (hosts,
 * eth_connections). Cables are between hosts: trays, ports and channels are not looked at.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/reader.h"

enum { DEPTH = 64, TEXT = 256 };

/* A block is a JSON object; each field is an array of what it has had. */
struct proto {
	json_t *block[DEPTH]; /* [0] is all; [depth] the one at hand, borrowed from those around */
	int depth;
	char field[TEXT];
	bool value, list; /* behind a colon; in brackets */
};

/* --- text to blocks ----------------------------------------------------------------------- */

/* Takes over the value. */
static int append(struct reader *r, json_t *value)
{
	json_t *block = r->proto->block[r->proto->depth];
	json_t *all = json_object_get(block, r->proto->field);

	if (!all && !json_object_set_new(block, r->proto->field, json_array()))
		all = json_object_get(block, r->proto->field);
	return json_array_append_new(all, value) ? err_printf(r->err, "not UTF-8") : 0;
}

static int take_word(struct reader *r, const char *word)
{
	struct proto *p = r->proto;
	bool value = p->value || p->list;

	p->value = false;
	if (value)
		return append(r, json_string(word));
	snprintf(p->field, TEXT, "%s", word);
	return 0;
}

static int take_mark(struct reader *r, char mark)
{
	struct proto *p = r->proto;
	json_t *block;

	p->value = mark == ':';
	if (mark == '[' || mark == ']')
		p->list = mark == '[';
	if (strchr("}>", mark) && p->depth-- == 0)
		return err_printf(r->err, "a } without a {");
	if (!strchr("{<", mark))
		return 0;
	if (p->depth == DEPTH - 1)
		return err_printf(r->err, "more than %d blocks in each other", DEPTH);
	if (append(r, block = json_object()))
		return -1;
	p->block[++p->depth] = block;
	return 0;
}

static int proto_line(struct reader *r, char *text)
{
	static const char marks[] = "{}<>[]:,;";

	if (!r->proto && (!(r->proto = calloc(1, sizeof(*r->proto))) ||
				 !(r->proto->block[0] = json_object())))
		return err_printf(r->err, "out of memory");
	while (*(text += strspn(text, " \t\r")) && *text != '#') {
		char *word = text, mark = *text;
		bool quoted = mark == '"' || mark == '\'';
		int bad;

		if (quoted && !(text = strchr(++word, mark)))
			return err_printf(r->err, "a string without an end");
		if (!quoted)
			text += strcspn(text, " \t\r#{}<>[]:,;\"'");
		if (text == word && !quoted) {
			text++;
			bad = strchr(marks, mark) ? take_mark(r, mark) : 0;
		} else {
			mark = *text;
			*text = '\0';
			bad = take_word(r, word);
			*text = quoted ? ' ' : mark;
		}
		if (bad)
			return -1;
	}
	return 0;
}

/* --- blocks to cables --------------------------------------------------------------------- */

static json_t *first(const json_t *block, const char *field)
{
	return json_array_get(json_object_get(block, field), 0);
}

static const char *text_of(const json_t *block, const char *field)
{
	const char *text = json_string_value(first(block, field));

	return text ? text : "";
}

/* The value of the entry of a map that has this key, or NULL. */
static json_t *look_up(const json_t *block, const char *map, const char *key)
{
	size_t i;
	json_t *entry;

	json_array_foreach(json_object_get(block, map), i, entry)
		if (!strcmp(text_of(entry, "key"), key))
			return first(entry, "value");
	return NULL;
}

/* The name of a host by its id, else `path`; NULL with text: there are names, but none for it. */
static const char *host_name(const struct reader *r, const char *id, const char *path)
{
	const json_t *hosts = json_object_get(r->proto->block[0], "hosts");
	const json_t *host = json_array_get(hosts, (size_t)strtoul(id, NULL, 10));
	const char *name = text_of(host, "host");

	name = *name ? name : text_of(host, "hostname");
	if (*name || (!hosts && path))
		return *name ? name : path;
	err_printf(r->err, "there is no host of host_id %.20s", id);
	return NULL;
}

/* An instance of a template, and the names of those around it: a-b- */
struct instance {
	const json_t *block;
	char path[TEXT];
};

static void step_into(struct instance *at, const char *name, const json_t *block)
{
	size_t length = strlen(at->path);

	snprintf(at->path + length, TEXT - length, "%s-", name);
	at->block = block;
}

/* The host at the end of a cable of an instance; path[TEXT] is room for its name. */
static const char *port_host(const struct reader *r, const struct instance *in, const json_t *port,
	char *path)
{
	struct instance at = *in;
	size_t i;
	json_t *part;

	json_array_foreach(json_object_get(port, "path"), i, part) {
		const char *name = json_string_value(part);
		const json_t *child = look_up(at.block, "child_mappings", name ? name : "");
		const json_t *sub = first(child, "sub_instance");

		step_into(&at, name ? name : "", sub ? sub : child);
	}
	memcpy(path, at.path, TEXT);
	path[strlen(path) - (*path != '\0')] = '\0';
	if (*text_of(at.block, "host_id"))
		return host_name(r, text_of(at.block, "host_id"), path);
	err_printf(r->err, "no host_id for %.100s", path);
	return NULL;
}

static int add_connection(struct reader *r, const struct instance *in, const json_t *connection)
{
	char path[2][TEXT];
	const char *a = port_host(r, in, first(connection, "port_a"), path[0]);
	const char *b = a ? port_host(r, in, first(connection, "port_b"), path[1]) : NULL;

	return b ? reader_cable(r, a, b) : -1;
}

/* The cables of an instance and of all in it: no deeper than the text's blocks are. */
static int expand(struct reader *r, const struct instance *in)
{
	const json_t *template = look_up(
		r->proto->block[0], "graph_templates", text_of(in->block, "template_name"));
	size_t i, j;
	json_t *map, *item;

	json_array_foreach(json_object_get(template, "internal_connections"), i, map)
		json_array_foreach(json_object_get(first(map, "value"), "connections"), j, item)
			if (add_connection(r, in, item))
				return -1;
	json_array_foreach(json_object_get(in->block, "child_mappings"), i, item) {
		struct instance child = *in;

		step_into(&child, text_of(item, "key"),
			first(first(item, "value"), "sub_instance"));
		if (child.block && expand(r, &child))
			return -1;
	}
	return 0;
}

static int proto_end(struct reader *r)
{
	const json_t *all = r->proto->block[0];
	struct instance root = {first(all, "root_instance"), ""};
	size_t i;
	json_t *item;

	json_array_foreach(json_object_get(first(all, "eth_connections"), "connection"), i, item) {
		const char *a = host_name(r, text_of(first(item, "endpoint_a"), "host_id"), NULL);
		const char *b = host_name(r, text_of(first(item, "endpoint_b"), "host_id"), NULL);

		if (!a || !b || reader_cable(r, a, b))
			return -1;
	}
	return expand(r, &root);
}

static void proto_release(struct reader *r)
{
	if (r->proto)
		json_decref(r->proto->block[0]);
	free(r->proto);
}

const struct format format_textproto = {
	.name = "textproto",
	.line = proto_line,
	.end = proto_end,
	.release = proto_release,
};
