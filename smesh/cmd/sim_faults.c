/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sim_faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "cli/smesh.h"

void faults_defaults(struct engine_options *engine)
{
	engine->faults.shape = 1;
	engine->faults.repair = 3600 * SIM_SECOND;
}

/* --- the file ---------------------------------------------------------------------------- */

struct reader {
	struct fault_options *options;
	const struct mesh *mesh;
	struct mesh_err *err;
};

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	struct fault_options *o = r->options;
	char *save = NULL, *kind = strtok_r(text, " \t", &save), *at = strtok_r(NULL, " \t", &save);
	char *length = strtok_r(NULL, " \t", &save), *hosts = strtok_r(NULL, " \t", &save);
	double from, seconds;
	bool known = kind && !strcmp(kind, "maintenance");
	struct faults_window *more;
	struct mesh_err why = {{0}};

	if (!hosts || strtok_r(NULL, " \t", &save) || (!known && strcmp(kind, "fail")) ||
		options_double(at, 0, 1e11, &from) || options_double(length, 1e-6, 1e11, &seconds))
		return err_printf(
			r->err, "%s:%d: not fail|maintenance TIME SECONDS HOSTLIST", o->file, line);
	if (!(more = realloc(o->window, ((size_t)o->nwindows + 1) * sizeof(*more))))
		return err_printf(r->err, "out of memory");
	o->window = more;
	more = &more[o->nwindows];
	*more = (struct faults_window){.from = (int64_t)(from * (double)SIM_SECOND),
		.to = (int64_t)((from + seconds) * (double)SIM_SECOND), .known = known};
	if (nodeset_init(&more->nodes, r->mesh->nnodes))
		return err_printf(r->err, "out of memory");
	o->nwindows++;
	if (smesh_hosts_to_set(r->mesh, hosts, &more->nodes, &why))
		return err_printf(r->err, "%s:%d: %.200s", o->file, line, why.text);
	return 0;
}

int faults_setup(struct fault_options *o, struct engine_options *engine, const struct mesh *mesh)
{
	struct mesh_err err = {{0}};
	struct reader r = {o, mesh, &err};

	if (o->file && textfile_read(o->file, take_line, &r, &err))
		return smesh_fail(SMESH_USAGE, "--fault-file: %s", err.text);
	engine->faults.window = o->window;
	engine->faults.nwindows = o->nwindows;
	return SMESH_OK;
}

void faults_release(struct fault_options *o)
{
	for (int i = 0; i < o->nwindows; i++)
		nodeset_release(&o->window[i].nodes);
	free(o->window);
}
