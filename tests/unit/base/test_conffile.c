/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Configuration as Slurm reads it: lines, pairs, and files that are included.
 */
#include "base/conffile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/textfile.h"
#include "support.h"

static char seen[4096];

/* Each line as PATH:LINE:TEXT| */
static int note(void *data, char *text, struct conffile_place at)
{
	size_t n = strlen(seen);
	const char *slash = strrchr(at.path, '/');

	(void)data;
	snprintf(seen + n, sizeof(seen) - n, "%s:%d:%s|", slash ? slash + 1 : at.path, at.line,
		text);
	return strcmp(text, "stop") ? 0 : 7;
}

static void expect_bytes(const char *text, size_t size, const char *lines)
{
	struct arena arena = {0};
	struct mesh_err err;
	const struct conffile c = {.take = note, .arena = &arena, .err = &err};

	*seen = '\0';
	assert_int_equal(conffile_parse(&c, text, size, "t"), 0);
	assert_string_equal(seen, lines);
	arena_release(&arena);
}

static void expect(const char *text, const char *lines)
{
	expect_bytes(text, strlen(text), lines);
}

static void lines(void **state)
{
	(void)state;
	expect("a\nb", "t:1:a|t:2:b|");
	expect("\xEF\xBB\xBF" "a\n\xEF\xBB\xBFz\n", "t:1:a|t:2:\xEF\xBB\xBFz|");
	expect("\xEF\xBB\xBF", "");
	expect("x=n[0-7],\\\nn[8-15]\ny", "t:1:x=n[0-7],n[8-15]|t:3:y|");
	expect("x=\\  \r\n1,\\\n2\r\n", "t:1:x=1,2|");
	expect("x=\\ # said of x\n1\n", "t:1:x=1|");
	expect("x=1 # \\\ny=2\n", "t:1:x=1|t:2:y=2|");
	expect("x=\\\n# nothing\n1\n", "t:1:x=|t:3:1|");
	expect("a\\#b \\\\# c\n\\d\\\\e\n", "t:1:a#b \\|t:2:d\\e|");
	expect("a\\\\\nb\n", "t:1:a\\|t:2:b|");
	expect("a\\", "t:1:a|");
	expect("Includes x\ninclude\n", "t:1:Includes x|t:2:include|");
	expect("  a\n\tb", "t:1:a|t:2:b|");
	expect("a \\\n \nb", "t:1:a|t:3:b|");
	expect("a\\\\", "t:1:a\\|");
	expect_bytes("a\0b\nc", 5, "t:1:a|t:2:c|");
}

static void pairs(void **state)
{
	static const struct {
		const char *line, *found;
	} cases[] = {
		{"a=b c=d", "a=b;c=d;"},
		{"a = b\tc= d e =f", "a=b;c=d;e=f;"},
		{"a=\"b c\" d=\"\"", "a=b c;d=;"},
		{"a=\"b\"c d=\"e", "a=\"b\"c;d=\"e;"},
		{"a=", "a=;"},
		{"a=b=c", "a=b=c;"},
		{"a=b c d=e", "a=b;c?d=e;"},
		{"a", "a?"},
		{"=b", "=b;"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char line[64], found[64] = "", *rest = line, *key, *value;
		int one;

		strcpy(line, cases[i].line);
		while ((one = conffile_pair(&rest, &key, &value)))
			snprintf(found + strlen(found), sizeof(found) - strlen(found),
				one > 0 ? "%s=%s;" : "%s?", key, one > 0 ? value : "");
		assert_string_equal(found, cases[i].found);
	}
}

static void values(void **state)
{
	char plain[] = "DownLinksFile = my links", quoted[] = "Link=\"a,b, 2\"";

	(void)state;
	assert_true(conffile_begins(plain, "downlinksfile"));
	assert_false(conffile_begins(plain, "downlinks"));
	assert_string_equal(conffile_value(plain), "my links");
	assert_string_equal(conffile_value(quoted), "a,b, 2");
	assert_string_equal(conffile_value((char[]){"a=\"b\" c"}), "\"b\" c");
}

/* --- files -------------------------------------------------------------------------- */

static int enter(void **state)
{
	return enter_folder(state) || mkdir("sub", 0700);
}

/* What reading `name` returns; lines in seen. */
static int read_one(const char *name, bool beside_own, struct mesh_err *err)
{
	struct arena arena = {0};
	char *cluster = (char[]){"Big"};
	const struct conffile c = {.take = note, .arena = &arena, .err = err, .cluster = &cluster,
		.beside_own = beside_own};
	int result;

	*seen = '\0';
	result = conffile_read(&c, name);
	arena_release(&arena);
	return result;
}

static void includes(void **state)
{
	struct mesh_err err;

	(void)state;
	put_file("a", "1\ninclude b\nINCLUDE\tsub/c.%c.conf \n2\nInclude b\n3\n");
	put_file("b", "in b\n");
	put_file("sub/c.big.conf", "\nin c\nInclude d\n");
	put_file("d", "in d\n");
	put_file("sub/d", "in sub/d\n");
	assert_int_equal(read_one("a", false, &err), 0);
	assert_string_equal(seen,
		"a:1:1|b:1:in b|c.big.conf:2:in c|d:1:in d|a:4:2|b:1:in b|a:6:3|");
	assert_int_equal(read_one("a", true, &err), 0);
	assert_non_null(strstr(seen, "|d:1:in sub/d|"));
	put_file("b", "stop\nno more\n");
	assert_int_equal(read_one("a", false, &err), 7);
	assert_string_equal(seen, "a:1:1|b:1:stop|");
	put_file("a", "Include sub/c.%c.conf # what is there\nInclude none\n");
	assert_int_equal(read_one("a", false, &err), -1);
	assert_string_equal(err.text, "a:2: Include: none: No such file or directory");
	put_file("a", "Include b c\n");
	assert_int_equal(read_one("a", false, &err), -1);
	assert_string_equal(err.text, "a:1: expected Include FILE, not more words");
}

/* Names with %, names that are too long, and what smesh asks for beside. */
static void names(void **state)
{
	static char long_cluster[5000], *cluster = long_cluster, line[9000];
	struct arena arena = {0};
	struct mesh_err err;
	struct conffile c = {.take = note, .arena = &arena, .err = &err};

	(void)state;
	put_file("b%d", "in b%d\n");
	put_file("a", "Include b%d\nInclude none*\n");
	c.skip_globs = c.any_kind = true;
	*seen = '\0';
	assert_int_equal(conffile_read(&c, "a"), 0);
	assert_string_equal(seen, "b%d:1:in b%d|");
	c.skip_globs = c.any_kind = false;
	put_file("a", "Include x.%c\n");
	assert_int_equal(conffile_read(&c, "a"), -1);
	assert_string_equal(err.text, "a:1: Include x.%c: %c is the ClusterName= of a line above, "
		"and there is none");
	memset(long_cluster, 'C', sizeof(long_cluster) - 1);
	c.cluster = &cluster;
	assert_int_equal(conffile_read(&c, "a"), -1);
	assert_string_equal(err.text, "a:1: Include: the path is too long");
	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "Include ", 8);
	put_file("a", line);
	assert_int_equal(conffile_read(&c, "a"), -1);
	assert_string_equal(err.text, "a:1: Include: the path is too long");
	line[8 + 4093] = '\0'; /* with sub/ before it */
	put_file("sub/a", line);
	assert_int_equal(conffile_read(&c, "sub/a"), -1);
	assert_string_equal(err.text, "sub/a:1: Include: the path is too long");
	c.err = NULL;
	assert_int_equal(conffile_read(&c, "a"), -1);
	arena_release(&arena);
}

static int any_line(void *data, char *text, int line)
{
	(void)text;
	*(int *)data = line;
	return 0;
}

/* Files of any kind; and those that are no configuration. */
static void kinds(void **state)
{
	struct mesh_err err;
	size_t left = 16;
	bool flag = true;
	int line = 0;

	(void)state;
	put_file("a", "\n\n1\n");
	assert_int_equal(textfile_read("a", any_line, &line, &err), 0);
	assert_int_equal(line, 3);
	assert_int_equal(textfile_read("/dev/null", any_line, &line, &err), 0);
	assert_int_equal(textfile_read("sub", any_line, &line, &err), -1);
	assert_string_equal(err.text, "sub: Is a directory");
	assert_int_equal(textfile_read("none", any_line, &line, &err), -1);
	assert_string_equal(err.text, "none: No such file or directory");
	assert_int_equal(textfile_read_config("a", any_line, &line, &err), 0);
	/* It says that it is empty, and is not. */
	assert_int_equal(textfile_read_part("/proc/meminfo", &left, any_line, &line, &err), -1);
	assert_string_equal(err.text, "/proc/meminfo: File too large");
	put_file("a", "A=1\n");
	assert_int_equal(textfile_read_part("a", &left, any_line, &line, &err), 0);
	assert_int_equal(left, 12);
	assert_int_equal(textfile_yes_no("YES", &flag) | textfile_yes_no("no", &flag), 0);
	assert_false(flag);
	assert_int_equal(textfile_yes_no("maybe", &flag), -1);
	assert_string_equal(textfile_name("/a/b.conf"), "b.conf");
	assert_string_equal(textfile_name("b.conf"), "b.conf");
}

/* A zero byte tells of UTF-16, and the line that it is on. */
static void zero(void **state)
{
	struct mesh_err err;
	int line;
	FILE *file = fopen("a", "w");

	(void)state;
	assert_non_null(file);
	assert_int_equal(fwrite("1\n2\0\n", 1, 5, file), 5);
	fclose(file);
	assert_int_equal(textfile_read_config("a", any_line, &line, &err), -1);
	assert_string_equal(err.text, "a:2: a NUL byte (UTF-16? Expected UTF-8)");
}

/* What never ends ends. */
static void bounds(void **state)
{
	struct mesh_err err;
	FILE *file;

	(void)state;
	put_file("a", "Include a\n");
	assert_int_equal(read_one("a", false, &err), -1);
	assert_string_equal(err.text, "a:1: Include is nested deeper than 16");
	put_file("b", "");
	file = fopen("a", "w");
	assert_non_null(file);
	for (int i = 0; i <= CONFFILE_FILES; i++)
		fputs("Include b\n", file);
	fclose(file);
	assert_int_equal(read_one("a", false, &err), -1);
	assert_string_equal(err.text, "a:1025: Include: more than 1024 files");
	put_file("a", "Include b\nInclude b\n");
	assert_int_equal(truncate("b", (TEXTFILE_MAX_CONFIG >> 1) + 4096), 0);
	file = fopen("b", "r+"); /* one line of a comment */
	assert_non_null(file);
	for (long i = 0; i < (TEXTFILE_MAX_CONFIG >> 1) + 4096; i++)
		fputc('#', file);
	fclose(file);
	assert_int_equal(read_one("a", false, &err), -1);
	assert_non_null(strstr(err.text, "a:2: Include: b: larger than 64 MiB with the files"));
	put_file("a", "Include sub\n");
	assert_int_equal(read_one("a", false, &err), -1);
	assert_string_equal(err.text, "a:1: Include: sub: not a regular file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(pairs),
		cmocka_unit_test(values),
		cmocka_unit_test(includes),
		cmocka_unit_test(names),
		cmocka_unit_test(kinds),
		cmocka_unit_test(zero),
		cmocka_unit_test(bounds),
	};

	return cmocka_run_group_tests_name("conffile", tests, enter, leave_folder);
}
