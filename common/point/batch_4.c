/* SPDX-License-Identifier: GPL-2.0-or-later */
#define LANES 4
#define CELL_LANES 4
#include "point/batch_kernel.h"
#include "point/centres_kernel.h"
#include "point/cells_kernel.h"
