/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: what a directory of measured traffic holds. The bytes are a record, what a run says
 * of itself, and the file of a run's rank. Whatever they are, records that are found can be true,
 * and the run becomes a record or goes.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"
#include "learn/records.h"

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

static void make_run(const uint8_t *data, size_t size, const char *meta)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/run.fuzz", directory);
	fuzz_require(!mkdir(path, 0700));
	put("run.fuzz/t.0.prof", data, size);
	put("run.fuzz/meta", meta ? (const void *)meta : data, meta ? strlen(meta) : size);
}

static void collect(void)
{
	struct mesh_err err = {{0}};

	if (records_collect(directory, NULL, &err)) {
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
	char meta[64], path[128];

	if (!*directory) {
		snprintf(directory, sizeof(directory), "/tmp/fuzz-records.XXXXXX");
		fuzz_require(mkdtemp(directory));
		atexit(clean);
	}
	put("fuzz@16.traffic", data, size);
	make_run(data, size, NULL);
	collect();
	check_list();
	snprintf(path, sizeof(path), "rm -rf %s/run.fuzz", directory);
	if (access(path + strlen("rm -rf "), F_OK) == 0)
		fuzz_require(system(path) == 0);
	snprintf(meta, sizeof(meta), "fuzz 1 %lld\n", (long long)time(NULL));
	make_run(data, size, meta);
	collect();
	fuzz_require(access(path + strlen("rm -rf "), F_OK) != 0);
	check_list();
	return 0;
}
