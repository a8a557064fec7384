/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh strategies: the table.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "strategies/strategies.h"

static const struct option_row options[] = {
	OPTION_JSON,
	{0},
};

static int print_json(void)
{
	json_t *list = json_array();
	const struct strategy_ops *ops;

	for (int i = 0; (ops = strategy_at(i)); i++)
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", ops->name, "summary",
				ops->summary, "source", ops->source, "time", ops->time,
				"contiguous", !!(ops->flags & STRATEGY_CONTIGUOUS), "slurm",
				!!strategy_of_slurm(ops->name)));
	json_dumpf(list, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(list);
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	const struct strategy_ops *ops;
	const char *value;
	bool json = false;

	for (int key; (key = options_next(&cmd_strategies, argc, argv, &value)) != -1;) {
		if (key != 'j')
			return SMESH_USAGE;
		json = true;
	}
	if (json)
		return print_json();
	for (int i = 0; (ops = strategy_at(i)); i++)
		printf("%-14s %s\n%-14s   %s; %s%s%s\n", ops->name, ops->summary, "", ops->source,
			ops->time, ops->flags & STRATEGY_CONTIGUOUS ? "; contiguous" : "",
			strategy_of_slurm(ops->name) ? "" : "; smesh only");
	return SMESH_OK;
}

const struct command cmd_strategies = {
	.name = "strategies",
	.summary = "list the strategies",
	.usage = "[--json]",
	.options = options,
	.run = run,
};
