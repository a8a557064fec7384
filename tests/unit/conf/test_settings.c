/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/textfile.h"
#include "conf/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "conf/useroptions.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"

#include "support.h"

static void defaults(void **state)
{
	struct mesh_settings s;
	struct mesh_err err;

	(void)state;
	assert_int_equal(mesh_settings_parse("bf_interval=2,defer", &s, &err), 0);
	assert_string_equal(s.ops->name, strategy_for(STRATEGY_DEFAULT)->name);
	assert_int_equal(s.max_wait, -1);
	assert_int_equal(s.max_time, 100000);
	assert_int_equal(s.max_cycle, 1000000);
	assert_null(s.fallback);
	assert_int_equal(s.user_options, MESH_USER_ALL);
	assert_true(s.span);
	assert_false(s.comment || s.log || s.base_linear || s.tight_plans);
	mesh_settings_release(&s);
	assert_int_equal(mesh_settings_parse(NULL, &s, &err), 0);
	mesh_settings_release(&s);
}

static void every_key(void **state)
{
	struct mesh_settings s;
	struct mesh_err err;

	(void)state;
	assert_int_equal(
		mesh_settings_parse("bf_max_job_test=5,mesh_strategy=linear,"
				    "mesh_strategy_big=mc1x1, mesh_base=linear,"
				    "mesh_conf=/etc/mesh.conf,mesh_fallback=mm,"
				    "mesh_max_wait=1:30:00,mesh_max_time=500,mesh_max_cycle=7000,"
				    "mesh_user_options=shape+hint,mesh_comment=yes,mesh_log=yes,"
				    "mesh_span=no,mesh_tight_plans=yes",
			&s, &err),
		0);
	assert_string_equal(s.ops->name, "linear");
	assert_string_equal(mesh_settings_strategy(&s, "big")->name, "mc1x1");
	assert_string_equal(mesh_settings_strategy(&s, "small")->name, "linear");
	assert_string_equal(mesh_settings_strategy(&s, NULL)->name, "linear");
	assert_true(s.base_linear && s.comment && s.log && !s.span && s.tight_plans);
	assert_string_equal(s.conf, "/etc/mesh.conf");
	assert_string_equal(s.fallback->name, "mm");
	assert_int_equal(s.max_wait, 5400);
	assert_int_equal(s.max_time, 500);
	assert_int_equal(s.max_cycle, 7000);
	assert_int_equal(s.user_options, MESH_USER_SHAPE | MESH_USER_HINT);
	mesh_settings_release(&s);
	assert_int_equal(mesh_settings_parse("mesh_base=cons_tres,mesh_fallback=wait,"
					     "mesh_user_options=none+pattern", &s, &err), 0);
	assert_false(s.base_linear || s.fallback);
	assert_int_equal(s.user_options, MESH_USER_PATTERN);
	mesh_settings_release(&s);
	assert_int_equal(mesh_settings_parse("mesh_user_options=all", &s, &err), 0);
	assert_int_equal(s.user_options, MESH_USER_ALL);
	mesh_settings_release(&s);
	/* Who wants no limit for one decision wants none for many, if nothing is said. */
	assert_int_equal(mesh_settings_parse("mesh_max_time=0", &s, &err), 0);
	assert_int_equal(s.max_cycle, 0);
	mesh_settings_release(&s);
	assert_int_equal(mesh_settings_parse("mesh_max_cycle=5,mesh_max_time=0", &s, &err), 0);
	assert_int_equal(s.max_cycle, 5);
	mesh_settings_release(&s);
}

static void refused(void **state)
{
	static const char *const bad[][2] = {
		{"mesh_strategy=quick",
			"SchedulerParameters: mesh_strategy: unknown strategy 'quick' "
			"(smesh strategies lists them)"},
		{"mesh_strategy", "SchedulerParameters: mesh_strategy has no value"},
		{"mesh_stratgy=mm", "SchedulerParameters: unknown key 'mesh_stratgy', "
			"did you mean 'mesh_strategy'?"},
		{"mesh_strategy_=mm", "SchedulerParameters: unknown key "
			"'mesh_strategy_', did you mean 'mesh_strategy'?"},
		{"mesh_pattern=star",
			"SchedulerParameters: mesh_pattern: expected all-to-all, ring, "
			"grid, grid:AxBxC, random, none or mix, not 'star'"},
		{"mesh_pattern_=ring", "SchedulerParameters: unknown key "
			"'mesh_pattern_', did you mean 'mesh_pattern'?"},
		{"mesh_pattern_p=x",
			"SchedulerParameters: mesh_pattern_p: expected all-to-all, "
			"ring, grid, grid:AxBxC, random, none or mix, not 'x'"},
		{"mesh_pattern=grid:",
			"SchedulerParameters: mesh_pattern: a grid has 1 to 6 sides, "
			"like grid:8x8x16, of at most 1048576 ranks"},
		{"mesh_pattern=grid:4x4y",
			"SchedulerParameters: mesh_pattern: a grid has 1 to 6 "
			"sides, like grid:8x8x16, of at most 1048576 ranks"},
		{"mesh_pattern_p=grid:1024x2048",
			"SchedulerParameters: mesh_pattern_p: a grid has 1 to "
			"6 sides, like grid:8x8x16, of at most 1048576 ranks"},
		{"mesh_strategy_p=x", "SchedulerParameters: mesh_strategy_p: unknown strategy 'x' "
			"(smesh strategies lists them)"},
		{"mesh_base=cray",
			"SchedulerParameters: mesh_base: expected cons_tres or linear, not 'cray'"},
		{"mesh_comment=1",
			"SchedulerParameters: mesh_comment: expected yes or no, not '1'"},
		{"mesh_max_wait=soon",
			"SchedulerParameters: mesh_max_wait: not a time like 30, "
			"2:00:00 or infinite: 'soon'"},
		{"mesh_max_time=-1",
			"SchedulerParameters: mesh_max_time: expected microseconds, "
			"0 to 60000000, not '-1'"},
		{"mesh_max_time=5x",
			"SchedulerParameters: mesh_max_time: expected microseconds, "
			"0 to 60000000, not '5x'"},
		{"mesh_strategy=", "SchedulerParameters: mesh_strategy= has no value"},
		{"mesh_strategy=torus3d",
			"SchedulerParameters: mesh_strategy: strategy 'torus3d' is for smesh "
			"alone"},
		{"mesh_fallback=x", "SchedulerParameters: mesh_fallback: unknown strategy 'x' "
			"(smesh strategies lists them)"},
		{"mesh_fallback=ff",
			"SchedulerParameters: mesh_fallback: 'ff' may find no box either"},
		{"mesh_user_options=none+al",
			"SchedulerParameters: mesh_user_options: expected all, "
			"none, or some of strategy+shape+segment+max-wait+hint+pattern, not "
			"'al'"},
		{"mesh_user_options=nine",
			"SchedulerParameters: mesh_user_options: expected all, "
			"none, or some of strategy+shape+segment+max-wait+hint+pattern, not "
			"'nine'"},
		{"mesh_user_options=any",
			"SchedulerParameters: mesh_user_options: expected all, "
			"none, or some of strategy+shape+segment+max-wait+hint+pattern, not "
			"'any'"},
		{"mesh_user_options=some",
			"SchedulerParameters: mesh_user_options: expected all, "
			"none, or some of strategy+shape+segment+max-wait+hint+pattern, not "
			"'some'"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct mesh_settings s;
		struct mesh_err err;

		assert_int_equal(mesh_settings_parse(bad[i][0], &s, &err), -1);
		assert_string_equal(err.text, bad[i][1]);
	}
}

static void times(void **state)
{
	(void)state;
	assert_int_equal(textfile_seconds("5"), 300);
	assert_int_equal(textfile_seconds("0"), 0);
	assert_int_equal(textfile_seconds("1:30"), 90);
	assert_int_equal(textfile_seconds("2:00:01"), 7201);
	assert_int_equal(textfile_seconds("1-0"), 86400);
	assert_int_equal(textfile_seconds("1-2:03:04"), 93784);
	assert_int_equal(textfile_seconds("Infinite"), -1);
	assert_int_equal(textfile_seconds("UNLIMITED"), -1);
	for (const char **bad = (const char *[]){"", "-1", "x", "1:", "1:2:3:4", "1-", "1 ",
		     "1.5", "9999999999", "1:2:", "1:2:x", NULL};
		*bad; bad++)
		assert_int_equal(textfile_seconds(*bad), -2);
}

static void patterns(void **state)
{
	char *env[] = {(char[]){"MESH_PATTERN=ring"}};
	struct mesh_request request = {0};
	struct mesh_settings s;
	struct useroptions asked;
	struct mesh_err err;

	(void)state;
	assert_int_equal(
		mesh_settings_parse("mesh_pattern_a=none,mesh_strategy_b=mm", &s, &err), 0);
	assert_int_equal(mesh_settings_pattern(&s, NULL)->kind, MESH_PATTERN_MIX);
	assert_int_equal(mesh_settings_pattern(&s, "a")->kind, COMM_NONE);
	assert_int_equal(mesh_settings_pattern(&s, "b")->kind, MESH_PATTERN_MIX);
	assert_string_equal(
		mesh_settings_strategy(&s, "a")->name, strategy_for(STRATEGY_DEFAULT)->name);
	assert_string_equal(mesh_settings_strategy(&s, "b")->name, "mm");
	mesh_settings_release(&s);
	assert_int_equal(
		mesh_settings_parse(
			"mesh_pattern=grid,mesh_pattern_a=ring,mesh_strategy_a=mm", &s, &err),
		0);
	assert_int_equal(mesh_settings_pattern(&s, "b")->kind, COMM_GRID);
	assert_int_equal(mesh_settings_pattern(&s, "b")->grid.ndims, 0);
	assert_int_equal(mesh_settings_pattern(&s, "a")->kind, COMM_RING);
	assert_string_equal(mesh_settings_strategy(&s, "a")->name, "mm");
	assert_int_equal(s.npartitions, 1);
	mesh_settings_release(&s);
	assert_int_equal(useroptions_read(&asked, NULL, 0, MESH_USER_ALL, &err), 0);
	assert_int_equal(asked.pattern.kind, MESH_PATTERN_UNSAID);
	assert_int_equal(useroptions_read(&asked, env, 1, MESH_USER_ALL, &err), 0);
	assert_int_equal(asked.pattern.kind, COMM_RING);
	assert_int_equal(useroptions_read(&asked, env, 1, MESH_USER_HINT, &err), 1);
	env[0] = (char[]){"MESH_PATTERN=grid:2x16"};
	assert_int_equal(useroptions_read(&asked, env, 1, MESH_USER_ALL, &err), 0);
	mesh_pattern_apply(&asked.pattern, &request);
	assert_int_equal(request.pattern, COMM_GRID);
	assert_int_equal(request.grid.ndims, 2);
	assert_int_equal(request.grid.side[1], 16);
	/* Who sends nothing is scattered, unless he wishes something else. */
	mesh_pattern_apply(&(struct mesh_pattern){.kind = COMM_NONE}, &request);
	assert_int_equal(request.hint, MESH_HINT_SCATTER);
	assert_int_equal(request.grid.ndims, 0);
	request.hint = MESH_HINT_ISOLATED;
	mesh_pattern_apply(&(struct mesh_pattern){.kind = COMM_NONE}, &request);
	assert_int_equal(request.hint, MESH_HINT_ISOLATED);
}

static void options(void **state)
{
	char *env[] = {(char[]){"MESH_STRATEGY=mc1x1"}, NULL, (char[]){"MESH_SHAPE=4x2:norotate"},
		(char[]){"MESH_MAX_WAIT=10"}, (char[]){"MESH_HINT=isolated"},
		(char[]){"PATH=/bin"}, (char[]){"MESH_SHAPES=1"}};
	struct useroptions asked;
	struct mesh_err err = {{0}};

	(void)state;
	assert_int_equal(useroptions_read(&asked, env, 7, MESH_USER_ALL, &err), 0);
	assert_string_equal(asked.strategy, "mc1x1");
	assert_int_equal(asked.shape.ndims, 2);
	assert_true(asked.shape.norotate);
	assert_int_equal(asked.max_wait, 600);
	assert_int_equal(asked.hint, MESH_HINT_ISOLATED);
	assert_int_equal(useroptions_read(&asked, env, 7, MESH_USER_HINT, &err), 3);
	assert_string_equal(asked.strategy, "");
	assert_int_equal(asked.shape.ndims, 0);
	assert_int_equal(asked.max_wait, -2);
	assert_int_equal(asked.hint, MESH_HINT_ISOLATED);
	assert_string_equal(err.text, "--mesh-max-wait is not allowed here");
	assert_int_equal(useroptions_read(&asked, NULL, 5, MESH_USER_ALL, &err), 0);
}

/* Whatever comes in, what goes out is printable. */
static void hostile(void **state)
{
	static const char *const bad[] = {"MESH_STRATEGY=", "MESH_STRATEGY=\n[2026] forged line",
		"MESH_STRATEGY=\x1b[2J", "MESH_SHAPE=4x4\x7f",
		"MESH_STRATEGY=m\xc3\xbcm", "MESH_STRATEGY=%s%n",
		"MESH_SHAPE=4x4x0", "MESH_SHAPE=99999999999x1", "MESH_SHAPE=-1x2", "MESH_SHAPE=x",
		"MESH_SHAPE=4x4x4x4x4x4x4", "MESH_SHAPE=4x4:", "MESH_SHAPE=4x4:bogus",
		"MESH_HINT=COMPACT ", "MESH_MAX_WAIT=-5", "MESH_HINT=\xff\xfe"};
	char longer[1000] = "MESH_SHAPE=";

	(void)state;
	memset(longer + strlen(longer), '4', sizeof(longer) - strlen(longer) - 1);
	for (unsigned i = 0; i <= sizeof(bad) / sizeof(*bad); i++) {
		char text[sizeof(longer)];
		char *env = text;
		struct useroptions asked, clean;
		struct mesh_err err = {{0}};

		snprintf(
			text, sizeof(text), "%s", i < sizeof(bad) / sizeof(*bad) ? bad[i] : longer);
		useroptions_init(&clean);
		assert_int_equal(useroptions_read(&asked, &env, 1, MESH_USER_ALL, &err), 1);
		assert_memory_equal(&asked, &clean, sizeof(asked));
		assert_true(strlen(err.text) > 0);
		for (const char *c = err.text; *c; c++)
			assert_true(*c >= ' ' && *c <= '~');
	}
}

static bool need_extras(const char *map, const char *line)
{
	struct mesh_settings settings;
	struct mesh_err err;
	struct topoconf *conf =
		topoconf_parse(map, strlen(map), "t.conf", &hostlist_libslurm, &err);
	bool need;

	assert_non_null(conf);
	assert_int_equal(mesh_settings_parse(line, &settings, &err), 0);
	need = mesh_settings_need_extras(&settings, conf);
	mesh_settings_release(&settings);
	topoconf_free(conf);
	return need;
}

static void extras_needed(void **state)
{
	static const char plain[] = "MeshName=m Dims=4 Nodes=n[0-3] DownLinks=0:1\n",
		two[] = "MeshName=a Dims=2 Nodes=n[0-1]\nMeshName=b Dims=2 Nodes=n[2-3]\n"
			"Link=n0,n2\n";

	char path[] = "/tmp/cables.XXXXXX", cabled[128];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0 && write(fd, "h0 h1\n", 6) == 6);
	close(fd);
	snprintf(cabled, sizeof(cabled), "MeshName=c Nodes=h[0-1] Cables=%s\n", path);
	assert_true(need_extras(cabled, ""));
	unlink(path);
	assert_false(need_extras("MeshName=m Dims=4 Nodes=n[0-3]\n", "mesh_pattern_p=ring"));
	assert_false(need_extras(plain, "mesh_strategy_p=linear"));
	assert_true(need_extras(plain, "mesh_strategy=snug-box"));
	assert_true(need_extras(plain, "mesh_strategy_p=ff"));
	assert_true(need_extras(two, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_key),
		cmocka_unit_test(refused),
		cmocka_unit_test(times),
		cmocka_unit_test(patterns),
		cmocka_unit_test(options),
		cmocka_unit_test(hostile),
		cmocka_unit_test(extras_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
