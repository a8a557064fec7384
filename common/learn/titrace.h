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
 * separated by blanks; changed. NULL; or what is wrong, to say behind the word: "is not an action".
 */
const char *titrace_action(const struct collective *from, const char *word, char *arguments);

#endif
