/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What all subcommands share: messages, the map, host lists, terminals.
 */
#include "cli/smesh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/textfile.h"
#include "base/hostlist.h"
#include "cli/output.h"
#include "sim/need.h"

const char *smesh_strategy_files[SMESH_STRATEGY_FILES + 1];

/* Write a word as a shell reads it. */
static void put_word(FILE *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_=+./,:@%";
	bool quoted = !*word || word[strspn(word, plain)];

	fputs(quoted ? "'" : "", to);
	for (; *word; word++)
		if (quoted && *word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	fputs(quoted ? "'" : "", to);
}

char *smesh_command_text(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	fputs("smesh", to);
	for (int i = 0; smesh_strategy_files[i]; i++) {
		fputs(" --strategies=", to);
		put_word(to, smesh_strategy_files[i]);
	}
	for (int i = 0; i < argc; i++) {
		fputc(' ', to);
		put_word(to, argv[i]);
	}
	need_done(fclose(to));
	return text;
}

static void tell(const char *text)
{
	smesh_fail(SMESH_USAGE, "%s", text);
}

struct topoconf *smesh_read_topology(const char *path)
{
	char beside[4096];

	if (!path) {
		path = smesh_beside_slurm_conf("topology.conf", beside, sizeof(beside));
		if (access(path, R_OK)) {
			smesh_fail(SMESH_USAGE,
				"no topology.conf: %s: %s (name one with -t FILE)", path,
				strerror(errno));
			return NULL;
		}
	}
	return topoconf_check(path, &hostlist_libslurm, tell);
}

const struct mesh *smesh_open_mesh(struct topoconf **conf, const char *path, const char *name)
{
	struct mesh_err err = {{0}};
	const struct mesh *mesh;
	char beside[4096];

	if (!(*conf = smesh_read_topology(path)))
		return NULL;
	if (!(mesh = topoconf_find(*conf, name, &err)))
		smesh_fail(SMESH_USAGE, "%s: %s",
			path ? path
			     : smesh_beside_slurm_conf("topology.conf", beside, sizeof(beside)),
			err.text);
	return mesh;
}

int smesh_read_lines(const char *path, int (*take)(void *data, char *text, int line), void *data)
{
	bool standard = output_is_standard(path);
	FILE *file = standard ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	int code = SMESH_OK;

	for (int line = 1; file && !code && getline(&text, &room, file) >= 0; line++)
		code = take(data, text, line);
	if (!file || (!code && ferror(file)))
		code = smesh_fail(SMESH_USAGE, "%s: %s", path, strerror(errno));
	free(text);
	if (file && !standard)
		fclose(file);
	return code;
}

bool smesh_is_listed(const char *list, const char *word, size_t length)
{
	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && !strncmp(at, word, length))
			return true;
	return false;
}

bool smesh_is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && !(term && !strcmp(term, "dumb"));
}

bool smesh_has_colour(int fd)
{
	const char *none = getenv("NO_COLOR"); /* no-color.org: any value counts but an empty one */

	return smesh_is_terminal(fd) && !(none && *none);
}

const char *smesh_beside_slurm_conf(const char *name, char *path, size_t size)
{
	const char *conf = getenv("SLURM_CONF");

	textfile_beside(conf && strchr(conf, '/') ? conf : "/etc/slurm/", name, path, size);
	return path;
}

int smesh_expand(const char *text, struct arena *arena, char ***name, struct mesh_err *err)
{
	int n = *text ? hostlist_check(text, err) : 0;

	return n > 0 ? hostlist_libslurm.expand(text, arena, name, err) : n;
}

int smesh_hosts_to_nodes(const struct mesh *mesh, const char *text, struct arena *arena, int **node,
	struct mesh_err *err)
{
	char **name;
	int n = smesh_expand(text, arena, &name, err);

	need_array(arena, *node, n > 0 ? n : 0);
	for (int i = 0; i < n; i++)
		if (((*node)[i] = mesh_node(mesh, name[i])) < 0)
			return err_printf(err, "mesh %s has no node %s", mesh->name, name[i]);
	return n;
}

int smesh_hosts_to_set(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct mesh_err *err)
{
	struct arena arena = {0};
	int *node, n = smesh_hosts_to_nodes(mesh, text, &arena, &node, err);

	for (int i = 0; i < n; i++)
		nodeset_add(set, node[i]);
	arena_release(&arena);
	return n < 0 ? -1 : 0;
}

int smesh_hosts_here(const struct mesh *mesh, const char *text, struct nodeset *set,
	struct arena *arena, struct mesh_err *err)
{
	char **name = NULL;
	int n, here = 0;

	need_done(nodeset_get(set, mesh->nnodes, arena));
	if (!text || !*text)
		return 0;
	if (hostlist_check_any(text, err) < 0 ||
		(n = hostlist_libslurm.expand(text, arena, &name, err)) < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		int at = mesh_node(mesh, name[i]);

		here += at >= 0;
		if (at >= 0)
			nodeset_add(set, at);
	}
	return n - here;
}

char *smesh_nodes_to_hosts(const struct mesh *mesh, const int *node, int count)
{
	char **name = need(malloc(((size_t)count + 1) * sizeof(*name)));
	char *text;

	for (int i = 0; i < count; i++)
		name[i] = mesh->node_name[node[i]];
	text = need(hostlist_libslurm.compress(name, count));
	free(name);
	return text;
}
