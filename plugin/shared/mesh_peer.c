/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_peer.h"

#include <inttypes.h>
#include <stdio.h>

#include "compat/slurm_compat.h"
#include "shared/job_test.h"
#include "shared/mesh_state.h"

static const char name[] = "mesh_map";

struct peer {
	int index;
	char host[256];
	uint64_t hash;
};

/* Who had control last; false if nobody has said so. */
static bool last(struct peer *peer)
{
	char *path = mesh_state_path(name);
	FILE *file = fopen(path, "re");
	bool known = file &&
		fscanf(file, "%d %255s %" SCNx64, &peer->index, peer->host, &peer->hash) == 3;

	if (file)
		fclose(file);
	xfree(path);
	return known;
}

void mesh_peer_compare(const struct topoconf *topo)
{
	struct peer peer;

	if (last(&peer) && peer.index != backup_inx && peer.hash != topoconf_hash(topo))
		error("%s: the map here is not that of %s, which had control last: copy the right "
		      "topology.conf to every controller",
			plugin_type, peer.host);
}

void mesh_peer_take(const struct topoconf *topo)
{
	uint64_t hash = topoconf_hash(topo);
	struct peer peer;
	char *text;

	if (compat_only_tests())
		return;
	mesh_peer_compare(topo);
	if (last(&peer) && peer.index == backup_inx && peer.hash == hash)
		return;
	text = xstrdup_printf(
		"%d %s %016" PRIx64 "\n", backup_inx, slurm_conf.control_machine[backup_inx], hash);
	if (mesh_state_write(name, text, strlen(text), true))
		error("%s: %s cannot be written to StateSaveLocation: %m", plugin_type, name);
	xfree(text);
}
