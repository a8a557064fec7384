/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The map of topology.conf, with the hosts of a job or step at their places.
 */
#ifndef MESH_SPANK_MAP_H
#define MESH_SPANK_MAP_H

#include "base/arena.h"
#include "base/err.h"

struct topoconf;

struct spank_map {
	const char *topology; /* the path of topology.conf; NULL: there is none */
	const char *list;     /* of hosts */
	const char *told;     /* PLACES_VARIABLE of the job, or NULL */
	/* spank_map_read(), for the library that spank_mesh.so loads. */
	int (*read)(struct spank_map *map, struct mesh_err *err);
	struct topoconf *conf; /* NULL: not read yet */
	char **host;	       /* [nhosts] */
	int nhosts;
	struct mesh_err remark; /* the map is another than slurmctld's; "": it is not */
	struct arena arena;	/* of the hosts */
};

/* The path of topology.conf, by the words of plugstack.conf or by slurm.conf; free() it. */
char *spank_map_path(int argc, char *argv[]);

/* Expand the list of hosts, once. 0, or -1 with text. */
int spank_map_hosts(struct spank_map *map, struct mesh_err *err);

/*
 * Read topology.conf, and find the places of the hosts, dynamic nodes too. 0; 1 with text: no map
 * can be read here; -1 with text. spank_map_release() it in all cases.
 */
int spank_map_read(struct spank_map *map, struct mesh_err *err);

/* Free what was read. A struct that was zeroed, or has not been read, is fine. */
void spank_map_release(struct spank_map *map);

#endif
