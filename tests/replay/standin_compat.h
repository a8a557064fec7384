// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between the versions of Slurm that standin is built for, and nothing else does:
//
//   from   what
//   23.02  interfaces of plugins in src/interfaces, answers that may come without a credential
//   23.11  host lists that say that they are pointers, senders known by user and group
//   25.05  messages are sent over a connection object, not over a descriptor
//   25.11  messages name a job by a step id; the end of an epilog makes slurmctld look at its queue
//          only where it knows the job
//   26.05  a ping is answered with the node's name
//
// The rest is 22.05's. Layouts of messages are not written down anywhere here: Slurm packs them.
#ifndef STANDIN_COMPAT_H
#define STANDIN_COMPAT_H

#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/slurm_protocol_defs.h"

#define STANDIN_FROM(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

#if STANDIN_FROM(23, 2)
#include "src/interfaces/auth.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/switch.h"

static inline bool compat_init(const char *conf)
{
	slurm_init(conf); // says why and ends the process when it cannot
#if STANDIN_FROM(23, 11)
	return true;
#else
	return switch_init(true) == SLURM_SUCCESS; // it reads what is told of a suspended job
#endif
}

static inline void compat_sender(slurm_msg_t *msg, void *cred)
{
#if STANDIN_FROM(23, 11)
	msg->auth_index = auth_index(cred);
	auth_g_get_ids(cred, &msg->auth_uid, &msg->auth_gid);
	msg->auth_ids_set = true;
#else
	msg->auth_index = slurm_auth_index(cred);
	msg->auth_uid = auth_g_get_uid(cred);
	msg->auth_uid_set = true;
#endif
}

static inline bool compat_anonymous(uint16_t flags)
{
	return flags & SLURM_NO_AUTH_CRED;
}
#else
#include "src/common/gres.h"
#include "src/common/slurm_auth.h"

typedef struct xlist list_t;

// Reads slurm.conf and loads the plugins that messages need.
static inline bool compat_init(const char *conf)
{
	return slurm_conf_init(conf) == SLURM_SUCCESS && slurm_auth_init(NULL) == SLURM_SUCCESS;
}

// Who sent a message.
static inline void compat_sender(slurm_msg_t *msg, void *cred)
{
	msg->auth_index = slurm_auth_index(cred);
	msg->auth_uid = auth_g_get_uid(cred);
	msg->auth_uid_set = true;
}

// Whether a message has no credential by its header's flags.
static inline bool compat_anonymous(uint16_t flags)
{
	(void)flags;
	return false;
}
#endif

#if STANDIN_FROM(23, 11)
typedef hostlist_t *host_list;
#else
typedef hostlist_t host_list;
#endif

// Send a message over a connected socket. Returns < 0 and sets errno when it cannot.
#if STANDIN_FROM(25, 5)
#include "src/interfaces/conn.h"

static inline int compat_send(int fd, slurm_msg_t *msg)
{
	conn_args_t args = {.input_fd = fd, .output_fd = fd};
	void *conn = conn_g_create(&args);
	int rc;

	if (!conn)
		return -1;
	rc = slurm_send_node_msg(conn, msg);
	conn_g_destroy(conn, false);
	return rc;
}
#else
static inline int compat_send(int fd, slurm_msg_t *msg)
{
	return slurm_send_node_msg(fd, msg);
}
#endif

// The job that a message is about.
#if STANDIN_FROM(25, 11)
#define compat_job_id(msg) ((msg)->step_id.job_id)
#define compat_name_job(msg, id)                                                                   \
	((msg)->step_id = (slurm_step_id_t){                                                       \
		 .job_id = (id), .step_id = NO_VAL, .step_het_comp = NO_VAL})
#define compat_nudge_by(done) (done)
typedef prolog_complete_msg_t complete_prolog_msg_t;
#else
#define compat_job_id(msg) ((msg)->job_id)
#define compat_name_job(msg, id) ((msg)->job_id = (id))
#define compat_nudge_by(done) ((void)(done), 0)
#endif

#if STANDIN_FROM(26, 5)
#define compat_name_node(msg, name) ((msg)->node_name = xstrdup(name))
#else
#define compat_name_node(msg, name) ((void)(name))
#endif

#endif
