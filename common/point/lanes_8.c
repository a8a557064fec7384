/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For machines with AVX2 and FMA: only called where lanes.c has seen that there is.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2,fma")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#define LANES 8
#include "point/lanes_kernel.h"
#include "point/point_kernel.h"
