/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh links: the file of broken links that topology.conf names, for people and for what watches
 * the machine.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/linkstext.h"
#include "cli/output.h"
#include "cli/smesh.h"
#include "cmd/commands.h"

struct session {
	const char *topology;
	const struct topoconf *conf;
	char **pair; /* [npairs] A:B of the command line */
	int npairs;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {OPTION_TOPOLOGY, {0}};

/* Is the line this pair, either end first? Without its end, blanks and comment. */
static bool is_pair(const char *line, const char *pair)
{
	size_t length = strcspn(line, "# \t\n"), first = strcspn(pair, ":");
	size_t second = strlen(pair) - first - 1;

	if (length != first + 1 + second)
		return false;
	return !strncmp(line, pair, length) ||
		(!strncmp(line, pair + first + 1, second) && line[second] == ':' &&
			!strncmp(line + second + 1, pair, first));
}

static int check_pair(const struct session *s, char *pair)
{
	char *colon = strchr(pair, ':');
	bool link = false;

	if (!colon)
		return smesh_fail(SMESH_USAGE, "links: %s is not A:B, two nodes", pair);
	*colon = '\0';
	link = linkstext_is_link(s->conf, pair, colon + 1);
	*colon = ':';
	return link ? SMESH_OK : smesh_fail(SMESH_USAGE, "links: no link joins %s", pair);
}

/* The lines of the file, but for those of the pairs. */
static void copy_others(const struct session *s, FILE *from, FILE *to)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, from) >= 0) {
		bool ours = false;

		for (int i = 0; i < s->npairs; i++)
			ours |= is_pair(line, s->pair[i]);
		if (!ours)
			fprintf(to, "%s%s", line, strchr(line, '\n') ? "" : "\n");
	}
	free(line);
}

static int edit(const struct session *s, bool broken)
{
	struct output out;
	int code = SMESH_OK;
	FILE *old;

	if (!s->conf->down_file)
		return smesh_fail(SMESH_USAGE, "links: topology.conf has no DownLinksFile=");
	if (!s->npairs)
		return smesh_fail(SMESH_USAGE, "links: which? A:B, two nodes");
	for (int i = 0; i < s->npairs && code == SMESH_OK; i++)
		code = check_pair(s, s->pair[i]);
	if (code != SMESH_OK)
		return code;
	old = fopen(s->conf->down_file, "re");
	if (!old && errno != ENOENT)
		return smesh_fail(SMESH_USAGE, "%s: %s", s->conf->down_file, strerror(errno));
	code = output_open(&out, s->conf->down_file);
	if (old && code == SMESH_OK)
		copy_others(s, old, out.file);
	if (old)
		fclose(old);
	for (int i = 0; broken && i < s->npairs && code == SMESH_OK; i++)
		fprintf(out.file, "%s\n", s->pair[i]);
	return code == SMESH_OK ? output_close(&out) : code;
}

static int list(const struct topoconf *conf)
{
	for (int m = 0; m < conf->nmeshes; m++)
		linkstext_list(conf->mesh[m], stdout, "", "\n", INT_MAX);
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	const char *what;
	struct session s = {0};
	struct topoconf *conf;
	int code = options_read(&cmd_links, argc, argv, &s);

	if (code)
		return code;
	what = optind < argc ? argv[optind++] : "list";
	s.pair = argv + optind;
	s.npairs = argc - optind;
	if (!(conf = smesh_read_topology(s.topology)))
		return SMESH_USAGE;
	s.conf = conf;
	if (!strcmp(what, "list") && !s.npairs)
		code = list(conf);
	else if (!strcmp(what, "down") || !strcmp(what, "up"))
		code = edit(&s, !strcmp(what, "down"));
	else
		code = smesh_fail(SMESH_USAGE, "links: expected list, down A:B... or up A:B...");
	topoconf_free(conf);
	return code;
}

const struct command cmd_links = {
	.name = "links",
	.summary = "broken links: list them, or say that some are broken or mended",
	.usage = "[-t FILE] [list | down A:B... | up A:B...]",
	.options = options,
	.operands = 1 << 20,
	.run = run,
};
