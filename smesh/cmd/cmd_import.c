/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh import: makes topology.conf from what other programs say about the machine.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/sort.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cmd/slurmconf.h"
#include "import/import.h"
#include "base/hostlist.h"
#include "sim/need.h"

struct session {
	struct command_base base;
	const char *name, *folder, *nodes;
	bool wrap, check;
	struct import import;
};

static const struct option_row options[] = {
	{0, "name", "NAME", "what the mesh is called; further ones get a number (mesh)",
		OPTION_TEXT, AT(name)},
	{0, "check", NULL, "say what differs from topology.conf, exit 1 if anything does",
		OPTION_FLAG, AT(check)},
	{0, "folder", "DIR", "where lists of cables are written, beside topology.conf (.)",
		OPTION_TEXT, AT(folder)},
	OPTION_TOPOLOGY,
	{0, "nodes", "HOSTLIST", "Slurm's names of the nodes (default: those of slurm.conf)",
		OPTION_TEXT, AT(nodes)},
	{0, "wrap", NULL, "coords: all dimensions are rings", OPTION_FLAG, AT(wrap)},
	{0},
};

/* Write the lists of cables to a folder. */
static int write_lists(const struct session *s, const char *folder)
{
	char file[IMPORT_FILE], path[4096];
	int code = SMESH_OK;

	for (int i = 0; !code && import_cables_file(&s->import, s->name, &i, file);) {
		struct output out;

		if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
			return smesh_fail(SMESH_USAGE, "%s: too long", folder);
		if ((code = output_open(&out, path)))
			return code;
		import_write_cables(&s->import, i - 1, out.file);
		code = output_close(&out);
	}
	return code;
}

static void remove_lists(const struct session *s, const char *folder)
{
	char file[IMPORT_FILE], path[4096];

	for (int i = 0; import_cables_file(&s->import, s->name, &i, file);) {
		snprintf(path, sizeof(path), "%s/%s", folder, file);
		unlink(path);
	}
	rmdir(folder);
}

/*
 * Read these lines as slurmctld would, beside the lists of cables. NULL with text, or after a
 * message.
 */
static struct topoconf *read_lines(const char *text, size_t size, const struct session *s,
	struct mesh_err *err)
{
	char folder[] = "/tmp/smesh.XXXXXX", path[sizeof(folder) + 8];
	struct topoconf *conf = NULL;

	if (!mkdtemp(folder)) {
		err_printf(err, "%s: cannot be made", folder);
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/import", folder);
	if (!write_lists(s, folder))
		conf = topoconf_parse(text, size, path, &hostlist_libslurm, err);
	remove_lists(s, folder);
	return conf;
}

static int compare(const char *text, size_t size, const struct session *s)
{
	struct topoconf *there = smesh_read_topology(s->base.topology), *found;
	struct mesh_err err = {{0}};
	int differ = -1;

	if (!there)
		return SMESH_USAGE;
	if ((found = read_lines(text, size, s, &err)))
		differ = import_compare(found, there, stdout, &err);
	topoconf_free(found);
	topoconf_free(there);
	if (*err.text)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (!differ)
		puts("nothing has changed");
	return differ ? SMESH_USAGE : SMESH_OK;
}

/* --- is it the right file? ---------------------------------------------------------------- */

/* Slurm's names of the nodes, in any order. How many, 0: not known; -1 with text. */
static int slurm_names(const struct session *s, struct slurmconf *slurm, char ***name,
	struct mesh_err *err)
{
	char path[4096];

	if (s->nodes)
		return hostlist_check_any(s->nodes, err) < 0 ? -1
			: hostlist_libslurm.expand(s->nodes, &slurm->arena, name, err);
	smesh_beside_slurm_conf("slurm.conf", path, sizeof(path));
	if (access(path, R_OK) || slurmconf_read(slurm, path, err))
		return 0;
	need_array(&slurm->arena, *name, slurm->nnodes);
	for (int i = 0; i < slurm->nnodes; i++)
		(*name)[i] = slurm->node[i].name;
	return slurm->nnodes;
}

/* Tell of hosts that Slurm does not know. */
static int compare_names(const struct session *s)
{
	const struct cables *c = &s->import.cables;
	struct slurmconf slurm = {0};
	struct mesh_err err = {{0}};
	const char *other = NULL;
	char **name;
	int n = slurm_names(s, &slurm, &name, &err), others = 0;

	sort_texts(name, n > 0 ? n : 0);
	for (int i = 0; n > 0 && i < c->nnodes; i++)
		if (!sort_has(name, n, c->node_name[i])) {
			other = other ? other : c->node_name[i];
			others++;
		}
	if (n < 0)
		smesh_fail(SMESH_USAGE, "--nodes=%s: %s", s->nodes, err.text);
	if (others)
		smesh_fail(SMESH_OK, "import: %d of %d hosts are no node of %s, as %s: write names "
			"as NodeName= does", others, c->nnodes,
			s->nodes ? "--nodes" : "slurm.conf", other);
	arena_release(&slurm.arena);
	return n < 0 ? SMESH_USAGE : SMESH_OK;
}

/* Tell of coordinates that leave most of their grid empty, or have strides: every second chip's. */
static void tell_holes(const struct import *import)
{
	int64_t cells, holes = import_count_holes(import, &cells);
	char strides[160] = "";

	for (int g = 0; g < import->grids.ngrids; g++)
		for (int d = 0; d < import->grids.grid[g].ndims; d++) {
			int stride = import_stride(import, g, d);
			size_t n = strlen(strides);

			if (stride > 1)
				snprintf(strides + n, sizeof(strides) - n, "%s of %d in dimension "
					"%d", n ? "," : ", and coordinates look like a stride",
					stride, d + 1);
		}
	if (2 * holes > cells || *strides)
		smesh_fail(SMESH_OK, "import: %" PRId64 " of %" PRId64 " vertices have no host%s",
			holes, cells, strides);
}

/* Tell what looks like a wrong file or column. */
static int look(const struct session *s)
{
	const struct import *import = &s->import;
	int apart = import_count_apart(import);

	if (2 * (int64_t)apart > import->cables.nnodes)
		smesh_fail(SMESH_OK, "import: %d of %d hosts are in meshes of one or two vertices: "
			"is this the right file, and are hosts in the columns that were read?",
			apart, import->cables.nnodes);
	if (import->headless)
		smesh_fail(SMESH_OK, "import: switches or adapters that only their neighbours show:"
			" %d: is the file whole?", import->headless);
	if (import->placeless)
		smesh_fail(SMESH_OK, "import: nodes of the topology whose place is in no file: %d",
			import->placeless);
	tell_holes(import);
	if (*import->counts)
		smesh_fail(SMESH_OK, "import: column %s counts cables side by side",
			import->counts);
	if (*import->unread)
		smesh_fail(SMESH_OK, "import: column %s is left out: lanes, or numbers from 1 to "
			"64 of which some come again, count cables side by side", import->unread);
	return compare_names(s);
}

/* Print the lines, or with --check their differences from topology.conf. */
static int say(const struct session *s)
{
	const struct import *import = &s->import;
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
		code = compare(text, size, s);
	else if (!(code = write_lists(s, s->folder)))
		fputs(text, stdout);
	free(text);
	return code;
}

static int run(void *session)
{
	struct session *s = session;
	char **operand = s->base.operand;
	struct mesh_err err = {{0}};
	int format;

	if (s->base.noperands < 2)
		return smesh_fail(SMESH_USAGE,
			"import: expected a format and a file (see smesh import --help)");
	if (!hostlist_is_name(s->name))
		return smesh_fail(SMESH_USAGE, "--name=%s: a name has letters, digits, '.', '_' "
			"and '-'", s->name);
	if ((format = import_format(*operand)) < 0)
		return smesh_fail(SMESH_USAGE, "import: format '%s': one of %s", *operand,
			IMPORT_FORMATS);
	if (s->wrap && strcasecmp(*operand, "coords"))
		smesh_fail(0, "--wrap has no effect on %s", *operand);
	if (s->base.topology && !s->check)
		smesh_fail(0, "--topology has no effect without --check");
	if (import_read(&s->import, format, operand + 1, s->wrap, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	return look(s) ? SMESH_USAGE : say(s);
}

static void end(void *session)
{
	import_release(&((struct session *)session)->import);
}

const struct command cmd_import = {
	.name = "import",
	.summary = "write topology.conf from cables or coordinates, or check it",
	.usage = "FORMAT FILE... [OPTION]...\n\t" IMPORT_FORMATS,
	.example = "ibnetdiscover fabric.txt >topology.conf",
	.options = options,
	.operands = 1 << 20,
	.size = sizeof(struct session),
	.usual = &(const struct session){.name = "mesh", .folder = "."},
	.run = run,
	.end = end,
};
