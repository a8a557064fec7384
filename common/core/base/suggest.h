/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that people type: for a wrong name the nearest one is suggested.
 */
#ifndef MESH_SUGGEST_H
#define MESH_SUGGEST_H

#include <stddef.h>

/* The name at an index of a list; NULL past its end. */
typedef const char *(*suggest_name)(const void *list, int at);

/*
 * Write ", did you mean 'snug'?" or nothing to text: the name with the fewest changes, additions,
 * omissions and swaps of letters, if these are few enough for a slip. Returns text.
 */
const char *suggest(const char *word, suggest_name name, const void *list, char *text, size_t size);

#endif
