/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The subcommands: one definition in each cmd_NAME.c, the table of them in main.c.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cli/smesh.h"

extern const struct command cmd_alloc;
extern const struct command cmd_check;
extern const struct command cmd_curve;
extern const struct command cmd_defrag;
extern const struct command cmd_import;
extern const struct command cmd_map;
extern const struct command cmd_metrics;
extern const struct command cmd_part;
extern const struct command cmd_ranks;
extern const struct command cmd_sim;
extern const struct command cmd_strategies;
extern const struct command cmd_top;
extern const struct command cmd_traffic;
extern const struct command cmd_verdict;
extern const struct command cmd_why;
extern const struct command cmd_workload;

#endif
