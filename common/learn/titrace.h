/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Actions of a time-independent trace, as `smpirun -trace-ti` of SimGrid writes them: send 1 0 80.
 * Messages of collectives are as collective.h has them.
 */
#ifndef MESH_TITRACE_H
#define MESH_TITRACE_H

#include "learn/collective.h"

/*
 * Send all that an action does. arguments: between blanks, written to. from->send() is
 * called with ranks below from->ranks. 0, or -1: there is no such action, or they make no sense.
 */
int titrace_action(const struct collective *from, const char *word, char *arguments);

#endif
