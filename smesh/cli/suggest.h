/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that users type: read without regard to case; for a wrong name the nearest one is
 * suggested.
 */
#ifndef SMESH_SUGGEST_H
#define SMESH_SUGGEST_H

#include <stddef.h>

#include "ask/strategy.h"

/* The name at an index of a list; NULL past its end. */
typedef const char *(*suggest_name)(const void *list, int at);

/*
 * Write ", did you mean 'snug'?" or nothing to text: the name with the fewest changes, additions,
 * omissions and swaps of letters, if these are few enough for a slip. Returns text.
 */
const char *suggest(const char *word, suggest_name name, const void *list, char *text, size_t size);

/* The strategy with this name, or NULL after a message with a suggestion. */
const struct strategy_ops *suggest_strategy(const char *name);

/* The index of value in "fcfs|easy"; -1 after a message: --option=value is not in the list. */
int suggest_choice(const char *option, const char *value, const char *choices);

#endif
