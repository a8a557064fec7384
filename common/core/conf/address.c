/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/address.h"

#include <stdio.h>
#include <string.h>

#include "base/textfile.h"

static int find_mesh(const struct topoconf *topo, const char *unit, size_t length)
{
	for (int i = 0; i < topo->nmeshes; i++)
		if (strlen(topo->mesh[i]->name) == length &&
			!strncmp(topo->mesh[i]->name, unit, length))
			return i;
	return -1;
}

int address_parse(const struct topoconf *topo, const char *unit, struct address *where,
	struct mesh_err *err)
{
	size_t length = strcspn(unit, ":");
	int coord[MESH_MAX_DIMS] = {0}, found;
	const char *at = unit + length;
	const struct mesh *mesh;

	if (!*at)
		at = unit + (length = strcspn(unit, "."));
	if ((found = find_mesh(topo, unit, length)) < 0)
		return err_printf(err, "no mesh of that name: '%.64s'", unit);
	mesh = topo->mesh[found];
	at += *at != '\0';
	for (int d = 0; d < mesh->ndims; d++, at += *at != '\0')
		if ((coord[d] = textfile_number(&at, mesh->side[d] - 1)) < 0 ||
			(*at && !strchr(":.", *at)))
			return err_printf(err,
				"expected %s and %d coordinates inside the mesh, as %s:0...: "
				"'%.64s'",
				mesh->name, mesh->ndims, mesh->name, unit);
	if (*at)
		return err_printf(err, "more than %d coordinates: '%.64s'", mesh->ndims, unit);
	*where = (struct address){found, mesh_vertex(mesh, coord)};
	return 0;
}

bool address_find(const struct topoconf *topo, const char *topology,
	struct address *where)
{
	struct mesh_err err;
	char word[256];

	while (topology && *topology) {
		size_t length = strcspn(topology, ","), name = strcspn(topology, ":,");

		if (name < length && length - name <= sizeof(word)) {
			memcpy(word, topology + name + 1, length - name - 1);
			word[length - name - 1] = '\0';
			if (!address_parse(topo, word, where, &err))
				return true;
		}
		topology += length + (topology[length] == ',');
	}
	return false;
}

void address_text(const struct mesh *mesh, int vertex, char *text, size_t size)
{
	size_t length = (size_t)snprintf(text, size, "%s", mesh->name);

	for (int d = 0; d < mesh->ndims && length < size; d++)
		length += (size_t)snprintf(
			text + length, size - length, ":%d", mesh->coord[vertex][d]);
}
