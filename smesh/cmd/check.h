/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One call of smesh check. cmd_check.c reads the files and reports; each part below looks at some
 * of what they say, prints to text, adds to out, and warns.
 */
#ifndef SMESH_CHECK_H
#define SMESH_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/slurmconf.h"
#include "conf/settings.h"

struct check {
	struct command_base base; /* conf NULL: messages have said what is wrong with it */
	bool json;
	const char *slurm_conf; /* NULL: there is none */
	struct slurmconf slurm; /* its arena has the memory of all parts */
	struct mesh_settings settings; /* of slurm.conf */
	bool has_settings; /* slurm.conf has been read */
	bool no_dir; /* a directory of PluginDir is missing */
	unsigned version; /* of Slurm's own plugins here, as Slurm numbers versions; 0: unknown */
	bool has_spank; /* plugstack.conf loads spank_mesh.so */
	const char *included; /* the last file that topology.conf includes */
	bool bad; /* a file is wrong, and messages have said so */
	int verdict; /* SMESH_OK, or the largest code of the warnings */
	json_t *out, *warnings; /* warnings is part of out */
	FILE *text; /* collected, so that a failure prints nothing */
	char beside[4096], path[4096];
};

/*
 * Add a warning, with the line of slurm.conf for a key (NULL, or not there: none). The command
 * exits with the largest code of all warnings.
 */
__attribute__((format(printf, 4, 5)))
void check_warn_of(struct check *s, const char *key, int code, const char *format, ...);
#define check_warn(s, code, ...) check_warn_of(s, NULL, code, __VA_ARGS__)

/* Write a host list of names to text[size], and "..." behind its first 200 characters. */
void check_hosts_list(char **name, int count, char *text, size_t size);

/* check_mesh.c: print a mesh and add it to list; warn of its order, links, pods and boxes. */
void check_mesh(struct check *s, const struct mesh *mesh, json_t *list);

/* check_nodes.c. The first one needs conf, the last one slurm without errors. */
void check_nodes(struct check *s); /* names on one side alone */
void check_twice(struct check *s); /* keys, nodes and partitions that are there twice */
void check_partitions(struct check *s);
void check_overlap(struct check *s); /* partitions that share nodes unevenly */

/* check_start.c: will slurmctld start, and does it use the mesh lines? */
void check_start(struct check *s);

/* check_hosts.c: other controllers, and nodes. The first one needs conf. */
void check_controllers(struct check *s);
void check_configless(struct check *s);
void check_plugstack(struct check *s);

#endif
