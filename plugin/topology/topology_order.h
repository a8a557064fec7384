/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An order of nodes by name, and the file in StateSaveLocation that keeps the one in use.
 */
#ifndef MESH_TOPOLOGY_ORDER_H
#define MESH_TOPOLOGY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct topology_place {
	char *name;
	uint32_t rank;
};

struct topology_order {
	struct topology_place *place; /* [count], by name once it is sorted */
	int count;
};

/* Room for so many nodes. topology_order_free() it. */
struct topology_order *topology_order_new(int room);
void topology_order_free(struct topology_order *order);

/* One more node, behind those that are there; the name is copied. */
void topology_order_append(struct topology_order *order, const char *name);
/* When all are there: topology_order_find() may be asked from now on. */
void topology_order_sort(struct topology_order *order);
/* The node's place, or NULL. */
const struct topology_place *topology_order_find(
	const struct topology_order *order, const char *name);

/* Are the nodes that are in both in the same order? */
bool topology_order_fits(const struct topology_order *before, const struct topology_order *after);

/* The order that was saved (topology_order_free() it), or NULL if there is none that can be
 * read. */
struct topology_order *topology_order_restore(void);
/* Save it, or log why that fails. */
void topology_order_save(const struct topology_order *order);

#endif
