/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/settings.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"
#include "graph/linkgraph.h"

static int load_libraries(char *paths, struct mesh_err *err)
{
	char *save;

	if (!paths)
		return 0;
	for (char *path = strtok_r(paths, ":", &save); path; path = strtok_r(NULL, ":", &save))
		if (strategies_load(path, err))
			return -1;
	return 0;
}

/* Set *ops to the strategy of a key, if it names one. 0, or -1 with text. */
static int name_one(const char *name, const struct strategy_ops **ops, struct mesh_err *err)
{
	if (name)
		*ops = strategy_named(name, err);
	return name && !*ops ? -1 : 0;
}

static int name_fallback(struct mesh_settings *settings, struct mesh_err *err)
{
	if (name_one(settings->fallback_to, &settings->fallback, err))
		return -1;
	if (settings->fallback && settings->fallback->flags & STRATEGY_CONTIGUOUS)
		return err_printf(err, "'%.64s' may find no box either", settings->fallback_to);
	return 0;
}

static int name_partitions(struct mesh_settings *settings, struct mesh_err *err)
{
	struct mesh_err why = {{0}};

	for (int i = 0; i < settings->npartitions; i++) {
		struct mesh_partition_settings *entry = &settings->by_partition[i];

		if (name_one(entry->strategy, &entry->ops, &why))
			return err_printf(err, "SchedulerParameters: mesh_strategy_%.64s: %s",
				entry->partition, why.text);
	}
	return 0;
}

static int name_all(struct mesh_settings *settings, struct mesh_err *err)
{
	struct mesh_err why = {{0}};
	const char *key = NULL;

	if (load_libraries(settings->libraries, &why))
		key = "mesh_strategies";
	else if (name_one(settings->strategy, &settings->ops, &why))
		key = "mesh_strategy";
	else if (name_fallback(settings, &why))
		key = "mesh_fallback";
	if (key)
		return err_printf(err, "SchedulerParameters: %s: %s", key, why.text);
	return name_partitions(settings, err);
}

int mesh_settings_parse(const char *line, struct mesh_settings *settings, struct mesh_err *err)
{
	if (mesh_settings_read(line, settings, err))
		return -1;
	settings->ops = strategy_for(STRATEGY_DEFAULT);
	if (!name_all(settings, err))
		return 0;
	mesh_settings_release(settings);
	return -1;
}

static bool is_contiguous(const struct strategy_ops *ops)
{
	return ops && ops->flags & STRATEGY_CONTIGUOUS;
}

bool mesh_settings_need_extras(const struct mesh_settings *settings, const struct topoconf *topo)
{
	bool needed = is_contiguous(settings->ops);

	for (int i = 0; i < settings->npartitions; i++)
		needed |= is_contiguous(settings->by_partition[i].ops);
	for (int i = 0; i < topo->nmeshes; i++) {
		const struct mesh *mesh = topo->mesh[i];

		needed |= mesh->cabled || (mesh->graph && mesh->graph->nmeshes > 1);
	}
	return needed;
}
