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

static const char *key_of(struct reader *r, const yaml_node_pair_t *pair)
{
	return yamldoc_scalar(yaml_document_get_node(r->yaml, pair->key));
}

/* Refuse a key that is twice in one place: one of the values would be lost. */
static int check_keys(struct reader *r)
{
	const yaml_node_t *map;

	for (int i = 1, n; (map = yaml_document_get_node(r->yaml, i)); i++) {
		const char **key = NULL, *name;

		n = 0;
		if (map->type != YAML_MAPPING_NODE)
			continue;
		yamldoc_pairs(p, map)
			if ((name = key_of(r, p)))
				need_append(&r->arena, key, n, name);
		sort_texts(key, n);
		for (int k = 1; k < n; k++)
			if (!strcmp(key[k - 1], key[k]))
				return yamldoc_bad(r, map, "%.64s is there twice", key[k]);
	}
	return 0;
}

/* Take the document, and see that no other is behind it. */
static int take_document(struct reader *r, yaml_parser_t *parser,
	int (*take)(struct reader *, const yaml_node_t *root))
{
	int result = 0, taken = 0;

	for (bool more = true; more && !result;) {
		yaml_document_t document;
		const yaml_node_t *root;

		r->yaml = &document;
		if (!yaml_parser_load(parser, &document))
			return reader_bad(r, (int)parser->problem_mark.line + 1, "%s",
				parser->problem ? parser->problem : "no YAML");
		root = yaml_document_get_root_node(&document);
		more = root != NULL;
		/* An empty one is behind a --- at the end of a file. */
		if (more ? root->type != YAML_SCALAR_NODE || root->data.scalar.length : !taken)
			result = taken++ ? yamldoc_bad(r, root, "a second document (---): give "
				"each document a file of its own")
				: check_keys(r) ? -1 : take(r, root);
		yaml_document_delete(&document);
	}
	return result;
}

int yamldoc_read(struct reader *r, int (*take)(struct reader *, const yaml_node_t *root))
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

yaml_node_t *yamldoc_get(struct reader *r, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	yamldoc_pairs(p, map)
		if (key_of(r, p) && !strcmp(key_of(r, p), key))
			return yaml_document_get_node(r->yaml, p->value);
	return NULL;
}

yaml_node_t *yamldoc_item(struct reader *r, const yaml_node_t *list, int i)
{
	if (!list || list->type != YAML_SEQUENCE_NODE ||
		i >= list->data.sequence.items.top - list->data.sequence.items.start)
		return NULL;
	return yaml_document_get_node(r->yaml, list->data.sequence.items.start[i]);
}
