/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that users type: read without regard to case, and a message for a wrong one.
 */
#ifndef SMESH_SUGGEST_H
#define SMESH_SUGGEST_H

#include "ask/strategy.h"

/* The strategy with this name, or NULL after a message with a suggestion. */
const struct strategy_ops *suggest_strategy(const char *name);

/* The index of value in "fcfs|easy"; -1 after a message: --option=value is not in the list. */
int suggest_choice(const char *option, const char *value, const char *choices);

#endif
