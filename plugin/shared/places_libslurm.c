/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/places_libslurm.h"

#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdlib.h>

#include "conf/places.h"

int places_libslurm_take(
	struct topoconf *topo, const struct node_info_msg *info, struct mesh_err *err)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
	int n = (int)info->record_count, rc;
	struct places_node *node = calloc((size_t)n + 1, sizeof(*node));

	for (int i = 0; node && i < n; i++)
		node[i] = (struct places_node){
			info->node_array[i].name, info->node_array[i].topology_str};
	rc = node ? places_rename(topo, node, n) : -1;
	free(node);
	return rc ? err_printf(err, "out of memory") : 0;
#else
	(void)topo;
	(void)info;
	(void)err;
	return 0;
#endif
}

int places_libslurm_ask(struct topoconf *topo, struct mesh_err *err)
{
	node_info_msg_t *info = NULL;
	int rc;

	if (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0))
		return 0;
	if (slurm_load_node((time_t)0, &info, SHOW_ALL))
		return err_printf(
			err, "cannot ask slurmctld for the nodes: %s", slurm_strerror(errno));
	rc = places_libslurm_take(topo, info, err);
	slurm_free_node_info_msg(info);
	return rc;
}

/* Does the map have all of the hosts? */
static bool knows(const struct topoconf *topo, char *const *host, int n)
{
	bool all = true;

	for (int i = 0; i < n && all; i++) {
		all = false;
		for (int m = 0; m < topo->nmeshes && !all; m++)
			all = mesh_node(topo->mesh[m], host[i]) >= 0;
	}
	return all;
}

int places_libslurm_complete(
	struct topoconf *topo, const char *told, char *const *host, int n, struct mesh_err *err)
{
	enum places_told heard = places_hear(topo, told);

	if (((told && heard == PLACES_NOT_TOLD) || !knows(topo, host, n)) &&
		places_libslurm_ask(topo, err))
		return -1;
	if (heard != PLACES_OTHER)
		return 0;
	err_printf(err, "the map here is another than slurmctld's was when the job began");
	return 1;
}
