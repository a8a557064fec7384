/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's internal headers, and what differs between Slurm's versions. Interfaces of plugins are
 * in select_api.h and topology_api.h; slurm_client.h is for clients. Other files ask for a version
 * only by the MESH_SLURM_ macros made here; spank_layout.c and places_libslurm.c, which see Slurm's
 * public headers alone, ask by number.
 */
#ifndef MESH_SLURM_COMPAT_H
#define MESH_SLURM_COMPAT_H

#include "config.h" /* Slurm's own, from its configured tree */
#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
/* Before all others: this header renames what libslurm exports. */
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

/* The versions whose interfaces we know. */
#define MESH_SLURM_IS(major, minor)                                                             \
	(SLURM_VERSION_NUMBER >> 8 == SLURM_VERSION_NUM(major, minor, 0) >> 8)
#define MESH_SLURM_22_05 MESH_SLURM_IS(22, 5)
#define MESH_SLURM_23_02 MESH_SLURM_IS(23, 2)
#define MESH_SLURM_23_11 MESH_SLURM_IS(23, 11)
#define MESH_SLURM_24_05 MESH_SLURM_IS(24, 5)
/* 24.05 differs from 24.11 in two functions of topology plugins and a parameter of job_test. */
#define MESH_SLURM_24_11 (MESH_SLURM_IS(24, 11) || MESH_SLURM_24_05)
#define MESH_SLURM_25_05 MESH_SLURM_IS(25, 5)
#define MESH_SLURM_25_11 MESH_SLURM_IS(25, 11)
#define MESH_SLURM_26_11 MESH_SLURM_IS(26, 11)
/* As of 26.11.0-0rc1 the interfaces of 26.11 are those of 26.05. */
#define MESH_SLURM_26_05 (MESH_SLURM_IS(26, 5) || MESH_SLURM_26_11)
#if !(MESH_SLURM_22_05 || MESH_SLURM_23_02 || MESH_SLURM_23_11 || MESH_SLURM_24_11 || \
	MESH_SLURM_25_05 || MESH_SLURM_25_11 || MESH_SLURM_26_05)
#error "this version of Slurm is not known yet: see slurm_compat.h, select_api.h, topology_api.h"
#endif

#if MESH_SLURM_22_05
#include "src/common/gres.h"
#include "src/common/select.h"
#include "src/common/slurm_topology.h"
typedef struct xlist list_t;
typedef struct job_details job_details_t;
typedef struct will_run_data will_run_data_t;	/* only NULL there */
#else
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#include "src/interfaces/topology.h"
#if MESH_SLURM_23_02 || MESH_SLURM_23_11 || MESH_SLURM_24_05
typedef struct will_run_data will_run_data_t; /* only NULL there */
#endif
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#include "src/common/node_features.h"
#endif

#define MESH_SLURM_TO_23_02 (MESH_SLURM_22_05 || MESH_SLURM_23_02)

/* What reservations keep from a job: cores, and in later versions GRES. */
#if MESH_SLURM_TO_23_02
typedef bitstr_t mesh_reserved_t;
#else
typedef resv_exc_t mesh_reserved_t;
#endif

/* In these versions topology plugins choose no nodes. */
#define MESH_SLURM_TO_23_11 (MESH_SLURM_22_05 || MESH_SLURM_23_02 || MESH_SLURM_23_11)

/* In these versions each partition may have a topology of its own (topology.yaml). */
#define MESH_SLURM_TOPOLOGIES (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0))
#if MESH_SLURM_25_05
#define compat_topology_free topology_g_topology_free
#elif MESH_SLURM_TOPOLOGIES
#define compat_topology_free topology_g_topoinfo_free
#endif

#ifndef CR_LLN
#define CR_LLN SELECT_LLN /* from 25.11 on */
#endif

/* The error for a job whose number of nodes is no multiple of its segments. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define COMPAT_UNEVEN ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE
#else
#define COMPAT_UNEVEN ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE
#endif

/* The error for a job that waits for a box, or for segments; 26.05 has pending reasons for them. */
#if MESH_SLURM_26_05
#define COMPAT_NO_BOX ESLURM_TOPO_NO_FIT
#define COMPAT_NO_SEGMENTS ESLURM_TOPO_SEGMENT_NO_FIT
#else
#define COMPAT_NO_BOX SLURM_ERROR
#define COMPAT_NO_SEGMENTS SLURM_ERROR
#endif

#define MESH_WEAK __attribute__((weak))

/*
 * Data of slurmctld. They are weak, since clients and slurmd load select plugins too: there the
 * symbols are missing and their addresses are NULL. Functions need no such care, as the loader
 * binds them when they are first called, in slurmctld only.
 */
extern MESH_WEAK bitstr_t *idle_node_bitmap;
extern MESH_WEAK bitstr_t *share_node_bitmap;
extern MESH_WEAK list_t *job_list;
extern MESH_WEAK node_record_t **node_record_table_ptr;
extern MESH_WEAK int node_record_count;
extern MESH_WEAK time_t last_job_update;
extern MESH_WEAK list_t *part_list;
extern MESH_WEAK time_t last_part_update;
extern MESH_WEAK list_t *active_feature_list;
extern MESH_WEAK time_t last_node_update;
extern MESH_WEAK int backup_inx;
#if MESH_SLURM_TO_23_02
extern MESH_WEAK bool test_config;
#endif

/* Does slurmctld only test its configuration (-t)? 23.11 and later have no such option. */
static inline bool compat_only_tests(void)
{
#if MESH_SLURM_TO_23_02
	return test_config;
#else
	return false;
#endif
}

/* Has `scontrol reconfigure` started this slurmctld (from 23.11 on)? */
static inline bool compat_restarted(void)
{
	return getenv("SLURMCTLD_RECONF") != NULL;
}

/*
 * May slurmctld end, as it has not begun yet? Not if it stands by or takes over: jobs wait for it.
 * If `scontrol reconfigure` has started it, its parent goes on with the old map; but in the
 * foreground (-D) there is no parent any more.
 */
static inline bool compat_may_give_up(void)
{
	return compat_restarted() ? getenv("SLURMCTLD_RECONF_PARENT_FD") != NULL : backup_inx == 0;
}

/* Node i of the node table, or NULL: the table has gaps where dynamic nodes were. */
static inline node_record_t *compat_node(int i)
{
	return node_record_table_ptr[i];
}

#if MESH_SLURM_23_11 || MESH_SLURM_24_11
/* The TOPOLOGY_PLUGIN_ number of TopologyPlugin=, if that plugin has rules of its own. */
static inline int compat_topology_id(void)
{
#if MESH_SLURM_23_11
	return xstrcasecmp(slurm_conf.topology_plugin, "topology/block") ? TOPOLOGY_PLUGIN_DEFAULT
								     : TOPOLOGY_PLUGIN_BLOCK;
#else
	return topology_get_plugin_id();
#endif
}
#endif

/* The node's Topology=, or NULL. */
static inline const char *compat_topology(const node_record_t *node)
{
#if MESH_SLURM_TOPOLOGIES
	return node->topology_str;
#else
	(void)node;
	return NULL;
#endif
}

/* Remove the node's Topology=. */
static inline void compat_forget_topology(node_record_t *node)
{
#if MESH_SLURM_TOPOLOGIES
	xfree(node->topology_str);
	last_node_update = time(NULL);
#else
	(void)node;
#endif
}

/* The name of the partition's topology, or NULL. */
static inline const char *compat_partition_topology(const part_record_t *part)
{
#if MESH_SLURM_TOPOLOGIES
	return part ? part->topology_name : NULL;
#else
	(void)part;
	return NULL;
#endif
}

/*
 * Replace the nodes that the last test gave the job, and return those from before. Limits on
 * preempting jobs count them (from 24.11.4 on).
 */
static inline bitstr_t *compat_swap_preempt(job_record_t *job, bitstr_t *nodes)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 4)
	bitstr_t *was = job->node_bitmap_preempt;

	job->node_bitmap_preempt = nodes;
	return was;
#else
	(void)job;
	return nodes;
#endif
}

/* Does a reservation keep any cores or GRES from the job? */
static inline bool compat_keeps_any(const mesh_reserved_t *excluded)
{
#if MESH_SLURM_TO_23_02
	return excluded;
#else
	return excluded &&
		(excluded->core_bitmap || excluded->exc_cores || excluded->gres_list_exc);
#endif
}

/* --segment (24.05 and later), or 0. */
static inline int compat_segment(const job_details_t *details)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return details->segment_size == NO_VAL16 ? 0 : details->segment_size;
#else
	(void)details;
	return 0;
#endif
}

/*
 * The list of node counts of -N2,4,8 (23.11 and later), or NULL. Three functions: the first
 * replaces the list and returns the one from before, the second reads it, the third returns its
 * largest number that is at most `count`, or 0. Without a list that is `count`.
 */
static inline bitstr_t *compat_swap_sizes(job_details_t *details, bitstr_t *sizes)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	bitstr_t *was = details->job_size_bitmap;

	details->job_size_bitmap = sizes;
	return was;
#else
	(void)details;
	return sizes;
#endif
}

static inline bitstr_t *compat_sizes(const job_details_t *details)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	return details->job_size_bitmap;
#else
	(void)details;
	return NULL;
#endif
}

static inline int compat_size_at_most(const job_details_t *details, int count)
{
	bitstr_t *sizes = compat_sizes(details);

	if (!sizes)
		return count;
	for (count = MIN(count, (int)bit_size(sizes) - 1); count > 0 && !bit_test(sizes, count);)
		count--;
	return MAX(count, 0);
}

/*
 * When backfill wants a start (24.11 and later): not before `start` and not after `end`, at which
 * it asks again with other nodes. 0: any time.
 */
struct compat_window {
	time_t start, end;
};

static inline struct compat_window compat_window(const will_run_data_t *will_run)
{
#if MESH_SLURM_TO_23_11 || MESH_SLURM_24_05
	(void)will_run;
	return (struct compat_window){0, 0};
#else
	return will_run ? (struct compat_window){will_run->start, will_run->end}
			: (struct compat_window){0, 0};
#endif
}

/*
 * --exclusive=topo, or the partition's Exclusive=TOPO: no other job in the same unit of topology.
 */
static inline bool compat_whole_topology(const job_record_t *job)
{
#if MESH_SLURM_TO_23_11 || MESH_SLURM_24_05
	(void)job;
	return false;
#else
	return IS_JOB_WHOLE_TOPO(job);
#endif
}

/* --spread-segments */
static inline bool compat_spread_segments(const job_record_t *job)
{
#ifdef SPREAD_SEGMENTS
	return job->bit_flags & SPREAD_SEGMENTS;
#else
	(void)job;
	return false;
#endif
}

/* --exclusive, not =user or =mcs */
static inline bool compat_whole_node(const job_details_t *details)
{
#if MESH_SLURM_TO_23_11
	return details->whole_node == WHOLE_NODE_REQUIRED;
#else
	return details->whole_node & WHOLE_NODE_REQUIRED;
#endif
}

#endif
