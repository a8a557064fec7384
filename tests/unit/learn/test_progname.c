/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What programs are called.
 */
#include <string.h>

#include "learn/progname.h"
#include "support.h"

#define WORDS(...) ((char *const *)(void *)(const char *[]){__VA_ARGS__, NULL})

static const char *detailed(char *const argv[], char text[PROGNAME])
{
	struct progname program;
	int argc = 0;

	while (argv[argc])
		argc++;
	progname_of(argc, argv, &program);
	return memcpy(text, program.detailed, PROGNAME);
}

static void test_numbers(void **state)
{
	char a[PROGNAME], b[PROGNAME];

	(void)state;
	assert_string_equal(detailed(WORDS("/opt/bin/solve"), a), "solve");
	assert_string_equal(detailed(WORDS("./solve", "-n", "12", "mesh-7.dat"), a),
		detailed(WORDS("solve", "-n", "1024", "mesh-12.dat"), b));
	assert_string_not_equal(detailed(WORDS("solve", "-n", "12", "mesh-7.dat"), a),
		detailed(WORDS("solve", "-n", "12", "ring-7.dat"), b));
	assert_string_not_equal(detailed(WORDS("solve", "mesh7"), a),
		detailed(WORDS("solve", "mesh"), b));
	assert_string_not_equal(
		detailed(WORDS("solve", "a", "b"), a), detailed(WORDS("solve", "ab"), b));
}

static void test_scripts(void **state)
{
	char a[PROGNAME];
	struct progname program;

	(void)state;
	assert_string_equal(detailed(WORDS("python3.11", "-u", "/x/flow.py"), a), "flow.py");
	assert_int_equal(progname_file(3, WORDS("python3.11", "-u", "/x/flow.py")), 2);
	assert_int_equal(progname_file(3, WORDS("bash", "-c", "./a")), 0);
	assert_int_equal(progname_file(1, WORDS("python")), 0);
	progname_of(0, NULL, &program);
	assert_string_equal(program.file, "");
	progname_of(1, WORDS("/x/"), &program);
	assert_string_equal(program.file, "");
}

static void test_says(void **state)
{
	static const char *const nothing[] = {"", "bash", "python", "python3.11", "a.out", "wrap",
		"job.sh", "x.slurm", "mpirun"};
	static const char *const something[] = {"wing", "pythonic", "bashful", "a.out2"};

	(void)state;
	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++)
		assert_false(progname_says(nothing[i]));
	for (size_t i = 0; i < sizeof(something) / sizeof(*something); i++)
		assert_true(progname_says(something[i]));
}

static void test_clean(void **state)
{
	char name[PROGNAME], text[200];

	(void)state;
	progname_clean("../../evil", name);
	assert_string_equal(name, "evil");
	progname_clean("../..", name);
	assert_string_equal(name, "_.");
	progname_clean("a b=c@d+e", name);
	assert_string_equal(name, "a_b_c_d_e");
	progname_clean("", name);
	assert_string_equal(name, "_");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	progname_clean(text, name);
	assert_int_equal(strlen(name), PROGNAME - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_says),
		cmocka_unit_test(test_clean),
	};

	return cmocka_run_group_tests_name("progname", tests, NULL, NULL);
}
