/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over vectors for one kind of processor, which LANES chooses (local.mk). batch.c calls
 * those for more than 4 lanes only if the machine has such a processor.
 */
#ifndef LANES
#define LANES 4
#endif
#include "point/batch_kernel.h"
#include "point/cells_kernel.h"
