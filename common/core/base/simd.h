/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MESH_VECTORISE marks a function with a plain loop that gcc shall vectorise, whatever CFLAGS
 * says. On x86-64 gcc compiles a second copy for AVX2, and the loader chooses one. Both compute
 * the same, bit for bit (integers, and floating point element by element without contraction).
 *
 * configure --disable-simd defines MESH_PLAIN: plain loops everywhere.
 */
#ifndef MESH_SIMD_H
#define MESH_SIMD_H

/* Sanitizers do not work with a choice at load time, and only gcc has both attributes. */
#if defined(__clang__) || !defined(__GNUC__)
#define MESH_VECTORISE
#elif defined(__x86_64__) && !defined(MESH_PLAIN) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__)
#define MESH_VECTORISE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define MESH_VECTORISE __attribute__((optimize("O3")))
#endif

#endif
