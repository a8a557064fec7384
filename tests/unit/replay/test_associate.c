/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of a replay: whose jobs they are, and what happens to the machine.
 */
#include "associate.h"

#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "happen.h"
#include "sim/trace_format.h"
#include "support.h"

static char path[] = "/tmp/test_associate.XXXXXX";
static struct trace trace;

static const char *file_with(const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	return path;
}

static int begin(void **state)
{
	struct mesh_err err;
	char one[] = "1 0 -1 60 4 -1 -1 4 60 -1 1 4 2 -1 1 3 -1 -1",
	     other[] = "2 0 -1 60 4 -1 -1 4 60 -1 1 5 -1 -1 -1 -1 -1 -1";
	struct trace_reader reader = {.trace = &trace};
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd) || trace_swf.line(&reader, one, &err) != 1 ||
		trace_swf.line(&reader, other, &err) != 1;
}

static int end(void **state)
{
	(void)state;
	trace_release(&trace);
	return unlink(path);
}

static void is_association(const struct associate_map *map, int job, struct association want)
{
	struct association got = associate_job(map, &trace, job);

	assert_string_equal(got.user, want.user);
	assert_string_equal(got.account, want.account);
	assert_string_equal(got.qos ? got.qos : "-", want.qos ? want.qos : "-");
	assert_string_equal(
		got.partition ? got.partition : "-", want.partition ? want.partition : "-");
	assert_string_equal(got.feature ? got.feature : "-", want.feature ? want.feature : "-");
}

static void maps(void **state)
{
	struct mesh_err err;
	struct associate_map *map = associate_read(NULL, &err);

	(void)state;
	is_association(map, 0, (struct association){"u4", "g2", NULL, NULL, NULL});
	is_association(map, 1, (struct association){"u5", "log", NULL, NULL, NULL});
	associate_free(map);
	map = associate_read(
		file_with("# first that fits\n"
			  "user=u4 queue=q2 -> account=no\n"
			  "user=u4 queue=q1 in=p3 -> account=chemistry qos=high partition=%in "
			  "feature=big\n"
			  "* -> user=root account=%user # rest\n"),
		&err);
	assert_non_null(map);
	is_association(map, 0, (struct association){"u4", "chemistry", "high", "p3", "big"});
	is_association(map, 1, (struct association){"root", "u5", NULL, NULL, NULL});
	associate_free(map);
}

static void map_is_wrong(const char *text, const char *what)
{
	struct mesh_err err = {{0}};

	assert_null(associate_read(file_with(text), &err));
	if (!strstr(err.text, what))
		fail_msg("'%s' instead of '%s'", err.text, what);
}

static void wrong_maps(void **state)
{
	(void)state;
	map_is_wrong("* -> account=a\nuser=u1 account=b\n", ":2: 'account=b' is not user=");
	map_is_wrong("user=u1\n", ":1: no ->");
	map_is_wrong("* -> colour=red\n", "'colour=red' is not user=, account=");
	map_is_wrong("* -> account=\n", "'account=' is not");
}

static void happens(void **state)
{
	struct happenings all;
	struct mesh_err err;

	(void)state;
	assert_int_equal(happen_read(&all,
				 file_with("1-00:00:10 up n[0-3]\n"
					   "# maintenance\n"
					   "0 reserve ALL name=m start=2:00:00 duration=3600 "
					   "flags=maint,ignore_jobs\n"
					   "86410 down n4\n"),
				 &err),
		0);
	assert_int_equal(all.count, 3);
	assert_int_equal(all.list[0].kind, HAPPEN_RESERVE);
	assert_int_equal(all.list[0].start, 7200);
	assert_int_equal(all.list[0].duration, 3600);
	assert_true(all.list[0].flags == (RESERVE_FLAG_MAINT | RESERVE_FLAG_IGN_JOBS));
	assert_int_equal(all.list[1].kind, HAPPEN_UP);
	assert_int_equal(all.list[1].when, 86410);
	assert_int_equal(all.list[2].kind, HAPPEN_DOWN);
	assert_string_equal(all.list[2].nodes, "n4");
	happen_release(&all);
}

static void happening_is_wrong(const char *text, const char *what)
{
	struct happenings all;
	struct mesh_err err = {{0}};

	assert_int_equal(happen_read(&all, file_with(text), &err), -1);
	happen_release(&all);
	if (!strstr(err.text, what))
		fail_msg("'%s' instead of '%s'", err.text, what);
}

static void wrong_happenings(void **state)
{
	(void)state;
	happening_is_wrong("10 down\n", ":1: WHEN down|up|reserve NODES");
	happening_is_wrong("0 down n1\nsoon up n1\n", ":2: 'soon' is not a time");
	happening_is_wrong("1 explode n1\n", "'explode' is not down, up or reserve");
	happening_is_wrong("1 reserve ALL name=a\n", "duration=");
	happening_is_wrong("1 reserve ALL name=a duration=60 flags=pink\n", "no such flag: pink");
	happening_is_wrong("1 reserve ALL name=a duration=x\n", "duration=x is not a time");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps),
		cmocka_unit_test(wrong_maps),
		cmocka_unit_test(happens),
		cmocka_unit_test(wrong_happenings),
	};

	return cmocka_run_group_tests_name("files of a replay", tests, begin, end);
}
