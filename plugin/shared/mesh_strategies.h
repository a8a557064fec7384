/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the library of the papers' strategies, for slurmctld's plugins.
 */
#ifndef MESH_STRATEGIES_H
#define MESH_STRATEGIES_H

/* Look for the library in this plugin's directory. Call once, when the plugin is loaded. */
void mesh_strategies_init(void);

#endif
