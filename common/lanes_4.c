/* SPDX-License-Identifier: GPL-2.0-or-later */
#define LANES 4
#include "lanes_kernel.h"
#include "point_kernel.h"
