/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh import: topology.conf from what other programs say of the machine.
 */
#include <getopt.h>
#include <stdio.h>

#include "cmd/commands.h"
#include "import/import.h"
#include "base/hostlist.h"

struct session {
	const char *name;
	bool wrap;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	{0, "name", "NAME", "what the mesh is called; further ones get a number (mesh)",
		OPTION_TEXT, AT(name)},
	{0, "wrap", NULL, "coords: all dimensions are rings", OPTION_FLAG, AT(wrap)},
	{0},
};

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
	else if (import_write(&import, s.name, &hostlist_libslurm, stdout))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	import_release(&import);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "write topology.conf from cables, coordinates or InfiniBand's tools",
	.usage = IMPORT_FORMATS " FILE... [OPTION]...",
	.example = "ibnetdiscover fabric.txt >topology.conf",
	.options = options,
	.operands = 1 << 20,
	.run = run,
};
