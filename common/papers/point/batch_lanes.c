/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over vectors for one kind of processor: LANES says for which (local.mk). Those for more
 * than 4 lanes are only called where batch.c has seen that there is such a processor.
 */
#ifndef LANES
#define LANES 4
#endif
#include "point/batch_kernel.h"
#include "point/cells_kernel.h"
