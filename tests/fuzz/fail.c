/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What readers of smesh call and a fuzz target has in another form: a message is kept instead of
 * printed, and there is no slurmctld.
 */
#include <stdarg.h>

#include "cli/fail.h"
#include "fuzz.h"
#include "fail.h"
#include "view/state.h"

char fuzz_said[8192];

int smesh_fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fuzz_said, sizeof(fuzz_said), format, args);
	va_end(args);
	fuzz_require(*fuzz_said);
	return code;
}

int live_find(struct mesh_err *err)
{
	return err_printf(err, "no slurm.conf");
}

int live_read(struct picture *picture, struct topoconf *conf, struct mesh_err *err)
{
	(void)picture;
	(void)conf;
	return err_printf(err, "no slurmctld");
}
