/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * InfiniBand: switches are vertices, hosts the nodes on them. What hosts say of their own ports is
 * not looked at, as the switches say it too.
 */
#include <stdio.h>
#include <string.h>

#include "import/reader.h"

/* The host of a channel adapter is the first word of its description. */
static int add_host(struct reader *r, int vertex, char *description)
{
	if (strstr(description, "Aggregation Node"))
		return 0; /* a part of a switch */
	description[strcspn(description, " \t")] = '\0';
	return cables_node(r->cables, description, vertex, r->err);
}

static int add_port(struct reader *r, const char *peer, char *description)
{
	int v = cables_vertex(r->cables, r->switch_name, r->err), u;

	if (v < 0 || !peer)
		return v < 0 ? -1 : add_host(r, v, description);
	u = cables_vertex(r->cables, peer, r->err);
	return u < 0 ? -1 : cables_add(r->cables, v, u, r->err);
}

/*
 * Switch  8 "S-000000000020000a"   # "sw_2_2" base port 0 lid 3 lmc 0
 * [1]  "S-000000000020000b"[2]     # "sw_3_2" lid 4 4xSDR
 * [5]  "H-0000000000100028"[1](100029)   # "node20 HCA-1" lid 9 4xSDR
 */
static int net_line(struct reader *r, char *text)
{
	bool port = *text == '[', head = !strncmp(text, "Switch", 6);
	char *rest, *id, *description;

	if (!port && !head && strncmp(text, "Ca", 2) && strncmp(text, "Rt", 2))
		return 0;
	if (!(id = reader_quoted(text, &rest)) || !(description = reader_quoted(rest, &rest)))
		return err_printf(r->err, "expected \"ID\" and # \"DESCRIPTION\"");
	if (!port)
		snprintf(r->switch_name, sizeof(r->switch_name), "%s", head ? id : "");
	if (!*r->switch_name)
		return 0;
	return port ? add_port(r, *id == 'S' ? id : NULL, description)
		    : cables_vertex(r->cables, id, r->err) < 0 ? -1 : 0;
}

/* LID and "description" are a switch's name: each may be that of several. */
static int link_name(struct reader *r, const char *at, const char *description, char *name)
{
	int lid, port;

	if (sscanf(at, " %d %d [", &lid, &port) != 2)
		return err_printf(r->err, "expected LID PORT[ ] (iblinkinfo without options)");
	snprintf(name, sizeof(r->switch_name), "%d %.140s", lid, description);
	return 0;
}

/*
 * Switch: 0x000000000020000a sw_2_2:
 *        3    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>    4    2[  ] "sw_3_2" ( )
 *        3    7[  ] ==(                Down/ Polling)==>             [  ] "" ( )
 *
 * Whether a peer is a switch is known when all lines are read: in the second pass.
 */
static int link_line(struct reader *r, char *text)
{
	char *peer = strstr(text, ")==>"), *rest, *description, *colon;
	char name[sizeof(r->switch_name)];

	if (!peer) {
		*r->node_name = *r->switch_name = '\0';
		if (sscanf(text, "Switch: %*s %150[^\n]", r->node_name) == 1 &&
			(colon = strrchr(r->node_name, ':')))
			*colon = '\0';
		return 0;
	}
	if (!*r->node_name)
		return 0;
	if (link_name(r, text, r->node_name, r->switch_name))
		return -1;
	if (!r->pass)
		return cables_vertex(r->cables, r->switch_name, r->err) < 0 ? -1 : 0;
	if (!(description = reader_quoted(peer, &rest)) || !*description)
		return 0;
	if (link_name(r, peer + 4, description, name))
		return -1;
	return add_port(r, cables_find_vertex(r->cables, name) < 0 ? NULL : name, description);
}

const struct format format_ibnetdiscover = {
	.name = "ibnetdiscover",
	.line = net_line,
};

const struct format format_iblinkinfo = {
	.name = "iblinkinfo",
	.line = link_line,
	.twice = true,
};
