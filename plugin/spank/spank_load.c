/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <limits.h>
#include <slurm/slurm.h>
#include <string.h>

#include "base/textfile.h"
#include "spank/spank_more.h"
#include "spank/spank_user.h"

struct library {
	const char *file, *symbol;
	struct spank_user_stamp stamp;
	const void *table; /* NULL: not loaded yet */
};

/* Load a library from this plugin's directory, once. Returns its table, or NULL with text. */
static const void *load_library(struct library *library, struct mesh_err *err)
{
	const struct spank_user_stamp *found;
	char path[PATH_MAX] = "";
	Dl_info self;
	void *object;

	if (library->table)
		return library->table;
	if (dladdr(library, &self))
		textfile_beside(self.dli_fname, library->file, path, sizeof(path));
	object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	found = object ? dlsym(object, library->symbol) : NULL;
	if (!found)
		err_printf(err, "%s", dlerror());
	else if (memcmp(found, &library->stamp, sizeof(*found)) != 0)
		err_printf(err, "%s: of another version or another Slurm than spank_mesh.so", path);
	else
		library->table = found;
	if (object && !library->table)
		dlclose(object);
	return library->table;
}

const struct spank_user *spank_user_load(struct mesh_err *err)
{
	static struct library user = {
		"spank_mesh_user.so", "spank_user", SPANK_USER_STAMP(struct spank_user), NULL};

	return load_library(&user, err);
}

const struct spank_more *spank_more_load(struct mesh_err *err)
{
	static struct library more = {
		"spank_mesh_more.so", "spank_more", SPANK_USER_STAMP(struct spank_more), NULL};

	return load_library(&more, err);
}
