/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A record that orders ranks badly is dropped by the run that shows it; runs count once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include "learn/runs.h"
#include "support.h"

enum { RANKS = 8 };

/* A run in which each rank sends to the one that is `step` on, in an order (NULL: of its nodes). */
static void write_run(const char *directory, int step, char run[RECORDS_PATH])
{
	const struct runs_label label = {.name = "app", .ranks = RANKS};
	char path[RECORDS_PATH + 16];
	struct mesh_err err;

	assert_int_equal(runs_begin(directory, &label, run, &err), 0);
	for (int rank = 0; rank < RANKS; rank++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s.%d.prof", run, rank);
		assert_non_null(file = fopen(path, "w"));
		fprintf(file, "E %d %d 100 bytes 1 msgs sent\n", rank, (rank + step) % RANKS);
		fclose(file);
	}
}

static void add_run(const char *directory, int step, struct runs_order *order)
{
	char run[RECORDS_PATH];
	struct mesh_err err;

	write_run(directory, step, run);
	if (order)
		order->run = run;
	assert_int_equal(runs_collect(directory, order, &err), 0);
}

static struct record found(const char *directory)
{
	struct record record;

	assert_true(records_find(directory, "app", RANKS, &record));
	return record;
}

static void test_order(void **state)
{
	static const int vertex[] = {0, 1, 2, 3, 4, 5, 6, 7};
	char directory[] = "/tmp/test-records.XXXXXX", command[64];
	struct mesh_spec spec = {.name = "m", .ndims = 1, .side = {RANKS}, .wrap = {true},
		.nnodes = RANKS, .nodes_per_vertex = 1};
	struct mesh *mesh = mesh_new(&spec, NULL);
	int place[RANKS];
	struct runs_order order = {.place = place, .per_node = 1};

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(assign_sites_init(&order.nodes, mesh, vertex, RANKS, &order.arena), 0);
	for (int i = 0; i < RANKS; i++)
		place[i] = i * 3 % RANKS; /* ranks that are 3 apart are a hop apart */
	add_run(directory, 3, NULL);
	assert_int_equal(found(directory).runs, 1);
	add_run(directory, 3, &order);
	assert_int_equal(found(directory).runs, 2);
	assert_true(found(directory).matrix);
	add_run(directory, 1, &order);
	assert_false(found(directory).matrix);
	assert_string_equal(found(directory).pattern, "mix");
	/* It is learnt anew, and what an order is not known of counts. */
	add_run(directory, 1, NULL);
	add_run(directory, 1, NULL);
	assert_int_equal(found(directory).runs, 2);
	assert_string_equal(found(directory).pattern, "ring");
	arena_release(&order.arena);
	mesh_free(mesh);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/* Two ranks on a node: each half of the ring stays on its node, in the order of nodes alone. */
static void test_blocks(void **state)
{
	static const int vertex[] = {0, 1, 2, 3};
	char directory[] = "/tmp/test-records.XXXXXX", command[64];
	struct mesh *mesh = make_mesh(1, (const int[]){4}, 1, 1);
	int place[RANKS];
	struct runs_order order = {.place = place, .per_node = 2};

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(assign_sites_init(&order.nodes, mesh, vertex, 4, &order.arena), 0);
	add_run(directory, 1, NULL);
	for (int i = 0; i < RANKS; i++)
		place[i] = i / 2;
	add_run(directory, 1, &order);
	assert_true(found(directory).matrix);
	for (int i = 0; i < RANKS; i++)
		place[i] = i % 4; /* each step of the ring is a hop */
	add_run(directory, 1, &order);
	assert_false(found(directory).matrix);
	arena_release(&order.arena);
	mesh_free(mesh);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/* Of records with one name the newest is found. */
static void test_newest(void **state)
{
	static const struct traffic_edge edge = {0, 1, 100, 0};
	char directory[] = "/tmp/test-records.XXXXXX", command[64], path[64];
	struct record record = {.name = "app", .runs = 1, .pattern = "ring"};
	struct mesh_err err;

	(void)state;
	assert_non_null(mkdtemp(directory));
	for (int ranks = 2; ranks < 6; ranks++) {
		const time_t at = ranks == 3 ? 2000 : 1000 + ranks;
		struct traffic traffic;

		record.ranks = ranks;
		assert_int_equal(traffic_init(&traffic, ranks, &edge, 1, &err), 0);
		assert_int_equal(records_write(directory, &record, &traffic, &err), 0);
		snprintf(path, sizeof(path), "%s/app@%d.traffic", directory, ranks);
		assert_int_equal(utime(path, &(struct utimbuf){at, at}), 0);
		traffic_release(&traffic);
	}
	assert_true(records_find(directory, "app", 0, &record));
	assert_int_equal(record.ranks, 3);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/* Steps that end at the same time collect at the same time: each run counts once. */
static void test_together(void **state)
{
	enum { RUNS = 40, COLLECTORS = 6 };
	char directory[] = "/tmp/test-records.XXXXXX", command[64], run[RECORDS_PATH];
	struct mesh_err err;
	int status;

	(void)state;
	assert_non_null(mkdtemp(directory));
	for (int i = 0; i < RUNS; i++)
		write_run(directory, 1, run);
	for (int i = 0; i < COLLECTORS; i++)
		if (!fork())
			_exit(runs_collect(directory, NULL, &err));
	for (int i = 0; i < COLLECTORS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(found(directory).runs, RUNS);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/* A site's directory that is missing is not made, as it would be the first user's alone. */
static void test_site(void **state)
{
	char site[] = "/tmp/mesh-site.XXXXXX", directory[RECORDS_PATH];
	struct mesh_err err = {{0}};

	(void)state;
	assert_non_null(mkdtemp(site));
	assert_int_equal(rmdir(site), 0);
	assert_int_equal(records_directory(NULL, NULL, site, directory, &err), -1);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(access(site, F_OK), -1);
	assert_int_equal(mkdir(site, 0755), 0);
	assert_int_equal(records_directory(NULL, NULL, site, directory, &err), 0);
	assert_int_equal(rmdir(directory), 0);
	assert_int_equal(rmdir(site), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_newest),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_site),
	};

	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
