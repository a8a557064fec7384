/* SPDX-License-Identifier: GPL-2.0-or-later */
#define LANES 4
#include "point/batch_kernel.h"
#include "point/point_kernel.h"
#include "point/cells_kernel.h"
