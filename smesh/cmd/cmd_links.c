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

static const struct option_row options[] = {OPTION_TOPOLOGY, {0}};

struct session {
	const struct topoconf *conf;
	char **pair; /* [npairs] A:B of the command line */
	int npairs;
	bool *seen; /* [npairs] the file has it */
};

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

/* The lines that are there, less those of the pairs if these are mended. */
static void copy_lines(struct session *s, FILE *from, FILE *to, bool mended)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, from) >= 0) {
		bool ours = false;

		for (int i = 0; i < s->npairs; i++)
			if (is_pair(line, s->pair[i]))
				ours = s->seen[i] = true;
		if (ours && mended)
			continue;
		fputs(line, to);
		if (!strchr(line, '\n'))
			putc('\n', to);
	}
	free(line);
}

static int write_pairs(struct session *s, bool mended, FILE *old)
{
	struct output out;

	if (output_open(&out, s->conf->down_file))
		return SMESH_USAGE;
	if (old)
		copy_lines(s, old, out.file, mended);
	for (int i = 0; i < s->npairs; i++) {
		if (mended && !s->seen[i]) {
			output_drop(&out);
			return smesh_fail(SMESH_USAGE, "links: %s has no line %s",
				s->conf->down_file, s->pair[i]);
		}
		if (!mended && !s->seen[i])
			fprintf(out.file, "%s\n", s->pair[i]);
	}
	return output_close(&out);
}

static int edit(struct session *s, bool mended)
{
	int code = SMESH_OK;
	FILE *old;

	if (!s->conf->down_file)
		return smesh_fail(SMESH_USAGE, "links: topology.conf has no DownLinksFile=");
	if (!s->npairs)
		return smesh_fail(SMESH_USAGE, "links: which? A:B, two nodes");
	for (int i = 0; i < s->npairs && !mended && code == SMESH_OK; i++)
		code = check_pair(s, s->pair[i]);
	old = fopen(s->conf->down_file, "re");
	if (code == SMESH_OK && !old && errno != ENOENT)
		code = smesh_fail(SMESH_USAGE, "%s: %s", s->conf->down_file, strerror(errno));
	if (code == SMESH_OK && !(s->seen = calloc((size_t)s->npairs, sizeof(bool))))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	if (code == SMESH_OK)
		code = write_pairs(s, mended, old);
	if (old)
		fclose(old);
	free(s->seen);
	return code;
}

static int list(const struct topoconf *conf)
{
	for (int m = 0; m < conf->nmeshes; m++)
		linkstext_list(conf->mesh[m], stdout, "", "\n", INT_MAX);
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	const char *topology = NULL, *value, *what;
	struct session s = {0};
	struct topoconf *conf;
	int code;

	for (int key; (key = options_next(&cmd_links, argc, argv, &value)) != -1;) {
		if (key != 't')
			return SMESH_USAGE;
		topology = value;
	}
	what = optind < argc ? argv[optind++] : "list";
	s.pair = argv + optind;
	s.npairs = argc - optind;
	if (!(conf = smesh_read_topology(topology)))
		return SMESH_USAGE;
	s.conf = conf;
	if (!strcmp(what, "list") && !s.npairs)
		code = list(conf);
	else if (!strcmp(what, "down") || !strcmp(what, "up"))
		code = edit(&s, !strcmp(what, "up"));
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
	.run = run,
};
