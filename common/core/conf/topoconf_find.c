/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/topoconf.h"

#include <string.h>

const struct mesh *topoconf_find(const struct topoconf *conf, const char *name,
	struct mesh_err *err)
{
	if (!name && conf->nmeshes == 1)
		return conf->mesh[0];
	for (int i = 0; name && i < conf->nmeshes; i++)
		if (!strcmp(conf->mesh[i]->name, name))
			return conf->mesh[i];
	if (name)
		err_printf(err, "there is no mesh '%.64s'", name);
	else
		err_printf(err, "there are %d meshes: name one, as by --mesh=%.64s", conf->nmeshes,
			conf->mesh[0]->name);
	return NULL;
}
