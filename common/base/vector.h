/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Plain loops that the compiler is to vectorise, whatever CFLAGS says. On x86-64 a second copy
 * is compiled for AVX2 and chosen when the program is loaded; both compute the same, bit for
 * bit (integers, and floating point element by element without contraction).
 */
#ifndef MESH_VECTOR_H
#define MESH_VECTOR_H

/* Sanitizers run before the choice at load time can be made, and gcc alone has both marks. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MESH_VECTORISE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#elif defined(__GNUC__) && !defined(__clang__)
#define MESH_VECTORISE __attribute__((optimize("O3")))
#else
#define MESH_VECTORISE
#endif

#endif
