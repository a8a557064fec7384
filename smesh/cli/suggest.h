/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that users type: read without regard to case, and when one is wrong, the nearest that
 * there is.
 */
#ifndef SMESH_SUGGEST_H
#define SMESH_SUGGEST_H

#include <stddef.h>

#include "ask/strategy.h"

/* The name at a position of a list; NULL past its end. */
typedef const char *(*suggest_name)(const void *list, int at);

/*
 * ", did you mean 'snug'?" or nothing, in text: the name that is fewest changes, additions,
 * omissions and swaps of letters away, if few enough to be a slip. Returns text.
 */
const char *suggest(const char *word, suggest_name name, const void *list, char *text, size_t size);

/* The strategy of a name, or NULL after a message with a suggestion. */
const struct strategy_ops *suggest_strategy(const char *name);

/*
 * Where value stands in "fcfs|easy", or -1 after a message: --option=value is none of them.
 */
int suggest_choice(const char *option, const char *value, const char *choices);

#endif
