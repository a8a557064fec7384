/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * YAML files for readers: the lines are kept, and parsed as one document at the end of the file. A
 * format's own state begins with a struct yamldoc_text.
 */
#ifndef SMESH_YAMLDOC_H
#define SMESH_YAMLDOC_H

#include <yaml.h>

#include "import/reader.h"

struct yamldoc_text {
	char **text; /* [nlines] */
	int nlines;
	size_t size;
};

/* line() for a reader. */
int yamldoc_line(struct reader *r, char *text);
/*
 * For a reader's file_end(): parse the lines, and pass the root, which may be NULL, to take(). A
 * second document in the file is an error, unless it is empty.
 */
int yamldoc_read(struct reader *r, int (*take)(struct reader *, const yaml_node_t *root));

/* A node's text, or NULL. */
const char *yamldoc_scalar(const yaml_node_t *node);
/* A node's text as a number of 0 to `most`; false: it is none. */
bool yamldoc_number(const yaml_node_t *node, uint64_t most, uint64_t *number);
/* The value of a key in a map, or NULL. O(keys). */
yaml_node_t *yamldoc_get(struct reader *r, const yaml_node_t *map, const char *key);
/* Loop over the pairs of a map. */
#define yamldoc_pairs(p, map) \
	for (const yaml_node_pair_t *p = (map)->data.mapping.pairs.start; \
		p < (map)->data.mapping.pairs.top; p++)
/* Item i of a list, or NULL behind its end. */
yaml_node_t *yamldoc_item(struct reader *r, const yaml_node_t *list, int i);
/* -1, with a text about the node's line. */
#define yamldoc_bad(r, node, ...) \
	reader_bad(r, (node) ? (int)(node)->start_mark.line + 1 : (r)->line, __VA_ARGS__)

#endif
