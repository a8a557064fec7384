/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's internal headers for what runs inside srun, sbatch and salloc: their options and
 * slurm.conf, and what differs there between Slurm's versions.
 */
#ifndef MESH_SLURM_CLIENT_H
#define MESH_SLURM_CLIENT_H

#include "config.h" /* Slurm's own, from its configured tree */
#include "slurm/slurm.h"
#include "slurm/slurm_version.h"
/* Before all others: this header renames what libslurm exports. */
#include "src/common/slurm_xlator.h"

#include "src/common/read_config.h"
#include "src/common/slurm_opt.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* Where slurm_opt_t has the command that srun starts. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#define COMPAT_SRUN_COMMAND(opt) ((opt).srun_opt)
#else
#define COMPAT_SRUN_COMMAND(opt) (&(opt))
#endif

#endif
