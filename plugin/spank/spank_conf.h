/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the SPANK plugin wants to know of slurm.conf. By itself, since spank.h and Slurm's
 * internal headers cannot be included together.
 */
#ifndef MESH_SPANK_CONF_H
#define MESH_SPANK_CONF_H

/* SchedulerParameters, or NULL. */
const char *spank_conf_params(void);

/* topology.conf beside slurm.conf, as a new string of malloc(); NULL when memory is out. */
char *spank_conf_topology(void);

#endif
