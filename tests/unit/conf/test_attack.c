/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * topology.conf as an attack on who reads it: whatever stands there, the answer is one line, within
 * three seconds of processor time and 256 MiB, and nobody waits for a FIFO's writer.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf/topoconf.h"
#include "base/hostlist.h"
#include "support.h"

enum { MIB = 1 << 20, MOST_MIB = 256, HANGS = 60 /* s */ };

#ifndef __has_feature
#define __has_feature(x) 0
#endif
/* Sanitizers look through all of a string at each call that reads its beginning. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SLOWER = 20, BOUNDED = 0, SMALLER = 16 };
#else
enum { SLOWER = 1, BOUNDED = 1, SMALLER = 1 };
#endif

static char dir[] = "/tmp/mesh-attack-XXXXXX";

static FILE *create(const char *name)
{
	FILE *file = fopen(name, "we");

	assert_non_null(file);
	return file;
}

static void put(const char *name, const char *text)
{
	FILE *file = create(name);

	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* `start`, then `again` until there are so many bytes. */
static void fill(const char *start, const char *again, size_t bytes)
{
	FILE *file = create("t.conf");

	assert_true(fputs(start, file) >= 0);
	for (size_t at = 0; at < bytes; at += strlen(again))
		assert_true(fputs(again, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void fifo(void)
{
	assert_int_equal(mkfifo("t.conf", 0600), 0);
}

static void directory(void)
{
	assert_int_equal(mkdir("t.conf", 0700), 0);
}

static void device(void)
{
	assert_int_equal(symlink("/dev/zero", "t.conf"), 0);
}

static void gigabyte(void)
{
	put("t.conf", "");
	assert_int_equal(truncate("t.conf", 1 << 30), 0);
}

static void circle(void)
{
	assert_int_equal(symlink("t.conf", "t.conf"), 0);
}

static void unreadable(void)
{
	put("t.conf", "");
	assert_int_equal(chmod("t.conf", 0), 0);
	if (!geteuid())
		assert_int_equal(seteuid(65534), 0);
}

static void nul(void)
{
	FILE *file = create("t.conf");

	fputs("# a map\nMeshName=m Dims=2x2 ", file);
	fputc('\0', file);
	fputs(" Nodes=n[0-3]\n", file);
	assert_int_equal(fclose(file), 0);
}

#define LINE "MeshName=m Dims=2x2 Nodes=n[0-3] Order="

static void order_device(void)
{
	put("t.conf", LINE "/dev/zero\n");
}

static void order_fifo(void)
{
	assert_int_equal(mkfifo("order", 0600), 0);
	put("t.conf", LINE "order\n");
}

static void order_directory(void)
{
	put("t.conf", LINE ".\n");
}

static void long_line(void)
{
	fill("MeshName=m Dims=2x2 Nodes=", "xxxxxxxxxxxxxxxxxxxxxxxxx", 100 * MIB);
}

static void long_value(void)
{
	fill("MeshName=m Dims=2x2 Nodes=", "xxxxxxxxxxxxxxxxxxxxxxxxx", 63 * MIB / SMALLER);
}

static void long_list(void)
{
	fill("MeshName=m Dims=2x2 Nodes=n0", ",n1,n2,n3,n4,n5,n6,n7,n8,n9", 63 * MIB / SMALLER);
}

static void holes(void)
{
	fill("MeshName=m Dims=2x2 Nodes=n[0-3] Holes=0,0", ";0,1", 32 * MIB / SMALLER);
}

static void slashes(void)
{
	fill("", "\\\n", 63 * MIB / SMALLER);
}

static void meshes(void)
{
	FILE *file = create("t.conf");

	for (int i = 0; i < 500000; i++)
		fprintf(file, "MeshName=m%d Dims=1x1 Nodes=n%d\n", i, i);
	assert_int_equal(fclose(file), 0);
}

/* As far as possible from the line of the mesh before. */
static void placements(void)
{
	FILE *file = create("t.conf");

	for (int i = 0; i < 1000; i++)
		fprintf(file, "MeshName=m%d Dims=1x1\n", i);
	for (int i = 0; i < 500000; i++)
		fprintf(file, "MeshNode=n%d Mesh=m%d Coord=0,0\n", i, i * 499 % 1000);
	assert_int_equal(fclose(file), 0);
}

static void overflow(void)
{
	put("t.conf", "MeshName=m Dims=4294967297x1 Nodes=n0\n");
}

static void product(void)
{
	put("t.conf", "MeshName=m Dims=32767x32767x32767x32767x32767x32767 Nodes=n0\n");
}

static void nearly_empty(void)
{
	put("t.conf",
		"MeshName=m Dims=1448x1448\nMeshNode=a Mesh=m Coord=0,0\nMeshNode=a Mesh=m "
		"Coord=1,0\n");
}

static const struct {
	const char *name;
	void (*make)(void);
	const char *message;
} attacks[] = {
	{"a FIFO", fifo, "t.conf: not a regular file"},
	{"a directory", directory, "t.conf: not a regular file"},
	{"a link to a device", device, "t.conf: not a regular file"},
	{"1 GiB", gigabyte, "t.conf: larger than 64 MiB"},
	{"a link to itself", circle, "t.conf: Too many levels of symbolic links"},
	{"a file that may not be read", unreadable, "t.conf: Permission denied"},
	{"a NUL byte", nul, "t.conf:2: a NUL byte (UTF-16? Expected UTF-8)"},
	{"Order= a device", order_device,
		"t.conf:1: Order= names a file: /dev/zero: not a regular file"},
	{"Order= a FIFO", order_fifo, "t.conf:1: Order= names a file: order: not a regular file"},
	{"Order= a directory", order_directory,
		"t.conf:1: Order= names a file: .: not a regular file"},
	{"a line of 100 MiB", long_line, "t.conf: larger than 64 MiB"},
	{"a line as long as may be", long_value,
		"t.conf:1: Nodes=: not a host list at 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"},
	{"a list of millions", long_list, NULL},
	{"holes without end", holes, "t.conf:1: Holes=: vertex 0,1 is there twice"},
	{"a line that never ends", slashes, "t.conf: no MeshName= line (man topology.conf.mesh)"},
	{"500,000 meshes", meshes, "t.conf:1025: more than 1024 meshes"},
	{"500,000 nodes, mesh by mesh", placements,
		"t.conf:2001: Coord=0,0 of mesh m0 is taken (NodesPerVertex=1)"},
	{"a side beyond 32 bits", overflow,
		"t.conf:1: Dims=4294967297x1: expected 1 to 6 sides like 8x8x4"},
	{"a product beyond 64 bits", product,
		"t.conf:1: Dims=32767x32767x32767x32767x32767x32767: sides must be 1 to 32767, "
		"vertices at most "
		"2097152"},
	{"two million empty vertices", nearly_empty, "t.conf:3: node a is named twice (line 2)"},
};

/*
 * Our own: what a kernel takes to hand out 64 MiB is seconds on some virtual machines, where the
 * first touch of a page counts for the program, too: 0.3 s here become 1.2 s beside other work.
 */
static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static long peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

static void remove_all(void)
{
	if (unlink("t.conf"))
		rmdir("t.conf");
	unlink("order");
}

static void read_attacks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(attacks) / sizeof(*attacks); i++) {
		struct mesh_err err = {{0}};
		struct topoconf *conf;
		double took;

		attacks[i].make();
		took = cpu_seconds();
		alarm(HANGS);
		conf = topoconf_read("t.conf", &hostlist_libslurm, &err);
		alarm(0);
		took = cpu_seconds() - took;
		if (!getuid())
			assert_int_equal(seteuid(0), 0);
		remove_all();
		assert_null(conf);
		if (attacks[i].message ? strcmp(err.text, attacks[i].message) != 0 : !*err.text)
			fail_msg("%s: %s", attacks[i].name, err.text);
		if (took > 3.0 * SLOWER)
			fail_msg("%s: %.1f s", attacks[i].name, took);
		if (BOUNDED && peak_mib() > MOST_MIB)
			fail_msg("%s: %ld MiB", attacks[i].name, peak_mib());
	}
}

static void links_are_fine(void **state)
{
	struct mesh_err err = {{0}};
	struct topoconf *conf;

	(void)state;
	put("order", "MeshName=m Dims=2x2 Nodes=n[0-3]\n");
	assert_int_equal(symlink("order", "t.conf"), 0);
	conf = topoconf_read("t.conf", &hostlist_libslurm, &err);
	remove_all();
	if (!conf)
		fail_msg("%s", err.text);
	topoconf_free(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_attacks),
		cmocka_unit_test(links_are_fine),
	};
	int failed;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	failed = cmocka_run_group_tests_name("attack", tests, NULL, NULL);
	if (!chdir("/"))
		rmdir(dir);
	return failed;
}
