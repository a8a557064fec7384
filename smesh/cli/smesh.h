/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the subcommands of smesh share.
 */
#ifndef SMESH_H
#define SMESH_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mesh.h"
#include "base/nodeset.h"
#include "cli/fail.h"
#include "cli/options.h"
#include "conf/topoconf.h"

/* The command line as a shell would take it, malloc()ed; NULL when memory is out. */
char *smesh_command_text(int argc, char **argv);

/* Read topology.conf (NULL: the one beside slurm.conf) with messages said; NULL when it fails. */
struct topoconf *smesh_read_topology(const char *path);
/* The same, and the mesh of that name (NULL: the only one) in *conf, which is the caller's. */
const struct mesh *smesh_open_mesh(struct topoconf **conf, const char *path, const char *name);

/*
 * The nodes of a host list in its order, repeated ones too, in an array of the arena. How many,
 * or -1 with text: not a host list, or a node that the mesh does not have.
 */
int smesh_hosts_to_nodes(const struct mesh *mesh, const char *text, struct arena *arena, int **node,
	struct mesh_err *err);

/*
 * Put the nodes of a host list into set (over mesh's nodes). 0, or -1 with text: not a host
 * list, or a node that the mesh does not have.
 */
int smesh_hosts_to_set(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct mesh_err *err);

/*
 * The nodes of a host list (NULL or "": none) that the mesh has, into a new set of the arena. How
 * many it does not have, or -1 with text: not a host list.
 */
int smesh_hosts_here(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct arena *arena, struct mesh_err *err);

/* The host list of some nodes of a mesh, malloc()ed, or NULL. */
char *smesh_nodes_to_hosts(const struct mesh *mesh, const int *node, int count);

/*
 * Give each line of a file ("-": standard input) to take(), with its end and its number from 1,
 * until it returns another code than SMESH_OK. That code; SMESH_USAGE after a message: the file
 * cannot be read.
 */
int smesh_read_lines(
	const char *path, int (*take)(void *data, char *text, int line), void *data);

/* May a terminal get colours and moving text? NO_COLOR and TERM=dumb say no. */
bool smesh_is_terminal(int fd);
bool smesh_has_colour(int fd);

/* Where a file beside slurm.conf is: $SLURM_CONF, or /etc/slurm. Returns path. */
const char *smesh_beside_slurm_conf(const char *name, char *path, size_t size);

#endif
