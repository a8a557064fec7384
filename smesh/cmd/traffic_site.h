/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the jobs of a machine send, from Slurm's accounting: select/mesh writes a job's pattern into
 * its SystemComment, and nobody has to read users' records.
 */
#ifndef MESH_TRAFFIC_SITE_H
#define MESH_TRAFFIC_SITE_H

#include <stdbool.h>

/*
 * Print the node-hours by pattern of the jobs in a file (NULL: standard input), which
 * `sacct -aXPn -o JobIDRaw,NNodes,ElapsedRaw,SystemComment` has written; with comm_file, a line ID
 * PATTERN for each job whose pattern is known, for smesh sim --comm-file. An exit code of smesh.
 */
int traffic_site(const char *path, const char *comm_file, bool json);

#endif
