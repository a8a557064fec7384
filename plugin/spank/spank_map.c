/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_map.h"

#include <string.h>

#include "conf/settings.h"
#include "conf/spankword.h"
#include "conf/topoconf.h"
#include "shared/places_libslurm.h"
#include "spank/spank_opt.h"

char *spank_map_path(int argc, char *argv[])
{
	struct mesh_settings settings;
	struct mesh_err err;
	const char *value;
	char *path = NULL;

	for (int i = 0; i < argc; i++)
		if (spankword_of(argv[i], &value) == SPANKWORD_CONF)
			return strdup(value);
	if (!mesh_settings_read(spank_opt_params(), &settings, &err)) {
		path = settings.conf ? strdup(settings.conf) : NULL;
		mesh_settings_release(&settings);
	}
	return path ? path : spank_opt_topology();
}

int spank_map_hosts(struct spank_map *map, struct mesh_err *err)
{
	int n = map->nhosts;

	if (!map->host)
		n = hostlist_libslurm.expand(map->list, &map->arena, &map->host, err);
	map->nhosts = n < 0 ? 0 : n;
	return n < 0 ? -1 : 0;
}

int spank_map_read(struct spank_map *map, struct mesh_err *err)
{
	int rc;

	if (spank_map_hosts(map, err))
		return -1;
	map->conf = topoconf_read(map->topology, &hostlist_libslurm, err);
	if (!map->conf)
		return 1;
	rc = places_libslurm_complete(map->conf, map->told, map->host, map->nhosts, &map->remark);
	return rc < 0 ? err_printf(err, "%s", map->remark.text) : 0;
}

void spank_map_release(struct spank_map *map)
{
	topoconf_free(map->conf);
	arena_release(&map->arena);
	*map = (struct spank_map){0};
}
