/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh strategies: the table.
 */
#include <stdio.h>

#include "cli/table.h"
#include "cmd/commands.h"
#include "conf/strategies.h"

static const struct option_row options[] = {
	TABLE_OPTIONS,
	{0},
};

static const struct table table = {.columns = "name|summary|source|time|contiguous|slurm",
	.usual = "name,contiguous,slurm,time,summary"};

static json_t *rows(void)
{
	json_t *list = json_array();
	const struct strategy_ops *ops;

	for (int i = 0; (ops = strategy_at(i)); i++)
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", ops->name, "summary",
				ops->summary, "source", ops->source, "time", ops->time,
				"contiguous", !!(ops->flags & STRATEGY_CONTIGUOUS), "slurm",
				!(ops->flags & STRATEGY_STUDY)));
	return list;
}

static int run(void *session)
{
	const struct command_base *base = session;
	const struct strategy_ops *ops;

	if (table_wanted(&base->form))
		return table_print(&table, &base->form, rows());
	for (int i = 0; (ops = strategy_at(i)); i++)
		printf("%-14s %s\n%-14s   %s; %s%s%s\n", ops->name, ops->summary, "", ops->source,
			ops->time, ops->flags & STRATEGY_CONTIGUOUS ? "; contiguous" : "",
			ops->flags & STRATEGY_STUDY ? "; smesh only" : "");
	return SMESH_OK;
}

const struct command cmd_strategies = {
	.name = "strategies",
	.summary = "list the strategies: what each does, and its paper",
	.usage = "[--json | --format NAME,...]",
	.example = "--json",
	.options = options,
	.table = &table,
	.size = sizeof(struct command_base),
	.run = run,
};
