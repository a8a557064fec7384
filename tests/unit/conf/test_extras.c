/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program like slurmctld, which has the core alone: it loads boxes, lines and rings, and what
 * machines of cables need, when it needs them.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf/library.h"
#include "conf/settings.h"
#include "conf/shape.h"
#include "conf/strategies.h"
#include "decide/span.h"
#include "decide/strategy_decide.h"
#include "shared/mesh_strategies.h"
#include "support.h"

static char library[PATH_MAX];

/* One decision on an idle mesh, which is freed; or why there is no such strategy. */
static enum mesh_result decide(struct mesh *mesh, enum strategy_role role, const char *shape,
	struct mesh_answer *answer)
{
	struct strategy *strategy = strategy_new(strategy_for(role), mesh, &answer->err);
	struct arena arena = {0};
	struct nodeset all;
	struct mesh_request request = {.count = shape ? 0 : 1};
	enum mesh_result result = MESH_ERROR;

	assert_int_equal(nodeset_get(&all, mesh->nnodes, &arena), 0);
	nodeset_set_all(&all);
	assert_true(!shape || !shape_parse(shape, &request.shape, NULL));
	if (strategy)
		result = strategy_decide(strategy, &(struct mesh_state){.free = &all}, &request,
			answer);
	arena_release(&arena);
	strategy_free(strategy);
	mesh_free(mesh);
	return result;
}

static struct mesh *grid(void)
{
	return make_mesh(2, (const int[]){4, 4}, 0, 1);
}

static enum mesh_result ring(struct mesh_answer *answer)
{
	return decide(grid(), STRATEGY_DEFAULT, "ring:8", answer);
}

static enum mesh_result box(struct mesh_answer *answer)
{
	return decide(grid(), STRATEGY_BOXES, "2x3", answer);
}

static enum mesh_result cables(struct mesh_answer *answer)
{
	uint64_t seed = 1;

	return decide(random_cables(&seed, 16), STRATEGY_DEFAULT, NULL, answer);
}

static int take(void *arg, int i, int count, int known)
{
	struct span *span = arg;

	(void)known;
	span->in[i].node[0] = 0;
	return count < 1 ? count : 1;
}

/* Over two meshes that a cable joins, without what finds a way along cables. */
static void over_both(void)
{
	struct mesh *mesh[] = {grid(), grid()};
	struct arena arena = {0};
	struct nodeset all[2];
	int node[2][16];
	struct span_mesh in[2];
	struct span span = {.in = in, .n = 2, .ask = take, .arg = &span};

	for (int i = 0; i < 2; i++) {
		assert_int_equal(nodeset_get(&all[i], 16, &arena), 0);
		nodeset_set_all(&all[i]);
		in[i] = (struct span_mesh){mesh[i], &all[i], node[i], 0};
	}
	assert_int_equal(linkgraph_join(mesh, 2,
		&(const struct linkgraph_cable){{0, 1}, {0, 0}, 1, 0}, 1, NULL), 0);
	assert_int_equal(span_several(&span, 2), 2);
	assert_true(in[0].count == 1 && in[1].count == 1);
	mesh_free(mesh[0]);
	mesh_free(mesh[1]);
	arena_release(&arena);
}

/* The library is beside the plugin, and here is none: an error with text, and nothing is loaded. */
static void missing(void **state)
{
	int node[16];
	struct mesh_answer answer = {.node = node};
	struct mesh_err err = {{0}};

	(void)state;
	mesh_strategies_init();
	assert_null(extras(&err));
	assert_non_null(strstr(err.text, "mesh_strategies_papers.so"));
	assert_null(strategy_named("mm", &err));
	assert_int_equal(ring(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
	assert_int_equal(answer.count, 0);
	assert_int_equal(cables(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
	assert_int_equal(box(&answer), MESH_ERROR);
	assert_string_equal(answer.err.text, err.text);
	over_both();
}

static void loaded(void **state)
{
	int node[16], order[16];
	struct mesh_answer answer = {.node = node};
	struct mesh *mesh = grid();
	const struct extras *more;
	struct mesh_err err = {{0}};
	char command[3 * PATH_MAX], copy[PATH_MAX + 8];

	(void)state;
	snprintf(copy, sizeof(copy), "%s.copy", library);
	/* An upgrade replaces the file while the program runs. */
	snprintf(command, sizeof(command), "cp %s %s", library, copy);
	assert_int_equal(system(command), 0);
	library_papers_at(copy);
	assert_int_equal(unlink(copy), 0);
	assert_int_equal(ring(&answer), MESH_OK);
	assert_int_equal(answer.count, 8);
	assert_int_equal(box(&answer), MESH_OK);
	assert_int_equal(answer.count, 6);
	assert_int_equal(cables(&answer), MESH_OK);
	assert_int_equal(answer.count, 1);
	assert_non_null(more = extras(&err));
	assert_non_null(strategy_named("mm", &err));
	assert_ptr_equal(extras(&err), more);
	/* Ranks along a row, and on two nodes without a link between them. */
	assert_int_equal(
		more->walks_order(mesh, (const int[]){0, 2, 1, 3}, 4, WALK_LINE, order), 0);
	assert_true(order[1] == 2 && order[2] == 1 && order[0] + order[3] == 3);
	assert_int_equal(more->walks_order(mesh, (const int[]){0, 5}, 2, WALK_LINE, order), 1);
	mesh_free(mesh);
}

/* --- libraries of sites ---------------------------------------------------------------- */

static char folder[] = "/tmp/mesh-extras-XXXXXX";

/* Compile a shared object of this text, in the folder; false: there is no compiler. */
static bool compile(const char *name, const char *options, const char *text)
{
	const char *top = getenv("srcdir"), *built = getenv("builddir");
	char path[PATH_MAX], command[4 * PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.c", folder, name);
	assert_non_null(file = fopen(path, "w"));
	assert_true(fputs(text, file) >= 0 && !fclose(file));
	snprintf(command, sizeof(command), "cc -shared -fPIC -w -std=gnu11 -I%s -I%s/common/core "
		"%s -o %s/%s.so %s", built ? built : ".", top ? top : ".", options, folder, name,
		path);
	return !system(command);
}

#define LIBRARY(families)                                                                         \
	"#include \"config.h\"\n#include \"ask/strategy_library.h\"\n"                            \
	families "const struct strategy_library mesh_strategies = {STRATEGY_LIBRARY_STAMP, all};\n"

/* Why the library of this name is refused; "": it is loaded. */
static const char *refusal(const char *name)
{
	static struct mesh_err err;
	char path[PATH_MAX];

	*err.text = '\0';
	snprintf(path, sizeof(path), "%s/%s.so", folder, name);
	strategies_load(path, &err);
	return strncmp(err.text, folder, strlen(folder)) ? err.text : err.text + sizeof(folder);
}

/* A library lacks what the papers' has beside strategies. Its descriptor is closed by somebody. */
static void expect_another_build(const char *name)
{
	char path[PATH_MAX];
	struct mesh_err err;
	int lowest;

	snprintf(path, sizeof(path), "%s/%s.so", folder, name);
	library_papers_at("/none"); /* nothing is open */
	lowest = dup(0);
	close(lowest);
	library_papers_at(path);
	close(lowest);
	assert_null(extras(&err));
	assert_non_null(strstr(err.text, "so: of another build than "));
}

static void sites(void **state)
{
	static const char one[] = LIBRARY("static const struct strategy_ops f[] = {{.name = "
		"\"mine\"}, {0}};\nstatic const struct strategy_ops *const all[] = {f, 0};\n");
	static const char taken[] = LIBRARY("static const struct strategy_ops f[] = {{.name = "
		"\"snug\"}, {0}};\nstatic const struct strategy_ops *const all[] = {f, 0};\n");
	static const char many[] = LIBRARY("static const struct strategy_ops f[] = {{0}};\n"
		"static const struct strategy_ops *const all[] = {f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,"
		"f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,0};\n");
	static const char old[] = LIBRARY("#undef PACKAGE_VERSION\n#define PACKAGE_VERSION "
		"\"0.1\"\nstatic const struct strategy_ops *const all[] = {0};\n");
	static const char sizes[] = LIBRARY("const struct extras mesh_extras = {.span_sizes = 1};\n"
		"static const struct strategy_ops *const all[] = {0};\n");
	static const char rows[] = LIBRARY("#ifndef N\n#define N \"\"\n#endif\n"
		"#define R(n) {.name = N n \"a\"}, {.name = N n \"b\"}, {.name = N n \"c\"}, "
		"{.name = N n \"d\"}\n"
		"#define S(n) R(n \"1\"), R(n \"2\"), R(n \"3\"), R(n \"4\"), R(n \"5\"), "
		"R(n \"6\")\n"
		"static const struct strategy_ops f[] = {S(\"p\"), S(\"q\"), S(\"r\"), S(\"s\"), "
		"{0}};\n"
		"static const struct strategy_ops *const all[] = {f, 0};\n");
	struct mesh_settings settings;
	char line[2 * PATH_MAX];
	struct mesh_err err;

	(void)state;
	if (!compile("one", "", one) || !compile("other", "", "int nothing;\n") ||
		!compile("old", "", old) || !compile("taken", "", taken) ||
		!compile("many", "", many) || !compile("rows", "", rows) ||
		!compile("sizes", "", sizes) || !compile("more", "-DN=\\\"x\\\"", rows))
		skip();
	assert_string_equal(refusal("one"), "");
	assert_non_null(strategy_find("MINE"));
	assert_string_equal(refusal("one"), ""); /* once more */
	assert_string_equal(refusal("other"),
		"other.so: no library of strategies (doc/add-a-strategy.md)");
	assert_int_equal(strncmp(refusal("old"), "old.so: compiled for another version or another "
						 "build than ", 50), 0);
	assert_string_equal(refusal("taken"), "taken.so: there is a strategy 'snug' already");
	assert_string_equal(refusal("many"), "many.so: too many strategies");
	assert_string_equal(refusal("rows"), "");
	assert_non_null(strategy_find("s6d"));
	assert_string_equal(refusal("more"), "more.so: too many strategies");
	snprintf(line, sizeof(line), "mesh_strategies=%s/one.so:%s/none.so", folder, folder);
	assert_int_equal(mesh_settings_parse(line, &settings, &err), -1);
	assert_ptr_equal(strstr(err.text, "SchedulerParameters: mesh_strategies: "), err.text);
	snprintf(line, sizeof(line), "mesh_strategy=mine,mesh_strategies=%s/one.so", folder);
	assert_int_equal(mesh_settings_parse(line, &settings, &err), 0);
	assert_string_equal(settings.ops->name, "mine");
	mesh_settings_release(&settings);
	/* A path without a slash is in the current folder. */
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(strategies_load("one.so", &err), 0);
	assert_int_equal(chdir("/"), 0);
	/* In place of the papers' library: it lacks what that has beside strategies. */
	expect_another_build("one");
	expect_another_build("sizes");
	assert_null(strategy_named("snags", &err)); /* no name of the papers' either */
}

/* Nobody has said where the papers' library is. */
static void unknown(void **state)
{
	struct mesh_err err;

	(void)state;
	assert_null(library_papers());
	assert_null(library_extras(&err));
	assert_string_equal(err.text, "mesh_strategies_papers.so: its folder is not known");
}

/* The descriptor is closed by somebody, or is another file by now: the path is tried. */
static void closed(void **state)
{
	static const char *const others[] = {"/", "/dev/zero"};
	struct mesh_err err = {{0}};
	int first = dup(0), other;

	(void)state;
	close(first);
	library_papers_at("/dev/null"); /* the lowest number that is free */
	close(first);
	assert_null(extras(&err));
	for (int i = 0; i < 2; i++) {
		library_papers_at("/dev/null");
		other = open(others[i], O_RDONLY);
		assert_true(other > first);
		assert_int_equal(dup2(other, first), first);
		assert_null(extras(&err));
		close(other);
		close(first);
	}
	library_papers_at("/dev/null");
	library_papers_at("/dev/null"); /* the one that was open is closed */
	assert_int_equal(other = dup(0), first + 1);
	close(other);
}

static int enter(void **state)
{
	(void)state;
	return !mkdtemp(folder);
}

static int leave(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(unknown),
		cmocka_unit_test(missing),
		cmocka_unit_test(closed),
		cmocka_unit_test(sites),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown),
		cmocka_unit_test(missing),
		cmocka_unit_test(closed),
		cmocka_unit_test(sites),
		cmocka_unit_test(loaded),
	};
	const char *dir = getenv("builddir");

	snprintf(library, sizeof(library), "%s/plugins/mesh_strategies_papers.so", dir ? dir : ".");
	if (access(library, R_OK)) /* a tree without plugins */
		return cmocka_run_group_tests(without, enter, leave);
	return cmocka_run_group_tests(tests, enter, leave);
}
