/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The beginning of the one table that a library of spank_mesh.so's has: is it of the same version,
 * for the same Slurm? Two builds of a version that is not released may differ all the same.
 */
#ifndef MESH_SPANK_STAMP_H
#define MESH_SPANK_STAMP_H

#include <stdint.h>

#include "base/mesh.h"
#include "spank/spank_map.h"

struct spank_stamp {
	char version[16]; /* this project's version */
	uint32_t slurm;	  /* SLURM_VERSION_NUMBER */
	uint32_t size[3]; /* of the table, and of structs that both sides see */
};

/* For files that include Slurm's headers. */
#define SPANK_STAMP(table)                                                                   \
	{MESH_VERSION, SLURM_VERSION_NUMBER,                                                 \
		{sizeof(table), sizeof(struct mesh), sizeof(struct spank_map)}}

#endif
