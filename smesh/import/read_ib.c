/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * InfiniBand: switches are vertices, hosts the nodes on them. What hosts say of their own ports is
 * not looked at, as the switches say it too.
 */
#include <stdio.h>
#include <string.h>

#include "import/reader.h"

/* The text between the first pair of quotes, cut out of the line; *rest is what follows. NULL:
 * there is none. */
static char *quoted(char *text, char **rest)
{
	char *from = strchr(text, '"'), *to = from ? strchr(from + 1, '"') : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	*rest = to + 1;
	return from + 1;
}

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
	if (!(id = quoted(text, &rest)) || !(description = quoted(rest, &rest)))
		return err_printf(r->err, "expected \"ID\" and # \"DESCRIPTION\"");
	if (!port)
		snprintf(r->switch_name, sizeof(r->switch_name), "%s", head ? id : "");
	if (!*r->switch_name)
		return 0;
	return port ? add_port(r, *id == 'S' ? id : NULL, description)
		    : cables_vertex(r->cables, id, r->err) < 0 ? -1 : 0;
}

const struct format format_ibnetdiscover = {
	.name = "ibnetdiscover",
	.line = net_line,
};
