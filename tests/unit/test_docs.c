/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every key of the configuration is in its man page and in doc/stable.md. (tests/cli/docs.t: every
 * option. tests/cli/stable.t: what smesh prints.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "conf/draft.h"
#include "conf/jobenv.h"
#include "conf/settings.h"
#include "support.h"
#include "conf/topoconf.h"
#include "conf/useroptions.h"

/* A page without the marks of roff: no fonts, no escaped dashes. malloc()ed. */
static char *read_page(const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *text = calloc(1, 1 << 20);
	size_t used = 0;
	FILE *file;

	assert_non_null(text);
	snprintf(path, sizeof(path), "%s/doc/%s", srcdir ? srcdir : ".", name);
	if (!(file = fopen(path, "r")))
		fail_msg("%s is missing", path);
	for (int c; (c = fgetc(file)) != EOF && used < (1 << 20) - 1;) {
		if (c == '\\') {
			c = fgetc(file);
			if (c == 'f') {
				fgetc(file);
				continue;
			}
		}
		text[used++] = (char)c;
	}
	fclose(file);
	return text;
}

/* At the beginning of a line, and then = */
static void is_item(const char *page, const char *name, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = page; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, key, length) && at[length] == '=')
			return;
	}
	fail_msg("doc/%s has no item %s=", name, key);
}

static void settings_are_described(void **state)
{
	char *page = read_page("select_mesh.7");
	const char *key;
	int n = 0;

	(void)state;
	while ((key = mesh_settings_key(n++)))
		is_item(page, "select_mesh.7", key);
	assert_true(n > 8);
	is_item(page, "select_mesh.7", "mesh_strategy_PARTITION");
	is_item(page, "select_mesh.7", "mesh_pattern_PARTITION");
	free(page);
}

static void user_options_are_described(void **state)
{
	char *page = read_page("select_mesh.7"), item[128];

	(void)state;
	for (int i = 0; useroptions_table[i].option; i++) {
		snprintf(item, sizeof(item), "--%s", useroptions_table[i].option);
		is_item(page, "select_mesh.7", item);
	}
	free(page);
}

static void topology_is_described(void **state)
{
	char *page = read_page("topology.conf.mesh.5");
	const char *key;
	int n = 0;

	(void)state;
	while ((key = draft_key(n++)))
		is_item(page, "topology.conf.mesh.5", key);
	assert_true(n > 10);
	free(page);
}

/* The indented lines of a section are the words that name() gives, in this order, and `more`. */
static void is_promised(const char *section, const char *(*name)(int), const char *more)
{
	char *page = read_page("stable.md"), *at = strstr(page, section), *next;
	char found[4096] = "", wanted[4096] = "";

	assert_non_null(at);
	if ((next = strstr(at + 1, "\n## ")))
		*next = '\0';
	for (char *line = strtok(at, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, "    ", 4))
			snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s ",
				line + 4);
	for (int i = 0; name(i); i++)
		snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), "%s ", name(i));
	strncat(wanted, more, sizeof(wanted) - strlen(wanted) - 1);
	assert_string_equal(found, wanted);
	free(page);
}

static const char *option_name(int i)
{
	return useroptions_table[i].option;
}

static const char *variable_name(int i)
{
	return i < JOBENV_VARIABLES ? jobenv_names[i] : NULL;
}

static void promises_are_kept(void **state)
{
	(void)state;
	is_promised("\n## topology.conf", draft_key, "");
	is_promised("\n## SchedulerParameters", mesh_settings_key, "");
	is_promised("\n## Options of sbatch", option_name, "mesh-ranks mesh-learn ");
	is_promised("\n## Variables in jobs", variable_name, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_described),
		cmocka_unit_test(user_options_are_described),
		cmocka_unit_test(topology_is_described),
		cmocka_unit_test(promises_are_kept),
	};

	return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
