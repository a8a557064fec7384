/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The words behind spank_mesh.so in plugstack.conf. The plugin passes over words that it does not
 * know, and smesh check tells of them.
 */
#ifndef MESH_SPANKWORD_H
#define MESH_SPANKWORD_H

#include <stdbool.h>
#include <string.h>

/* SPANKWORD_MPICH: the old name of measure= */
enum spankword { SPANKWORD_CONF, SPANKWORD_PREFIX, SPANKWORD_ORDER, SPANKWORD_LEARN,
	SPANKWORD_LEARN_EVERY, SPANKWORD_LEARN_DIR, SPANKWORD_MEASURE, SPANKWORD_MPICH,
	SPANKWORD_NONE };

/* Which word KEY=VALUE is, with *value set to VALUE. */
static inline enum spankword spankword_of(const char *word, const char **value)
{
	static const char *const key[] = {"conf=", "prefix=", "order=", "learn=", "learn_every=",
		"learn_dir=", "measure=", "mpich="};
	enum spankword i = 0;

	while (i < SPANKWORD_NONE && strncmp(word, key[i], strlen(key[i])) != 0)
		i++;
	*value = i < SPANKWORD_NONE ? word + strlen(key[i]) : NULL;
	return i;
}

/* May prefix= have this value? It begins the names of variables. */
static inline bool spankword_is_prefix(const char *value)
{
	size_t length = strspn(value,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return length > 0 && length < 64 && !value[length];
}

#endif
