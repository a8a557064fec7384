/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An order of nodes by name, and the file in StateSaveLocation that keeps the one in use.
 */
#ifndef MESH_TOPOLOGY_ORDER_H
#define MESH_TOPOLOGY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct place {
	char *name;
	uint32_t rank;
};

struct order {
	struct place *place; /* [count], by name once it is sorted */
	int count;
};

/* Room for so many nodes. order_free() it. */
struct order *order_new(int room);
void order_free(struct order *order);

/* One more node, behind those that are there; the name is copied. */
void order_append(struct order *order, const char *name);
/* When all are there: order_find() may be asked from now on. */
void order_sort(struct order *order);
/* The node's place, or NULL. */
const struct place *order_find(const struct order *order, const char *name);

/* Are the nodes that are in both in the same order? */
bool order_fits(const struct order *before, const struct order *after);

/* The order that was saved (order_free() it), or NULL if there is none that can be read. */
struct order *order_restore(void);
/* Save it, or log why that fails. */
void order_save(const struct order *order);

#endif
