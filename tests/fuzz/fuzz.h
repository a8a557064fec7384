/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What fuzz targets share. A target is tests/fuzz/fuzz_NAME.c with LLVMFuzzerTestOneInput()
 * and a seed corpus tests/fuzz/corpus/NAME/. Built twice:
 *   - with replay.c, as a test of `make check`: the corpus and a fixed number of mutations;
 *   - with libFuzzer (clang), by `make fuzzers`; `make fuzz TARGET=NAME FUZZ_SECONDS=60` runs it.
 */
#ifndef MESH_FUZZ_H
#define MESH_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always 0. data may hold anything, also no NUL. Must not keep state between calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that no input may break. */
#define fuzz_require(condition)                                                             \
	do {                                                                                \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                            \
		}                                                                           \
	} while (0)

#endif
