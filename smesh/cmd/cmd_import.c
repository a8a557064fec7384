/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh import: topology.conf from what other programs say of the machine.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "import/import.h"
#include "base/hostlist.h"

struct session {
	const char *name, *topology;
	bool wrap, check;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	{0, "name", "NAME", "what the mesh is called; further ones get a number (mesh)",
		OPTION_TEXT, AT(name)},
	{0, "check", NULL, "say what differs from topology.conf, exit 1 if anything does",
		OPTION_FLAG, AT(check)},
	OPTION_TOPOLOGY,
	{0, "wrap", NULL, "coords: all dimensions are rings", OPTION_FLAG, AT(wrap)},
	{0},
};

/* The lines are read as slurmctld would read them. */
static int compare(const char *text, size_t size, const char *path)
{
	struct topoconf *there = smesh_read_topology(path), *found;
	struct mesh_err err = {{0}};
	int differ = -1;

	if (!there)
		return SMESH_USAGE;
	if ((found = topoconf_parse(text, size, "import", &hostlist_libslurm, &err)))
		differ = import_compare(found, there, stdout, &err);
	topoconf_free(found);
	topoconf_free(there);
	if (differ < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!differ)
		puts("nothing has changed");
	return differ ? SMESH_USAGE : SMESH_OK;
}

/* Print the lines, or with --check how topology.conf differs from them. */
static int say(const struct import *import, const struct session *s)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int code = SMESH_OK;

	if (!to || import_write(import, s->name, &hostlist_libslurm, to) | fclose(to))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	else if (s->check)
		code = compare(text, size, s->topology);
	else
		fputs(text, stdout);
	free(text);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {.name = "mesh"};
	struct import import;
	struct mesh_err err = {{0}};
	int code = options_read(&cmd_import, argc, argv, &s), format;

	if (code)
		return code;
	if (argc - optind < 2)
		return smesh_fail(SMESH_USAGE, "import: expected a format and a file");
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
	.usage = IMPORT_FORMATS "\n\tFILE... [OPTION]...",
	.example = "ibnetdiscover fabric.txt >topology.conf",
	.options = options,
	.operands = 1 << 20,
	.run = run,
};
