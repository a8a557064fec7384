// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between the versions of Slurm that standin is built for: 22.05 and 24.11.
#ifndef STANDIN_COMPAT_H
#define STANDIN_COMPAT_H

#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/slurm_protocol_defs.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/common/gres.h"
#include "src/common/slurm_auth.h"

typedef hostlist_t host_list;
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
#else
#include "src/interfaces/auth.h"
#include "src/interfaces/gres.h"

typedef hostlist_t *host_list;

static inline bool compat_init(const char *conf)
{
	slurm_init(conf); // says why and ends the process when it cannot
	return true;
}

static inline void compat_sender(slurm_msg_t *msg, void *cred)
{
	msg->auth_index = auth_index(cred);
	auth_g_get_ids(cred, &msg->auth_uid, &msg->auth_gid);
	msg->auth_ids_set = true;
}

static inline bool compat_anonymous(uint16_t flags)
{
	return flags & SLURM_NO_AUTH_CRED;
}
#endif

#endif
