/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For machines with AVX-512: only called where lanes.c has seen that there is.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")
#pragma GCC optimize("O3,fp-contract=fast")
#endif
#define LANES 16
#include "point/lanes_kernel.h"
#include "point/point_kernel.h"
