/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's internal headers, and all that differs between its versions: the only place in
 * plugin/ where SLURM_VERSION_NUMBER is looked at, besides select_api.h.
 */
#ifndef MESH_SLURM_COMPAT_H
#define MESH_SLURM_COMPAT_H

#include "config.h" /* Slurm's own, from its configured tree */
#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
/* First of all others: it renames what libslurm exports. */
#include "src/common/slurm_xlator.h"

#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/plugin.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
#include "src/common/select.h"
typedef struct xlist list_t;
#else
#include "src/interfaces/select.h"
#endif

#define MESH_WEAK __attribute__((weak))

/*
 * Data of slurmctld. Weak, as clients and slurmd load select plugins too and have no such
 * symbols there; their addresses are NULL then. Functions are bound when they are first
 * called, which is in slurmctld only.
 */
extern MESH_WEAK bitstr_t *idle_node_bitmap;
extern MESH_WEAK list_t *job_list;
extern MESH_WEAK node_record_t **node_record_table_ptr;
extern MESH_WEAK int node_record_count;

/* Node i of the node table, or NULL: tables have gaps where dynamic nodes were. */
static inline node_record_t *compat_node(int i)
{
	return node_record_table_ptr[i];
}

#endif
