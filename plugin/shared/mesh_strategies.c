/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld has the core's strategies. It loads the library of papers when one of theirs is named,
 * or extras are needed; srun loads it for these alone.
 */
#include "shared/mesh_strategies.h"

#include <dlfcn.h>
#include <limits.h>

#include "base/textfile.h"
#include "conf/library.h"
#include "conf/strategies.h"

const struct strategy_ops *const strategies_more[] = {NULL};

const struct extras *extras(struct mesh_err *err)
{
	if (!library_papers())
		mesh_strategies_init();
	return library_extras(err);
}

void mesh_strategies_init(void)
{
	char path[PATH_MAX];
	Dl_info self;

	if (dladdr(strategies_more, &self) && !textfile_beside(self.dli_fname,
			"mesh_strategies_papers.so", path, sizeof(path)))
		library_papers_at(path);
}
