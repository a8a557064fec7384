/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: links that are drawn and broken, --down-links.
 */
#ifndef SMESH_SIM_LINKS_H
#define SMESH_SIM_LINKS_H

#include "config/topoconf.h"

/*
 * Break so many links of the mesh, which is one of the configuration's, beside those that are
 * broken or extra there: N, or P% of all, drawn by the seed. SMESH_OK, or another code after a
 * message.
 */
int sim_links_break(
	const struct topoconf *conf, const struct mesh *mesh, const char *text, uint64_t seed);

#endif
