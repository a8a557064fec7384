/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Vectors of LANES 32-bit numbers, 4 or 8; a file defines LANES before it includes this header.
 * They are the compiler's vector extension, so every width compiles on every machine. Each such
 * file is compiled with flags for one kind of processor (local.mk). There the functions below are
 * single instructions, for which C has no operator; elsewhere they are loops.
 *
 * configure --disable-simd defines MESH_PLAIN: loops everywhere, and only width 4.
 */
#ifndef MESH_SIMD_LANES_H
#define MESH_SIMD_LANES_H

#include <stdint.h>

#if defined(MESH_PLAIN) || !defined(__x86_64__)
#define SIMD_WIDTH 0
#else
#include <immintrin.h>
#if LANES == 8 && defined(__AVX2__)
#define SIMD_WIDTH 8
#elif LANES == 4
#define SIMD_WIDTH 4 /* SSE2 is always there */
#else
#define SIMD_WIDTH 0
#endif
#endif

#define SIMD_INLINE static inline __attribute__((always_inline))

typedef int vint __attribute__((vector_size(4 * LANES)));
typedef float vfloat __attribute__((vector_size(4 * LANES)));
/* The same types for any element of an array, not aligned to a whole vector. */
typedef int vint_loose __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float vfloat_loose __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef uint16_t vcount_loose __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

#define LOAD(AT) (*(const vint_loose *)(AT))
#define LOADF(AT) (*(const vfloat_loose *)(AT))
#define STORE(AT) (*(vint_loose *)(AT))
#define STOREF(AT) (*(vfloat_loose *)(AT))

SIMD_INLINE vint simd_all(int value)
{
	vint none = {0};

	return none + value;
}

/* Lane l has the value l. */
SIMD_INLINE vint simd_numbers(void)
{
	vint number = {0};

	for (int l = 0; l < LANES; l++)
		number[l] = l;
	return number;
}

SIMD_INLINE vfloat simd_floats(vint v)
{
	return __builtin_convertvector(v, vfloat);
}

/* LANES consecutive counts, widened to int. */
SIMD_INLINE vint simd_counts(const uint16_t *at)
{
#if SIMD_WIDTH == 8
	return (vint)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i_u *)at));
#else
	return __builtin_convertvector(*(const vcount_loose *)at, vint);
#endif
}

SIMD_INLINE vfloat simd_min(vfloat a, vfloat b)
{
#if SIMD_WIDTH == 8
	return (vfloat)_mm256_min_ps((__m256)a, (__m256)b);
#elif SIMD_WIDTH == 4
	return (vfloat)_mm_min_ps((__m128)a, (__m128)b);
#else
	vint less = a < b;

	return (vfloat)((less & (vint)a) | (~less & (vint)b));
#endif
}

SIMD_INLINE vint simd_min_int(vint a, vint b)
{
#if SIMD_WIDTH == 8
	return (vint)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
	vint less = a < b;

	return (a & less) | (b & ~less);
#endif
}

SIMD_INLINE vint simd_abs(vint a)
{
#if SIMD_WIDTH == 8
	return (vint)_mm256_abs_epi32((__m256i)a);
#else
	vint minus = a >> 31;

	return (a ^ minus) - minus;
#endif
}

/* Lane l gets the value of lane l ^ by. */
SIMD_INLINE vint simd_swap(vint v, int by)
{
#if defined(__clang__)
	vint other = v;

	for (int l = 0; l < LANES; l++)
		other[l] = v[l ^ by];
	return other;
#else
	return __builtin_shuffle(v, simd_numbers() ^ by);
#endif
}

/*
 * One step of simd_least(). The steps are written out, as not every compiler unrolls a loop of
 * them.
 */
SIMD_INLINE vint simd_fold_min(vint v, int by)
{
	return by < LANES ? simd_min_int(v, simd_swap(v, by)) : v;
}

/* The least of all lanes. */
SIMD_INLINE int simd_least(vint v)
{
	v = simd_fold_min(v, 4);
	v = simd_fold_min(v, 2);
	return simd_fold_min(v, 1)[0];
}

#endif
