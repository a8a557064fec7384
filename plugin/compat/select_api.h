/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The select plugin interface as one table per version of Slurm. The table makes the struct of the
 * stock plugin's functions, the names by which they are looked up, our forwarding functions, and a
 * check of our prototypes against Slurm's own struct (slurm_ops.h).
 *
 *   F(type, name, parameters, arguments)	forwarded as it is
 *   C(type, name, parameters, arguments)	forwarded; it changes which nodes jobs have
 *   H(type, name, parameters)			written by hand in select_mesh.c
 *
 * The order is that of Slurm's struct. Functions that only some versions have are in groups, which
 * are empty in the other versions.
 */
#ifndef MESH_SELECT_API_H
#define MESH_SELECT_API_H

#include "compat/slurm_compat.h"
#include "src/slurmctld/licenses.h"

#define MESH_P(name) select_p_##name
#define MESH_P_TEXT "select_p_"

/* The last parameters of job_test. */
#if MESH_SLURM_TO_23_11 || MESH_SLURM_24_05
#define SELECT_JOB_TEST_REST mesh_reserved_t *excluded
#define SELECT_JOB_TEST_WILL_RUN NULL
#define SELECT_JOB_TEST_ARGUMENTS(test) (test)->excluded
#else
#define SELECT_JOB_TEST_REST mesh_reserved_t *excluded, will_run_data_t *will_run
#define SELECT_JOB_TEST_WILL_RUN will_run
#define SELECT_JOB_TEST_ARGUMENTS(test) (test)->excluded, (test)->will_run
#endif

/* From 25.05 on select plugins only have what differs between them. */
#if MESH_SLURM_TO_23_11 || MESH_SLURM_24_11
#define SELECT_API_STATE(F, C, H)                                                               \
	F(int, state_save, (char *dir_name), (dir_name))                                        \
	F(int, state_restore, (char *dir_name), (dir_name))                                     \
	C(int, job_init, (list_t *jobs), (jobs))
#define SELECT_API_STEP(F, C, H)                                                                \
	F(bitstr_t *, step_pick_nodes,                                                          \
		(job_record_t *job_ptr, select_jobinfo_t *info, uint32_t count,                 \
			bitstr_t **avail),                                                      \
		(job_ptr, info, count, avail))                                                  \
	F(int, step_start, (step_record_t *step_ptr), (step_ptr))                               \
	F(int, step_finish, (step_record_t *step_ptr, bool killing), (step_ptr, killing))       \
	F(int, select_nodeinfo_pack,                                                            \
		(select_nodeinfo_t *info, buf_t *buffer, uint16_t version),                     \
		(info, buffer, version))                                                        \
	F(int, select_nodeinfo_unpack,                                                          \
		(select_nodeinfo_t **info, buf_t *buffer, uint16_t version),                    \
		(info, buffer, version))                                                        \
	F(select_nodeinfo_t *, select_nodeinfo_alloc, (void), ())                               \
	F(int, select_nodeinfo_free, (select_nodeinfo_t *info), (info))
#define SELECT_API_INFO(F, C, H)                                                                \
	F(int, select_nodeinfo_get,                                                             \
		(select_nodeinfo_t *info, enum select_nodedata_type type,                       \
			enum node_states state, void *data),                                    \
		(info, type, state, data))                                                      \
	F(select_jobinfo_t *, select_jobinfo_alloc, (void), ())                                 \
	F(int, select_jobinfo_free, (select_jobinfo_t *info), (info))                           \
	F(int, select_jobinfo_set,                                                              \
		(select_jobinfo_t *info, enum select_jobdata_type type, void *data),            \
		(info, type, data))                                                             \
	F(int, select_jobinfo_get,                                                              \
		(select_jobinfo_t *info, enum select_jobdata_type type, void *data),            \
		(info, type, data))                                                             \
	F(select_jobinfo_t *, select_jobinfo_copy, (select_jobinfo_t *info), (info))            \
	F(int, select_jobinfo_pack,                                                             \
		(select_jobinfo_t *info, buf_t *buffer, uint16_t version),                      \
		(info, buffer, version))                                                        \
	F(int, select_jobinfo_unpack,                                                           \
		(select_jobinfo_t **info, buf_t *buffer, uint16_t version),                     \
		(info, buffer, version))
#else
#define SELECT_API_STATE(F, C, H)
#define SELECT_API_STEP(F, C, H)
#define SELECT_API_INFO(F, C, H)
#endif

#if MESH_SLURM_TO_23_02
#define SELECT_API_PLUGIN_INFO(F, C, H)                                                         \
	H(int, get_info_from_plugin,                                                            \
		(enum select_plugindata_info type, job_record_t *job_ptr, void *data))
#define SELECT_HAS_SINGLE_JOB_TEST 1 /* a question of get_info_from_plugin */
#elif MESH_SLURM_TO_23_11 || MESH_SLURM_24_11
#define SELECT_API_PLUGIN_INFO(F, C, H)                                                         \
	F(int, get_info_from_plugin,                                                            \
		(enum select_plugindata_info type, job_record_t *job_ptr, void *data),          \
		(type, job_ptr, data))
#else
#define SELECT_API_PLUGIN_INFO(F, C, H)
#endif

#if MESH_SLURM_22_05
#define SELECT_API_SIGNAL(F, C, H)                                                              \
	F(int, job_signal, (job_record_t *job_ptr, int signal), (job_ptr, signal))
#define SELECT_API_TEXT(F, C, H)                                                                \
	F(char *, select_jobinfo_sprint,                                                        \
		(select_jobinfo_t *info, char *text, size_t size, int mode),                    \
		(info, text, size, mode))                                                       \
	F(char *, select_jobinfo_xstrdup, (select_jobinfo_t *info, int mode), (info, mode))
#define SELECT_API_NODE_CONFIG(F, C, H) F(int, update_node_config, (int index), (index))
#else
#define SELECT_API_SIGNAL(F, C, H)
#define SELECT_API_TEXT(F, C, H)
#define SELECT_API_NODE_CONFIG(F, C, H)
#endif

#if MESH_SLURM_TO_23_02
#define SELECT_API_RESV(F, C, H)                                                                \
	H(bitstr_t *, resv_test,                                                                \
		(resv_desc_msg_t *resv, uint32_t count, bitstr_t *avail, bitstr_t **cores))
#define SELECT_HAS_RESV_TEST 1
#else
#define SELECT_API_RESV(F, C, H)
#endif

#if MESH_SLURM_26_05
#define SELECT_API_MEM(F, C, H) F(void, job_mem_reduce, (job_record_t *job_ptr), (job_ptr))
#else
#define SELECT_API_MEM(F, C, H)
#endif

#define SELECT_API(F, C, H)                                                                     \
	SELECT_API_STATE(F, C, H)                                                               \
	H(int, node_init, (void))                                                               \
	H(int, job_test,                                                                        \
		(job_record_t *job_ptr, bitstr_t *bitmap, uint32_t min_nodes, uint32_t max_nodes, \
			uint32_t req_nodes, uint16_t mode, list_t *preemptees,                  \
			list_t **preempted, SELECT_JOB_TEST_REST))                              \
	H(int, job_begin, (job_record_t *job_ptr))                                              \
	F(int, job_ready, (job_record_t *job_ptr), (job_ptr))                                   \
	C(int, job_expand, (job_record_t *from, job_record_t *to), (from, to))                  \
	C(int, job_resized, (job_record_t *job_ptr, node_record_t *node_ptr),                   \
		(job_ptr, node_ptr))                                                            \
	SELECT_API_SIGNAL(F, C, H)                                                              \
	SELECT_API_MEM(F, C, H)                                                                 \
	C(int, job_fini, (job_record_t *job_ptr), (job_ptr))                                    \
	C(int, job_suspend, (job_record_t *job_ptr, bool indefinite), (job_ptr, indefinite))    \
	C(int, job_resume, (job_record_t *job_ptr, bool indefinite), (job_ptr, indefinite))     \
	SELECT_API_STEP(F, C, H)                                                                \
	H(int, select_nodeinfo_set_all, (void), ())                                             \
	F(int, select_nodeinfo_set, (job_record_t *job_ptr), (job_ptr))                         \
	SELECT_API_INFO(F, C, H)                                                                \
	SELECT_API_TEXT(F, C, H)                                                                \
	SELECT_API_PLUGIN_INFO(F, C, H)                                                         \
	SELECT_API_NODE_CONFIG(F, C, H)                                                         \
	H(int, reconfigure, (void))                                                             \
	SELECT_API_RESV(F, C, H)

/*
 * The error for a job that does not start: that it lacks a license, or rc. From 23.02 on slurmctld
 * leaves it to select plugins to tell; others then need not wait behind the job.
 */
static inline int compat_license_error(job_record_t *job, int rc)
{
#if !MESH_SLURM_22_05
	if (job->license_list && license_job_test(job, time(NULL), true) != SLURM_SUCCESS)
		return ESLURM_LICENSES_UNAVAILABLE;
#endif
	(void)job;
	return rc;
}

#endif
