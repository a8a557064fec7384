/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh import: topology.conf from what other programs say of the machine.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "config/shape.h"
#include "import/import.h"
#include "shared/hostlist_libslurm.h"

struct session {
	const char *name, *dims;
	bool wrap;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	{0, "name", "NAME", "what the mesh is called; further ones get a number (mesh)",
		OPTION_TEXT, AT(name)},
	{0, "dims", "AxBxC", "it must have these sides; they are then in this order", OPTION_TEXT,
		AT(dims)},
	{0, "wrap", NULL, "coords: all dimensions are rings", OPTION_FLAG, AT(wrap)},
	{0},
};

static int take_dims(struct grid *hint, const char *value)
{
	struct mesh_shape shape;
	struct mesh_err err = {{0}};

	if (shape_parse(value, &shape, &err))
		return smesh_fail(SMESH_USAGE, "--dims=%s: %s", value, err.text);
	hint->ndims = shape.ndims;
	for (int d = 0; d < shape.ndims; d++)
		hint->side[d] = shape.side[d];
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	struct session s = {.name = "mesh"};
	struct grid hint = {.ndims = 0};
	struct import import;
	struct mesh_err err = {{0}};
	int code = options_read(&cmd_import, argc, argv, &s), format;

	if (!code && s.dims)
		code = take_dims(&hint, s.dims);
	if (code)
		return code;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		hint.wrap[d] = s.wrap;
	if (argc - optind < 2)
		return smesh_fail(SMESH_USAGE, "import: expected a format and a file");
	if ((format = import_format(argv[optind])) < 0)
		return smesh_fail(SMESH_USAGE, "import: format '%s': one of %s", argv[optind],
			IMPORT_FORMATS);
	if (import_read(&import, format, argv + optind + 1, &hint, &err))
		code = smesh_fail(SMESH_USAGE, "%s", err.text);
	else if (import_write(&import, s.name, &hostlist_libslurm, stdout))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	import_release(&import);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "topology.conf from cables, coordinates or InfiniBand's tools",
	.usage = IMPORT_FORMATS " FILE... [OPTION]...",
	.options = options,
	.operands = 1 << 20,
	.run = run,
};
