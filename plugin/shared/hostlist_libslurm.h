/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MESH_HOSTLIST_LIBSLURM_H
#define MESH_HOSTLIST_LIBSLURM_H

#include "base/hostlist.h"

/* Host lists by libslurm's public functions. */
extern const struct mesh_hostlist_ops hostlist_libslurm;

#endif
