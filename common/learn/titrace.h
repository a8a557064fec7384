/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Actions of a time-independent trace, as `smpirun -trace-ti` of SimGrid writes them: send 1 0 80.
 * collective.h gives the messages of collectives.
 */
#ifndef MESH_TITRACE_H
#define MESH_TITRACE_H

#include "learn/collective.h"

/*
 * Call from->send() for all messages of an action, with ranks below from->ranks. arguments:
 * separated by blanks; changed. 0; -1: there is no such action, or the arguments make no sense.
 */
int titrace_action(const struct collective *from, const char *word, char *arguments);

#endif
