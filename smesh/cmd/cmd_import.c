/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh import: makes topology.conf from what other programs say about the machine.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cmd/commands.h"
#include "import/import.h"
#include "base/hostlist.h"
#include "sim/need.h"

struct session {
	const char *name, *topology, *folder;
	bool wrap, check;
};

static const struct option_row options[] = {
	{0, "name", "NAME", "what the mesh is called; further ones get a number (mesh)",
		OPTION_TEXT, AT(name)},
	{0, "check", NULL, "say what differs from topology.conf, exit 1 if anything does",
		OPTION_FLAG, AT(check)},
	{0, "folder", "DIR", "where lists of cables are written, beside topology.conf (.)",
		OPTION_TEXT, AT(folder)},
	OPTION_TOPOLOGY,
	{0, "wrap", NULL, "coords: all dimensions are rings", OPTION_FLAG, AT(wrap)},
	{0},
};

/* Write the lists of cables to a folder. */
static int write_lists(const struct import *import, const struct session *s, const char *folder)
{
	char file[IMPORT_FILE], path[4096];
	int code = SMESH_OK;

	for (int i = 0; !code && import_cables_file(import, s->name, &i, file);) {
		struct output out;

		if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
			return smesh_fail(SMESH_USAGE, "%s: too long", folder);
		if ((code = output_open(&out, path)))
			return code;
		import_write_cables(import, i - 1, out.file);
		code = output_close(&out);
	}
	return code;
}

static void remove_lists(const struct import *import, const struct session *s, const char *folder)
{
	char file[IMPORT_FILE], path[4096];

	for (int i = 0; import_cables_file(import, s->name, &i, file);) {
		snprintf(path, sizeof(path), "%s/%s", folder, file);
		unlink(path);
	}
	rmdir(folder);
}

/*
 * Read these lines as slurmctld would, beside the lists of cables. NULL with text, or after a
 * message.
 */
static struct topoconf *read_lines(const char *text, size_t size, const struct import *import,
	const struct session *s, struct mesh_err *err)
{
	char folder[] = "/tmp/smesh.XXXXXX", path[sizeof(folder) + 8];
	struct topoconf *conf = NULL;

	if (!mkdtemp(folder)) {
		err_printf(err, "%s: cannot be made", folder);
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/import", folder);
	if (!write_lists(import, s, folder))
		conf = topoconf_parse(text, size, path, &hostlist_libslurm, err);
	remove_lists(import, s, folder);
	return conf;
}

static int compare(const char *text, size_t size, const struct import *import,
	const struct session *s)
{
	struct topoconf *there = smesh_read_topology(s->topology), *found;
	struct mesh_err err = {{0}};
	int differ = -1;

	if (!there)
		return SMESH_USAGE;
	if ((found = read_lines(text, size, import, s, &err)))
		differ = import_compare(found, there, stdout, &err);
	topoconf_free(found);
	topoconf_free(there);
	if (*err.text)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!differ)
		puts("nothing has changed");
	return differ ? SMESH_USAGE : SMESH_OK;
}

/* Print the lines, or with --check their differences from topology.conf. */
static int say(const struct import *import, const struct session *s)
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));
	int code = SMESH_OK, slow = import_count_slow(import);

	if (slow)
		smesh_fail(code, "import: cables with fewer lanes than most along their dimension: "
			"%d", slow);
	import_write(import, s->name, &hostlist_libslurm, to);
	need_done(fclose(to));
	if (s->check)
		code = compare(text, size, import, s);
	else if (!(code = write_lists(import, s, s->folder)))
		fputs(text, stdout);
	free(text);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {.name = "mesh", .folder = "."};
	struct import import;
	struct mesh_err err = {{0}};
	int code = options_read(&cmd_import, argc, argv, &s), format;

	if (code)
		return code;
	if (argc - optind < 2)
		return smesh_fail(SMESH_USAGE,
			"import: expected a format and a file (see smesh import --help)");
	if ((format = import_format(argv[optind])) < 0)
		return smesh_fail(SMESH_USAGE, "import: format '%s': one of %s", argv[optind],
			IMPORT_FORMATS);
	if (import_read(&import, format, argv + optind + 1, s.wrap, &err))
		code = smesh_fail(SMESH_USAGE, "%s", err.text);
	else
		code = say(&import, &s);
	import_release(&import);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "write topology.conf from cables or coordinates, or check it",
	.usage = "FORMAT FILE... [OPTION]...\n\t" IMPORT_FORMATS,
	.example = "ibnetdiscover fabric.txt >topology.conf",
	.options = options,
	.operands = 1 << 20,
	.run = run,
};
