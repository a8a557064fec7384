/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: what a directory of measured traffic holds. The bytes are a record, the file of a
 * run's rank, and the name of another such file. Whatever they are, records that are found can be
 * true, and the run becomes a record or goes.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"
#include "learn/runs.h"

static char directory[64];

static void clean(void)
{
	if (chdir(directory) == 0 && system("rm -rf ./* .[!.]*") == 0 && chdir("/") == 0)
		rmdir(directory);
}

static void put(const char *name, const void *data, size_t size)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	fuzz_require(file);
	fuzz_require(fwrite(data, 1, size, file) == size);
	fuzz_require(!fclose(file));
}

/* A name below runs/, of what the bytes begin with. */
static void name_of(const uint8_t *data, size_t size, char name[128])
{
	size_t n = 0;

	while (n < size && n < 100 && data[n] && data[n] != '/' && data[n] != '\n')
		n++;
	snprintf(name, 128, "runs/%.*s.0.prof", (int)n, (const char *)data);
}

static void collect(void)
{
	struct mesh_err err = {{0}};

	if (runs_collect(directory, NULL, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
	}
}

static void check_list(void)
{
	struct arena arena = {0};
	struct record *list;
	struct mesh_err err;
	int n = records_list(directory, &arena, &list, &err);

	fuzz_require(n >= 0);
	for (int i = 0; i < n; i++) {
		fuzz_require(list[i].ranks > 0 && list[i].bytes >= 0 && list[i].seconds >= 0);
		fuzz_require(list[i].share <= 1 && list[i].runs > 0);
		fuzz_require(memchr(list[i].pattern, '\0', sizeof(list[i].pattern)));
		if (records_scale(&list[i], 48))
			fuzz_require(list[i].ranks == 48 && !list[i].matrix);
		unlink(list[i].path);
	}
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char own[96], named[128], path[256];

	if (!*directory) {
		snprintf(directory, sizeof(directory), "/tmp/fuzz-records.XXXXXX");
		fuzz_require(mkdtemp(directory));
		snprintf(path, sizeof(path), "%s/runs", directory);
		fuzz_require(!mkdir(path, 0700));
		atexit(clean);
	}
	put("fuzz@16.traffic", data, size);
	snprintf(own, sizeof(own), "runs/fuzz=@1.%lld.key.0.prof", (long long)time(NULL));
	put(own, data, size);
	name_of(data, size, named);
	put(named, data, size);
	collect();
	snprintf(path, sizeof(path), "%s/%s", directory, own);
	fuzz_require(access(path, F_OK) != 0);
	snprintf(path, sizeof(path), "%s/%s", directory, named);
	unlink(path);
	check_list();
	return 0;
}
