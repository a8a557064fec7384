/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/yamldoc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

int yamldoc_line(struct reader *r, char *text)
{
	struct yamldoc_text *y = r->state;

	need_append(&r->arena, y->text, y->nlines, need_text(&r->arena, text));
	y->size += strlen(text) + 1;
	return 0;
}

/* Is there nothing in the document, as behind a --- at the end of a file? */
static bool is_empty(const yaml_node_t *root)
{
	return root->type == YAML_SCALAR_NODE && !root->data.scalar.length;
}

/* Refuse a key that is twice in one place: one of the values would be lost. */
static int check_keys(const struct yamldoc *doc, const yaml_node_t *map)
{
	const yaml_node_pair_t *from = map->data.mapping.pairs.start;
	int all = (int)(map->data.mapping.pairs.top - from), n = 0;
	const char **key = need_get(&doc->r->arena, all, sizeof(*key)), *name;

	for (int i = 0; i < all; i++)
		if ((name = yamldoc_scalar(yaml_document_get_node(doc->yaml, from[i].key))))
			key[n++] = name;
	sort_texts(key, n);
	for (int i = 1; i < n; i++)
		if (!strcmp(key[i - 1], key[i])) {
			doc->r->line = (int)map->start_mark.line + 1;
			return err_printf(doc->r->err, "%.64s is there twice", key[i]);
		}
	return 0;
}

static int check_maps(const struct yamldoc *doc)
{
	yaml_node_t *node;

	for (int i = 1; (node = yaml_document_get_node(doc->yaml, i)); i++)
		if (node->type == YAML_MAPPING_NODE && check_keys(doc, node))
			return -1;
	return 0;
}

/* Take the document, and see that no other is behind it. */
static int take_document(struct reader *r, yaml_parser_t *parser,
	int (*take)(const struct yamldoc *, const yaml_node_t *root))
{
	int result = 0, taken = 0;

	for (bool more = true; more && !result;) {
		yaml_document_t document;
		const struct yamldoc doc = {r, &document};
		const yaml_node_t *root;

		if (!yaml_parser_load(parser, &document)) {
			r->line = (int)parser->problem_mark.line + 1;
			return err_printf(r->err, "%s",
				parser->problem ? parser->problem : "no YAML");
		}
		root = yaml_document_get_root_node(&document);
		more = root != NULL;
		if (more ? !is_empty(root) : !taken)
			result = taken++ ? yamldoc_bad(&doc, root, "a second document (---): "
				"give each document a file of its own")
				: check_maps(&doc) ? -1 : take(&doc, root);
		yaml_document_delete(&document);
	}
	return result;
}

int yamldoc_read(struct reader *r, int (*take)(const struct yamldoc *, const yaml_node_t *root))
{
	struct yamldoc_text *y = r->state;
	char *text = need_get(&r->arena, (int64_t)y->size + 1, 1), *to = text;
	yaml_parser_t parser;
	int result;

	need_done(!yaml_parser_initialize(&parser));
	for (int i = 0; i < y->nlines; i++)
		to += sprintf(to, "%s\n", y->text[i]);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, y->size);
	result = take_document(r, &parser, take);
	yaml_parser_delete(&parser);
	*y = (struct yamldoc_text){0};
	return result;
}

const char *yamldoc_scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE
		? (const char *)node->data.scalar.value : NULL;
}

bool yamldoc_number(const yaml_node_t *node, uint64_t most, uint64_t *number)
{
	const char *text = yamldoc_scalar(node);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return !errno && !*end && *number <= most;
}

yaml_node_t *yamldoc_get(const struct yamldoc *doc, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
		p++) {
		const char *name = yamldoc_scalar(yaml_document_get_node(doc->yaml, p->key));

		if (name && !strcmp(name, key))
			return yaml_document_get_node(doc->yaml, p->value);
	}
	return NULL;
}

yaml_node_t *yamldoc_item(const struct yamldoc *doc, const yaml_node_t *list, int i)
{
	if (!list || list->type != YAML_SEQUENCE_NODE ||
		i >= list->data.sequence.items.top - list->data.sequence.items.start)
		return NULL;
	return yaml_document_get_node(doc->yaml, list->data.sequence.items.start[i]);
}

int yamldoc_bad(const struct yamldoc *doc, const yaml_node_t *node, const char *what)
{
	if (node)
		doc->r->line = (int)node->start_mark.line + 1;
	return err_printf(doc->r->err, "%s", what);
}
