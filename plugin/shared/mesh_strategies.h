/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the library of the papers' strategies, for the plugins.
 */
#ifndef MESH_STRATEGIES_H
#define MESH_STRATEGIES_H

/*
 * Look for the library in this plugin's directory, and keep the file open (conf/library.h).
 * slurmctld's plugins call it when they are loaded; else extras() does, when it is needed.
 */
void mesh_strategies_init(void);

#endif
