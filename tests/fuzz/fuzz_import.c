/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a file for smesh import, its format by the first byte (a to i). Whatever the bytes,
 * there is one line of text, or lines of topology.conf, soon.
 */
#include "fuzz.h"
#include "import/import.h"
#include "sim/need.h"
#include "base/hostlist.h"

/* What is written is read again, and is no other map. */
static void write_lines(const struct import *import)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf;
	char *text = NULL, file[IMPORT_FILE];
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	import_write(import, "fuzz", &hostlist_libslurm, to);
	fuzz_require(!fclose(to));
	fuzz_require(size && text[size - 1] == '\n');
	if ((conf = topoconf_parse(text, size, "fuzz", &hostlist_libslurm, &err)))
		fuzz_require(import_compare(conf, conf, stderr, &err) == 0);
	topoconf_free(conf);
	free(text);
	for (int i = 0; import_cables_file(import, "fuzz", &i, file);) {
		to = open_memstream(&text, &size);
		fuzz_require(to != NULL);
		import_write_cables(import, i - 1, to);
		fuzz_require(!fclose(to) && size && text[size - 1] == '\n');
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import import;
	struct mesh_err err = {{0}};
	char path[FUZZ_PATH];
	char *const paths[] = {path, NULL};
	int fd;

	if (!size)
		return 0;
	fd = fuzz_file(data + 1, size - 1, path);
	if (import_read(&import, (data[0] + 2) % IMPORT_READERS, paths, false, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
	} else {
		write_lines(&import);
	}
	import_release(&import);
	close(fd);
	return 0;
}
