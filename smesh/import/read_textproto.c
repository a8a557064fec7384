/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tenstorrent's descriptors as protocol buffers in text form: of cabling (graph_templates,
 * root_instance), of the deployment (hosts: the names by host_id), and of a system from the factory
 * (hosts, eth_connections). Other fields are passed over. Cables are between hosts: trays, ports
 * and channels do not count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/reader.h"

enum { DEPTH = 64, TEXT = 256 };

/* One of many: an instance (path, template), a leaf of it (path, id), a host (name) or a cable
 * (template, path, path). */
struct item {
	char *text[3];
	int id;
};

struct items {
	struct item *item;
	int count;
};

struct proto {
	struct items instance, leaf, host, cable;
	char field[DEPTH][TEXT]; /* the blocks around, and at [depth] the field at hand */
	int depth;
	bool value, list;   /* behind a colon; in brackets */
	char path[TEXT];    /* of the instance at hand: a/b/c */
	char key[TEXT], template[TEXT], end[2][TEXT];
	int end_id[2];
};

static int add(struct items *items, const char *a, const char *b, const char *c)
{
	int n = items->count;
	struct item *all = n & (n - 1) ? items->item
				       : realloc(items->item, (size_t)(2 * n + 1) * sizeof(*all));

	if (!all)
		return -1;
	items->item = all;
	all[n] = (struct item){{strdup(a), strdup(b), strdup(c)}, -1};
	items->count++;
	return all[n].text[0] && all[n].text[1] && all[n].text[2] ? 0 : -1;
}

static void drop(struct items *items)
{
	for (int i = 0; i < items->count; i++)
		for (int t = 0; t < 3; t++)
			free(items->item[i].text[t]);
	free(items->item);
}

/* base/more, cut where it is too long. */
static void join(char *path, const char *more)
{
	if (*path)
		strncat(path, "/", TEXT - 1 - strlen(path));
	strncat(path, more, TEXT - 1 - strlen(path));
}

static bool is(const char *a, const char *b)
{
	return !strcmp(a, b);
}

/* Which end of a cable a block is; -1: none. */
static int which_end(const char *block)
{
	return is(block, "port_a") || is(block, "endpoint_a")	? 0
		: is(block, "port_b") || is(block, "endpoint_b") ? 1 : -1;
}

static int take_value(struct reader *r, const char *value)
{
	struct proto *p = r->proto;
	const char *field = p->field[p->depth], *block = p->depth ? p->field[p->depth - 1] : "";
	int end = which_end(block), bad = 0;

	if (is(field, "key"))
		snprintf(is(block, "graph_templates") ? p->template : p->key, TEXT, "%s", value);
	else if (is(block, "hosts") && (is(field, "host") || is(field, "hostname")))
		bad = add(&p->host, value, "", "");
	else if (is(field, "template_name"))
		bad = add(&p->instance, p->path, value, "");
	else if (end >= 0 && is(field, "path"))
		join(p->end[end], value);
	else if (end >= 0 && is(field, "host_id"))
		p->end_id[end] = atoi(value);
	else if (is(block, "value") && is(field, "host_id")) {
		char path[TEXT];

		memcpy(path, p->path, TEXT);
		join(path, p->key);
		if (!(bad = add(&p->leaf, path, "", "")))
			p->leaf.item[p->leaf.count - 1].id = atoi(value);
	}
	return bad ? err_printf(r->err, "out of memory") : 0;
}

static int open_block(struct reader *r)
{
	struct proto *p = r->proto;
	const char *field = p->field[p->depth];

	if (p->depth == DEPTH - 1)
		return err_printf(r->err, "more than %d blocks in each other", DEPTH);
	if (is(field, "sub_instance"))
		join(p->path, p->key);
	if (is(field, "connections") || is(field, "connection"))
		*p->end[0] = *p->end[1] = '\0';
	p->depth++;
	*p->field[p->depth] = '\0';
	return 0;
}

static int close_block(struct reader *r)
{
	struct proto *p = r->proto;
	char ids[2][16], *slash;
	const char *field;
	int bad = 0;

	if (!p->depth)
		return err_printf(r->err, "a } without a {");
	field = p->field[--p->depth];
	if (is(field, "sub_instance")) {
		slash = strrchr(p->path, '/');
		*(slash ? slash : p->path) = '\0';
	} else if (is(field, "connections")) {
		bad = add(&p->cable, p->template, p->end[0], p->end[1]);
	} else if (is(field, "connection")) {
		for (int i = 0; i < 2; i++)
			snprintf(ids[i], sizeof(ids[i]), "%d", p->end_id[i]);
		bad = add(&p->cable, "", ids[0], ids[1]);
	}
	*p->field[p->depth] = '\0';
	return bad ? err_printf(r->err, "out of memory") : 0;
}

static int take_word(struct reader *r, const char *word)
{
	struct proto *p = r->proto;

	if (p->value || p->list) {
		p->value = false;
		return take_value(r, word);
	}
	snprintf(p->field[p->depth], TEXT, "%s", word);
	return 0;
}

static int take_mark(struct reader *r, char mark)
{
	struct proto *p = r->proto;

	p->value = mark == ':';
	if (mark == '[' || mark == ']')
		p->list = mark == '[';
	return strchr("{<", mark) ? open_block(r) : strchr("}>", mark) ? close_block(r) : 0;
}

static int proto_line(struct reader *r, char *text)
{
	static const char marks[] = "{}<>[]:,;";

	if (!r->proto && !(r->proto = calloc(1, sizeof(*r->proto))))
		return err_printf(r->err, "out of memory");
	while (*(text += strspn(text, " \t\r")) && *text != '#') {
		char *word = text, mark = *text;

		if (strchr(marks, mark)) {
			text++;
			if (take_mark(r, mark))
				return -1;
			continue;
		}
		if (mark == '"' || mark == '\'') {
			if (!(text = strchr(++word, mark)))
				return err_printf(r->err, "a string without an end");
			*text++ = '\0';
			if (take_word(r, word))
				return -1;
			continue;
		}
		text += strcspn(text, " \t\r#{}<>[]:,;\"'");
		mark = *text;
		*text = '\0';
		if (take_word(r, word))
			return -1;
		*text = mark;
	}
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct item *)a)->text[0], ((const struct item *)b)->text[0]);
}

/* The name of the host with an id: from the deployment, or its path. NULL with text. */
static const char *host_name(const struct reader *r, int id, char *path)
{
	const struct items *host = &r->proto->host;

	if (id >= 0 && id < host->count)
		return host->item[id].text[0];
	if (host->count || !path)
		return err_printf(r->err, "there is no host of host_id %d", id), NULL;
	for (char *slash = path; (slash = strchr(slash, '/'));)
		*slash = '-';
	return path;
}

/* The name of the host at the end of a cable in an instance. */
static const char *end_name(const struct reader *r, const char *instance, const char *end,
	char *path)
{
	const struct items *leaf = &r->proto->leaf;
	struct item key = {{path, NULL, NULL}, 0}, *found;

	snprintf(path, TEXT, "%s", instance);
	join(path, end);
	found = leaf->count ? bsearch(&key, leaf->item, (size_t)leaf->count, sizeof(key), by_path)
			    : NULL;
	if (!found)
		return err_printf(r->err, "no host_id for the path %.100s", path), NULL;
	return host_name(r, found->id, path);
}

static int add_cable(struct reader *r, const struct item *instance, const struct item *cable)
{
	char path[2][TEXT];
	const char *name[2];

	for (int i = 0; i < 2; i++)
		if (!(name[i] = instance ? end_name(r, instance->text[0], cable->text[1 + i],
						   path[i])
					 : host_name(r, atoi(cable->text[1 + i]), NULL)))
			return -1;
	return reader_cable(r, name[0], name[1]);
}

static int proto_end(struct reader *r)
{
	struct proto *p = r->proto;
	int result = 0;

	if (!p)
		return 0;
	if (p->leaf.count)
		qsort(p->leaf.item, (size_t)p->leaf.count, sizeof(*p->leaf.item), by_path);
	for (int c = 0; c < p->cable.count && !result; c++) {
		const struct item *cable = &p->cable.item[c];

		if (!*cable->text[0])
			result = add_cable(r, NULL, cable);
		for (int i = 0; *cable->text[0] && i < p->instance.count && !result; i++)
			if (is(p->instance.item[i].text[1], cable->text[0]))
				result = add_cable(r, &p->instance.item[i], cable);
	}
	return result;
}

static void proto_release(struct reader *r)
{
	if (!r->proto)
		return;
	drop(&r->proto->instance);
	drop(&r->proto->leaf);
	drop(&r->proto->host);
	drop(&r->proto->cable);
	free(r->proto);
}

const struct format format_textproto = {
	.name = "textproto",
	.line = proto_line,
	.end = proto_end,
	.release = proto_release,
};
