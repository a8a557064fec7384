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

/* The command line as a shell takes it: free() it. */
char *smesh_command_text(int argc, char **argv);

/* The files of --strategies, before the command; NULL behind the last. */
enum { SMESH_STRATEGY_FILES = 16 };
extern const char *smesh_strategy_files[SMESH_STRATEGY_FILES + 1];

/* Read topology.conf (NULL: the one beside slurm.conf). NULL after a message. */
struct topoconf *smesh_read_topology(const char *path);
/* The same, and find the mesh called name (NULL: the only one) in *conf, which the caller frees. */
const struct mesh *smesh_open_mesh(struct topoconf **conf, const char *path, const char *name);

/*
 * Expand a host list, which a user wrote, into a new array of the arena; "" has no host. How many,
 * or -1 with text.
 */
int smesh_expand(const char *text, struct arena *arena, char ***name, struct mesh_err *err);

/*
 * Write the nodes of a host list, in its order and with repetitions, to a new array of the arena.
 * How many, or -1 with text: not a host list, or a node that the mesh does not have.
 */
int smesh_hosts_to_nodes(const struct mesh *mesh, const char *text, struct arena *arena, int **node,
	struct mesh_err *err);

/*
 * Add the nodes of a host list to a set (over mesh's nodes). 0, or -1 with text: not a host list,
 * or a node that the mesh does not have.
 */
int smesh_hosts_to_set(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct mesh_err *err);

/*
 * Make a new set, in the arena, of the nodes of a host list (NULL or "": none) that the mesh has.
 * Returns how many it does not have, or -1 with text: not a host list.
 */
int smesh_hosts_here(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct arena *arena, struct mesh_err *err);

/* The host list of some nodes of a mesh: free() it. */
char *smesh_nodes_to_hosts(const struct mesh *mesh, const int *node, int count);

/*
 * Pass each line of a file ("-": standard input) to take(), with its end and its number from 1,
 * until take() returns another code than SMESH_OK. Returns that code; SMESH_USAGE after a message:
 * the file cannot be read.
 */
int smesh_read_lines(const char *path, int (*take)(void *data, char *text, int line), void *data);

/* Is a word of `length` letters in a list A,B,...? NULL has none. */
bool smesh_is_listed(const char *list, const char *word, size_t length);

/* May output have colours and moving text? NO_COLOR and TERM=dumb forbid it. */
bool smesh_is_terminal(int fd);
bool smesh_has_colour(int fd);

/* The path of a file beside slurm.conf, as $SLURM_CONF says, else in /etc/slurm. Returns path. */
const char *smesh_beside_slurm_conf(const char *name, char *path, size_t size);

#endif
