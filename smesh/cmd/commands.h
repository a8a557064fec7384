/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The subcommands; each cmd_NAME.c defines one.
 */
#ifndef SMESH_COMMANDS_H
#define SMESH_COMMANDS_H

#include "cli/smesh.h"
#include "cli/table.h"
#include "view/state.h"

/*
 * What the struct of a command begins with. main.c releases it: a command takes its memory from the
 * arena, and frees nothing of this.
 */
struct command_base {
	int argc; /* the command line, from the command's name on */
	char **argv;
	char *command; /* the same as a shell takes it, as it was written */
	char **operand; /* [noperands] of these, behind the options; then NULL */
	int noperands;
	const char *topology, *mesh_name, *state; /* options */
	struct table_form form;
	struct topoconf *conf;
	const struct mesh *mesh; /* of conf */
	struct picture picture;
	struct arena arena;
};

#undef AT_MAP
#define AT_MAP(member) offsetof(struct command_base, member)

/* Open the map and its mesh, or only the map. SMESH_OK, or SMESH_USAGE after a message. */
static inline int command_open_map(struct command_base *base)
{
	return (base->conf = smesh_read_topology(base->topology)) ? SMESH_OK : SMESH_USAGE;
}

static inline int command_open_mesh(struct command_base *base)
{
	base->mesh = smesh_open_mesh(&base->conf, base->topology, base->mesh_name);
	return base->mesh ? SMESH_OK : SMESH_USAGE;
}

/* Take the machine's state into the picture. SMESH_OK, or another code after a message. */
static inline int command_open_state(struct command_base *base)
{
	return state_open(&base->picture, base->topology, base->mesh_name, base->state);
}

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
