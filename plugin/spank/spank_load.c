/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <limits.h>
#include <slurm/slurm.h>
#include <string.h>

#include "base/textfile.h"
#include "spank/spank_user.h"

static const struct spank_user *loaded;

const struct spank_user *spank_user_load(struct mesh_err *err)
{
	static const struct spank_user_stamp stamp = SPANK_USER_STAMP;
	const struct spank_user *found;
	char path[PATH_MAX] = "";
	Dl_info self;
	void *object;

	if (loaded)
		return loaded;
	if (dladdr(&loaded, &self))
		textfile_beside(self.dli_fname, "spank_mesh_user.so", path, sizeof(path));
	object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	found = object ? dlsym(object, SPANK_USER_SYMBOL) : NULL;
	if (!found)
		err_printf(err, "%s", dlerror());
	else if (memcmp(&found->stamp, &stamp, sizeof(stamp)) != 0)
		err_printf(err, "%s: of another version or another Slurm than spank_mesh.so", path);
	else
		loaded = found;
	if (object && !loaded)
		dlclose(object);
	return loaded;
}

const struct spank_user *spank_user_loaded(void)
{
	return loaded;
}
