/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_tell.h"

#include <inttypes.h>

#include "conf/address.h"
#include "conf/places.h"
#include "shared/mesh_conf.h"

/* Bytes: half of what execve() takes for one variable. */
enum { MOST = 64 * 1024 };

/* Append the node's place, unless the map has the node's name there. */
static void tell_node(const node_record_t *node, char **text, char **end)
{
	const struct mesh *mesh;
	int vertex = mesh_conf_place(node, &mesh);
	char where[512];

	if (vertex < 0 ||
		!xstrcmp(mesh->node_name[mesh_conf()->position[node->index]], node->name))
		return;
	address_text(mesh, vertex, where, sizeof(where));
	xstrfmtcatat(*text, end, "%s%s=:%s", (*end)[-1] == ':' ? "" : ",", node->name, where);
}

/*
 * The script of a heterogeneous job has the variable of its leader alone. The nodes of the other
 * components may not be known yet: it is about all nodes.
 */
static char *compose(const job_record_t *job, bitstr_t *nodes)
{
	char *text = NULL, *end = NULL;
	int n = MIN(mesh_conf()->nnodes, (int)bit_size(nodes));

	xstrfmtcatat(text, &end, "%s=%016" PRIx64 ":", PLACES_VARIABLE, mesh_conf()->hash);
	for (int i = 0; i < n && end - text < MOST; i++)
		if (compat_node(i) && (job->het_job_id || bit_test(nodes, i)))
			tell_node(compat_node(i), &text, &end);
	if (end - text >= MOST) {
		xfree(text);
		xstrfmtcat(text, "%s=%016" PRIx64 ":%s", PLACES_VARIABLE, mesh_conf()->hash,
			PLACES_ASK);
	}
	return text;
}

void mesh_tell(job_record_t *job, bitstr_t *nodes)
{
	static const char name[] = PLACES_VARIABLE "=";
	job_details_t *details = job->details;
	int i = 0;

	if (!mesh_conf() || !details || !nodes)
		return;
	while (i < details->env_cnt && xstrncmp(details->env_sup[i], name, sizeof(name) - 1))
		i++;
	if (i == details->env_cnt)
		xrecalloc(details->env_sup, ++details->env_cnt, sizeof(*details->env_sup));
	xfree(details->env_sup[i]);
	details->env_sup[i] = compose(job, nodes);
}
