/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * FNV-1a (G. Fowler, L. Noll and K.-P. Vo), 64 bits. It serves hash tables and finds changes; it
 * does not resist collisions made on purpose. Use its high bits rather than its low ones.
 */
#ifndef MESH_HASH_H
#define MESH_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing, to begin with. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* The hash with one more unit: a byte, or a small number. */
static inline uint64_t hash_add(uint64_t hash, uint64_t unit)
{
	return (hash ^ unit) * UINT64_C(0x100000001b3);
}

/* The hash with n more bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t n)
{
	const unsigned char *byte = data;

	while (n--)
		hash = hash_add(hash, *byte++);
	return hash;
}

#endif
