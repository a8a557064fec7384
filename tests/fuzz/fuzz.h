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
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"

/* Always 0. data may hold anything, also no NUL. Must not keep state between calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libslurm of 22.05 keeps a copy of each range that it refuses (01=08). */
const char *__lsan_default_suppressions(void);
__attribute__((weak, used)) const char *__lsan_default_suppressions(void)
{
	return "leak:slurm_hostlist_create\n";
}

/* A promise that no input may break. */
#define fuzz_require(condition)                                                             \
	do {                                                                                \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                            \
		}                                                                           \
	} while (0)

enum { FUZZ_PATH = 64 };

/* The bytes as a file of that name. close() what is returned. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH])
{
	int fd = memfd_create("fuzz", 0);

	fuzz_require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", fd);
	return fd;
}

/* What is said is one line without control characters (err.h). */
static inline void fuzz_text(const struct mesh_err *err)
{
	fuzz_require(memchr(err->text, '\0', sizeof(err->text)));
	for (const char *c = err->text; *c; c++)
		fuzz_require((unsigned char)*c >= ' ' && *c != 0x7f);
}

#endif
