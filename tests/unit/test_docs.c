/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every key of the configuration is in its man page. (tests/cli/docs.t: every option.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/settings.h"
#include "support.h"
#include "config/topoconf.h"
#include "config/useroptions.h"

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
	while ((key = topoconf_key(n++)))
		is_item(page, "topology.conf.mesh.5", key);
	assert_true(n > 10);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_described),
		cmocka_unit_test(user_options_are_described),
		cmocka_unit_test(topology_is_described),
	};

	return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
