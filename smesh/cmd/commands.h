/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The subcommands; each cmd_NAME.c defines one.
 */
#ifndef SMESH_COMMANDS_H
#define SMESH_COMMANDS_H

#include "cli/smesh.h"

/* In the order of the help. */
#define COMMANDS(COMMAND) \
	COMMAND(alloc) COMMAND(check) COMMAND(curve) COMMAND(defrag) COMMAND(gather) COMMAND(import) \
	COMMAND(map) COMMAND(metrics) COMMAND(part) COMMAND(ranks) COMMAND(routes) COMMAND(sim) \
	COMMAND(strategies) COMMAND(top) COMMAND(traffic) COMMAND(verdict) COMMAND(why) \
	COMMAND(workload)

#define COMMAND_EXTERN(name) extern const struct command cmd_##name;
COMMANDS(COMMAND_EXTERN)
#undef COMMAND_EXTERN

#endif
