/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim --fault-file: failures, lines fail TIME SECONDS HOSTLIST.
 */
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "cmd/sim_session.h"

struct reader {
	struct sim_session *session;
	struct mesh_err *err;
};

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	struct sim_session *s = r->session;
	char *save = NULL, *kind = strtok_r(text, " \t", &save), *at = strtok_r(NULL, " \t", &save);
	char *length = strtok_r(NULL, " \t", &save), *hosts = strtok_r(NULL, " \t", &save);
	double from, seconds;
	struct faults_window *more;
	struct mesh_err why = {{0}};

	if (!hosts || strtok_r(NULL, " \t", &save) || strcmp(kind, "fail") ||
		options_double(at, 0, 1e11, &from) || options_double(length, 1e-6, 1e11, &seconds))
		return err_printf(
			r->err, "%s:%d: not fail TIME SECONDS HOSTLIST", s->fault_file,
			line);
	if (!(more = realloc(s->window, ((size_t)s->nwindows + 1) * sizeof(*more))))
		return err_printf(r->err, "out of memory");
	s->window = more;
	more = &more[s->nwindows];
	*more = (struct faults_window){.from = (int64_t)(from * (double)SIM_SECOND),
		.to = (int64_t)((from + seconds) * (double)SIM_SECOND)};
	if (nodeset_init(&more->nodes, s->mesh->nnodes))
		return err_printf(r->err, "out of memory");
	s->nwindows++;
	if (smesh_hosts_to_set(s->mesh, hosts, &more->nodes, &why))
		return err_printf(r->err, "%s:%d: %.200s", s->fault_file, line, why.text);
	return 0;
}

int sim_read_faults(struct sim_session *s)
{
	struct mesh_err err = {{0}};
	struct reader r = {s, &err};

	if (s->fault_file && textfile_read(s->fault_file, take_line, &r, &err))
		return smesh_fail(SMESH_USAGE, "--fault-file: %s", err.text);
	s->runner.engine.faults.window = s->window;
	s->runner.engine.faults.nwindows = s->nwindows;
	return SMESH_OK;
}
