/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The library of the papers' strategies, for the plugins of slurmctld.
 */
#ifndef MESH_STRATEGIES_H
#define MESH_STRATEGIES_H

/* It is in the directory that this plugin was loaded from. Call once, when the plugin is loaded. */
void mesh_strategies_init(void);

#endif
