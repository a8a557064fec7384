/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_map.h"

#include "conf/topoconf.h"
#include "shared/places_libslurm.h"

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
