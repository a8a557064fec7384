/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What users ask for one job: shapes, patterns, and the options that have neither.
 */
#include "conf/shape.h"

#include <stdio.h>
#include <string.h>

#include "ask/ask.h"
#include "conf/jobpattern.h"
#include "conf/useroptions.h"
#include "support.h"

/* A shape as text again, all that was read. */
static const char *read_shape(const char *text)
{
	static char out[MESH_ERR_SIZE + 100];
	struct mesh_err err = {{0}};
	struct mesh_shape s;
	size_t n;

	if (shape_parse(text, &s, &err)) {
		snprintf(out, sizeof(out), "%s", err.text);
		return out;
	}
	n = (size_t)snprintf(out, sizeof(out), "%s%s%s", s.type, *s.type ? " " : "",
		walk_name(s.walk));
	for (int d = 0; d < s.ndims; d++)
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%c%d", d ? 'x' : ' ', s.side[d]);
	snprintf(out + n, sizeof(out) - n, "%s%s%s%s%s lanes %d", s.norotate ? " norotate" : "",
		s.torus ? " torus" : "", s.fold ? " fold" : "", s.chips ? " chips" : "",
		s.any_links ? " anylinks" : "", s.lanes);
	return out;
}

static void shapes(void **state)
{
	static const char walk[] = "expected ring:N or ring:N:lanes=L, N from 1 to 32767";
	static const char sides[] = "a shape has 1 to 6 sides of 1 to 32767, like 4x4x2";
	static const char words[] =
		"after a shape: expected :norotate, :torus, :fold, :chips or :anylinks";
	static const char *const cases[][2] = {
		{"4x4x2", " 4x4x2 lanes 0"},
		{"8:norotate:torus", " 8 norotate torus lanes 0"},
		{"4x2:fold", " 4x2 fold lanes 0"},
		{"4x2:chips:anylinks", " 4x2 chips anylinks lanes 0"},
		{"v5p:4x2", "v5p  4x2 chips lanes 0"},
		{"a.b-c_1:ring:8", "a.b-c_1 ring 8 lanes 0"},
		{"line:5", "line 5 lanes 0"},
		{"ring:16:lanes=4", "ring 16 lanes 4"},
		{"ring", walk}, {"ring:", walk}, {"ring:0", walk}, {"ring:4x4", walk},
		{"ring:4:lanes=", walk}, {"ring:4:lanes=0", walk}, {"ring:4:lanes=65536", walk},
		{"ring:4:lane=2", walk}, {"ring:32768", walk},
		{"rings", sides}, {"", sides}, {"4x", sides}, {"0", sides},
		{"1x1x1x1x1x1x1", sides},
		{"a23456789012345678901234:4", sides},
		{"4x4:", words}, {"4x4:toruss", words}, {"4x4:no", words},
		{"4x4torus", "a shape is [TYPE:]AxBxC[:norotate][:torus][:fold][:chips][:anylinks]|"
			"line:N|ring:N[:lanes=L]"},
		{"4x4:fold:norotate", ":fold and :norotate: a folded shape may be turned"},
		{"4x4:chips:fold", ":fold and :chips: whole nodes are folded"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(read_shape(cases[i][0]), cases[i][1]);
}

static void patterns(void **state)
{
	static const char kinds[] = "expected all-to-all, ring, grid, grid:AxBxC, random, none or "
				    "mix, not ";
	static const char ranks[] = "*WEIGHT, :POINTS and :torus behind a grid belong to "
				    "--mesh-ranks: here name the sides alone, like grid:16x8";
	static const char sides[] = "a grid has 1 to 6 sides, like grid:8x8x16, of at most 1048576 "
				    "ranks";
	static const char *const bad[][2] = {{"star", kinds}, {"learnt:star", kinds},
		{"ring,34%", kinds}, {"learnt:ring,134%", kinds}, {"grid:4x4*2", ranks},
		{"grid:4x4:torus", ranks}, {"grid:1024x1024x2", sides},
		{"grid:1024x2048x2", sides}};
	static const char *const no_share[] = {"learnt:ring,34", "learnt:ring,%", "learnt:ring,x%",
		"learnt:ring,34%x", "learnt:ring,-1%"};
	struct mesh_request request = {.pattern = COMM_RING};
	struct mesh_pattern p;
	struct mesh_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(mesh_pattern_parse(bad[i][0], &p, &err), -1);
		assert_memory_equal(err.text, bad[i][1], strlen(bad[i][1]));
	}
	for (size_t i = 0; i < sizeof(no_share) / sizeof(*no_share); i++)
		assert_int_equal(mesh_pattern_parse(no_share[i], &p, &err), -1);
	assert_int_equal(mesh_pattern_parse("learnt:grid:8x4,34%", &p, &err), 0);
	assert_true(p.learnt && p.kind == COMM_GRID && p.grid.side[1] == 4 && p.share == 34);
	mesh_pattern_apply(&p, &request); /* for accounting only */
	assert_int_equal(request.pattern, COMM_RING);
	assert_int_equal(mesh_pattern_parse("learnt:mix", &p, &err), 0);
	assert_true(p.learnt && p.kind == MESH_PATTERN_MIX && p.share < 0);
	assert_int_equal(mesh_pattern_parse("mix", &p, &err), 0);
	assert_false(p.learnt);
	mesh_pattern_apply(&p, &request);
	assert_int_equal(request.pattern, COMM_NONE);
	request.pattern = COMM_RING;
	mesh_pattern_apply(&(const struct mesh_pattern){.kind = MESH_PATTERN_UNSAID}, &request);
	assert_int_equal(request.pattern, COMM_NONE);
	assert_int_equal(request.hint, MESH_HINT_COMPACT);
	/* Nodes are chosen for rings and grids alone. */
	for (int kind = COMM_NONE + 1; kind < COMM_PATTERNS; kind++) {
		mesh_pattern_apply(&(const struct mesh_pattern){.kind = kind}, &request);
		assert_int_equal(request.pattern,
			kind == COMM_RING || kind == COMM_GRID ? kind : COMM_NONE);
	}
}

static void in_comments(void **state)
{
	struct mesh_pattern p;
	char word[MESH_PATTERN_WORD];

	(void)state;
	assert_true(mesh_pattern_in("x; mesh: shape=4x4 pattern=grid:4x4|y", word, &p));
	assert_string_equal(word, "grid:4x4");
	assert_int_equal(p.grid.ndims, 2);
	assert_false(mesh_pattern_in(NULL, word, &p));
	assert_false(mesh_pattern_in("mesh: shape=4x4", word, &p));
	assert_false(mesh_pattern_in(" pattern=ring", word, &p));
	assert_false(mesh_pattern_in("mesh: pattern=", word, &p));
	strcpy(word, "old");
	assert_false(mesh_pattern_in("mesh:  pattern=star", word, &p));
	assert_string_equal(word, "");
}

static const char *option(char *env, struct useroptions *asked)
{
	static struct mesh_err err;

	*err.text = '\0';
	useroptions_read(asked, &env, 1, MESH_USER_ALL, &err);
	return err.text;
}

static void options(void **state)
{
	struct useroptions asked;
	static char longer[] = "MESH_STRATEGY=a23456789012345678901234567890123";

	(void)state;
	assert_string_equal(option((char[]){"MESH_SEGMENT=16"}, &asked), "");
	assert_int_equal(asked.segment, 16);
	assert_string_equal(option((char[]){"MESH_SEGMENT=0"}, &asked),
		"--mesh-segment: not a number of nodes (1 to 65535): '0'");
	assert_string_equal(option((char[]){"MESH_SEGMENT=4x"}, &asked),
		"--mesh-segment: not a number of nodes (1 to 65535): '4x'");
	assert_string_equal(option((char[]){"MESH_HINT=scatter"}, &asked), "");
	assert_int_equal(asked.hint, MESH_HINT_SCATTER);
	assert_string_equal(option((char[]){"MESH_HINT=wide"}, &asked),
		"--mesh-hint: expected compact, scatter or isolated, not 'wide'");
	assert_string_equal(option(longer, &asked), "--mesh-strategy: unknown strategy "
		"'a23456789012345678901234567890123' (smesh strategies lists them)");
	longer[sizeof(longer) - 3] = '\0';
	assert_string_equal(option(longer, &asked), "");
	assert_int_equal(strlen(asked.strategy), STRATEGYNAMES_LENGTH - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes),
		cmocka_unit_test(patterns),
		cmocka_unit_test(in_comments),
		cmocka_unit_test(options),
	};

	return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
