/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every plugin with a table of functions has: the symbols that Slurm's loader looks for, and
 * macros for the rows of the table (SELECT_API, TOPOLOGY_API). Each plugin includes this header
 * once, after its table. MESH_P(name) and MESH_P_TEXT of the table say how Slurm calls a function.
 *
 * All else in a plugin is hidden: Slurm would replace a function of ours that has the name of one
 * of its own.
 */
#ifndef MESH_SLURM_PLUGIN_H
#define MESH_SLURM_PLUGIN_H

#include "compat/slurm_compat.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern const char plugin_name[];
EXPORT extern const char plugin_type[];
EXPORT extern const uint32_t plugin_id;
EXPORT extern const uint32_t plugin_version;
EXPORT int init(void);
EXPORT void fini(void);

const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* A struct of the stock plugin's functions, and the names by which they are looked up. */
#define OPS_MEMBER(type, name, parameters, ...) type(*name) parameters;
#define OPS_NAME(type, name, ...) MESH_P_TEXT #name,

/* Our own functions. They do not fit Slurm's struct if Slurm changes a prototype. */
#define OPS_PROTOTYPE(type, name, parameters, ...) EXPORT type MESH_P(name) parameters;
#define OPS_OURS(type, name, ...) MESH_P(name),
#define OPS_DECLARED(symbol) &symbol,

#endif
