/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Broken links for people: who is at their ends, and who is cut off.
 */
#ifndef SMESH_LINKSTEXT_H
#define SMESH_LINKSTEXT_H

#include <stdio.h>

#include "config/topoconf.h"

/* Write the first `most` of the mesh's broken links as A:B (nodes, or coordinates where there is
 * none), with a blank before each. How many there are in all. */
int linkstext_list(const struct mesh *mesh, FILE *to, int most);

/* The nodes that no way leads to from the largest piece of the mesh's graph (which may have other
 * meshes) into name[], room for all of the mesh, borrowed; how many, or -1: memory is out. */
int linkstext_cut_off(const struct mesh *mesh, char **name);

#endif
