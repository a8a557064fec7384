/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compiled for machines with AVX-512: only called where batch.c has seen that there is.
 */
#define LANES 16
#define CELL_LANES 8 /* there are no wider ones of cells_kernel.h */
#include "point/batch_kernel.h"
#include "point/centres_kernel.h"
