/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The topology plugin interface of each version of Slurm as one table, as in select_api.h:
 *
 *   F(type, name, parameters, arguments)	forwarded as it is
 *   H(type, name, parameters)			written by hand
 *
 * The table begins with 24.05: before that topology plugins choose no nodes.
 */
#ifndef MESH_TOPOLOGY_API_H
#define MESH_TOPOLOGY_API_H

#include "compat/slurm_compat.h"

#define MESH_P(name) topology_p_##name
#define MESH_P_TEXT "topology_p_"

/* From 25.05 on functions get a context, which describes the topology in place of globals. */
#if MESH_SLURM_24_11
#define TOPOLOGY_ONLY_CTX (void)
#define TOPOLOGY_ONLY_CTX_ARGUMENT ()
#define TOPOLOGY_CTX
#define TOPOLOGY_CTX_ARGUMENT
#define TOPOLOGY_CTX_UNUSED (void)0
#define TOPOLOGY_UNIT
#else
#define TOPOLOGY_ONLY_CTX (topology_ctx_t * tctx)
#define TOPOLOGY_ONLY_CTX_ARGUMENT (tctx)
#define TOPOLOGY_CTX , void *tctx
#define TOPOLOGY_CTX_ARGUMENT , tctx
#define TOPOLOGY_CTX_UNUSED (void)tctx
#define TOPOLOGY_UNIT char *unit,
#endif

/* The data that Slurm looks up before the functions. */
#if MESH_SLURM_24_11
#define TOPOLOGY_DATA(D) D(uint32_t, plugin_id)
#else
#define TOPOLOGY_DATA(D)                                                                        \
	D(uint32_t, plugin_id) D(char, plugin_type) D(bool, supports_exclusive_topo)
#endif

#if MESH_SLURM_24_11
#define TOPOLOGY_API_NODES(F, H)
#define TOPOLOGY_API_DESTROY(F, H)
#else
#define TOPOLOGY_API_NODES(F, H)                                                                \
	H(int, add_rm_node, (node_record_t * node_ptr, char *addr, topology_ctx_t *tctx))
#define TOPOLOGY_API_DESTROY(F, H) F(int, destroy_config, (topology_ctx_t * tctx), (tctx))
#endif

#if MESH_SLURM_24_05
#define TOPOLOGY_API_GET(F, H) F(int, get, (topology_data_t type, void *data), (type, data))
#else
#define TOPOLOGY_API_GET(F, H) H(int, get, (topology_data_t type, void *data TOPOLOGY_CTX))
#endif

#if MESH_SLURM_24_11 || MESH_SLURM_25_05
#define TOPOLOGY_API_JOBINFO(F, H)
#define TOPOLOGY_API_STRING(F, H)
#define MESH_SLURM_HAS_TOPOLOGY_STR 0
#define TOPOLOGY_API_INFO(F, H)                                                                 \
	F(int, topology_free, (void *info), (info))                                             \
	TOPOLOGY_API_GET(F, H)                                                                  \
	F(int, topology_pack, (void *info, buf_t *buffer, uint16_t version),                    \
		(info, buffer, version))                                                        \
	H(int, topology_print, (void *info, char *nodes, TOPOLOGY_UNIT char **out))             \
	F(int, topology_unpack, (void **info, buf_t *buffer, uint16_t version),                 \
		(info, buffer, version))
#define TOPOLOGY_PRINT MESH_P(topology_print)
#else
#define TOPOLOGY_API_INFO(F, H)                                                                 \
	TOPOLOGY_API_GET(F, H)                                                                  \
	F(int, topoinfo_free, (void *info), (info))                                             \
	F(int, topoinfo_pack, (void *info, buf_t *buffer, uint16_t version),                    \
		(info, buffer, version))                                                        \
	H(int, topoinfo_print, (void *info, char *nodes, TOPOLOGY_UNIT char **out))             \
	F(int, topoinfo_unpack, (void **info, buf_t *buffer, uint16_t version),                 \
		(info, buffer, version))
#define TOPOLOGY_API_JOBINFO(F, H)                                                              \
	F(void, jobinfo_free, (void *info), (info))                                             \
	F(void, jobinfo_pack, (void *info, buf_t *buffer, uint16_t version),                    \
		(info, buffer, version))                                                        \
	F(int, jobinfo_unpack, (void **info, buf_t *buffer, uint16_t version),                  \
		(info, buffer, version))                                                        \
	F(int, jobinfo_get, (topology_jobinfo_type_t type, void *info, void *data),             \
		(type, info, data))
#define MESH_SLURM_HAS_TOPOLOGY_STR 1
#define TOPOLOGY_API_STRING(F, H)                                                               \
	H(void, get_topology_str, (node_record_t * node_ptr, char **text, topology_ctx_t *tctx))
#define TOPOLOGY_PRINT MESH_P(topoinfo_print)
#endif

#if MESH_SLURM_24_05
#define TOPOLOGY_API_BITMAP(F, H)
#define TOPOLOGY_API_FRAGMENTATION(F, H)
#else
#define TOPOLOGY_API_BITMAP(F, H) H(bitstr_t *, get_bitmap, (char *name TOPOLOGY_CTX))
#define TOPOLOGY_API_FRAGMENTATION(F, H)                                                        \
	H(uint32_t, get_fragmentation, (bitstr_t * nodes TOPOLOGY_CTX))
#endif

/* 26.05 asks about jobs of one node too, if allow_one_node() returns false. */
#if MESH_SLURM_26_05
#define TOPOLOGY_API_ONE_NODE(F, H) H(bool, allow_one_node, (void *tctx))
#define TOPOLOGY_API_EVAL_NODE(F, H)                                                            \
	F(int, eval_node, (topology_eval_t * eval, int node), (eval, node))
#define TOPOLOGY_API_RANK(F, H)                                                                 \
	H(int, get_rank, (bitstr_t * nodes, uint32_t * *rank, uint32_t * size, void *tctx))
#else
#define TOPOLOGY_API_ONE_NODE(F, H)
#define TOPOLOGY_API_EVAL_NODE(F, H)
#define TOPOLOGY_API_RANK(F, H)
#endif

#define TOPOLOGY_API_SPLIT(F, H)                                                                \
	F(int, split_hostlist,                                                                  \
		(hostlist_t * list, hostlist_t * **split, int *count, uint16_t width TOPOLOGY_CTX), \
		(list, split, count, width TOPOLOGY_CTX_ARGUMENT))                              \
	TOPOLOGY_API_INFO(F, H)

#define TOPOLOGY_API(F, H)                                                                      \
	TOPOLOGY_API_NODES(F, H)                                                                \
	TOPOLOGY_API_ONE_NODE(F, H)                                                             \
	H(int, build_config, TOPOLOGY_ONLY_CTX)                                                 \
	TOPOLOGY_API_DESTROY(F, H)                                                              \
	TOPOLOGY_API_EVAL_NODE(F, H)                                                            \
	H(int, eval_nodes, (topology_eval_t * eval))                                            \
	H(int, whole_topo, (bitstr_t * nodes TOPOLOGY_CTX))                                     \
	TOPOLOGY_API_BITMAP(F, H)                                                               \
	F(bool, generate_node_ranking, TOPOLOGY_ONLY_CTX, TOPOLOGY_ONLY_CTX_ARGUMENT)           \
	H(int, get_node_addr, (char *name, char **addr, char **pattern TOPOLOGY_CTX))           \
	TOPOLOGY_API_SPLIT(F, H)                                                                \
	TOPOLOGY_API_JOBINFO(F, H)                                                              \
	TOPOLOGY_API_FRAGMENTATION(F, H)                                                        \
	TOPOLOGY_API_STRING(F, H)                                                               \
	TOPOLOGY_API_RANK(F, H)

#endif
