# Tests speak TAP; automake's driver counts them.
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	SMESH='$(abs_top_builddir)/smesh'; export SMESH; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir;
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
T_LOG_DRIVER = $(LOG_DRIVER)
TEST_EXTENSIONS = .t

# Unit tests: tests/unit/test_MODULE.c beside common/MODULE.c by name.
UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/contrib/smesh $(CMOCKA_CFLAGS)
UNIT_LDADD = libmeshtest.la libmeshalloc.la $(SLURM_LIBS) $(CMOCKA_LIBS) -lm
check_LTLIBRARIES = libmeshtest.la
libmeshtest_la_SOURCES = \
	tests/unit/support.c tests/unit/support.h \
	contrib/smesh/hostlist_libslurm.c
libmeshtest_la_CPPFLAGS = $(UNIT_CPPFLAGS)

UNIT_TESTS = \
	test-programs/curve \
	test-programs/mesh \
	test-programs/strategy \
	test-programs/topoconf
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)

test_programs_curve_SOURCES = tests/unit/test_curve.c
test_programs_curve_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_curve_LDADD = $(UNIT_LDADD)
test_programs_mesh_SOURCES = tests/unit/test_mesh.c
test_programs_mesh_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_mesh_LDADD = $(UNIT_LDADD)
test_programs_strategy_SOURCES = tests/unit/test_strategy.c
test_programs_strategy_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_strategy_LDADD = $(UNIT_LDADD)
test_programs_topoconf_SOURCES = tests/unit/test_topoconf.c
test_programs_topoconf_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_topoconf_LDADD = $(UNIT_LDADD)

# Command line tests: tests/cli/NAME.t
CLI_TESTS = tests/cli/alloc.t
dist_check_SCRIPTS += $(CLI_TESTS) tests/tap.sh
TESTS += $(CLI_TESTS)

# Tests against real daemons: tests/slurm/NAME.t, run by `make check-slurm`, one after another.
SLURM_TESTS = tests/slurm/cluster.t
dist_check_SCRIPTS += $(SLURM_TESTS) tests/slurm/cluster.sh
check-slurm: all
	$(MAKE) -j1 $(AM_MAKEFLAGS) check TESTS='$(SLURM_TESTS)'
.PHONY: check-slurm

# Benchmarks: tests/bench/bench_NAME.c, run by `make bench`; never part of the tests.
EXTRA_PROGRAMS =
bench: $(BENCHES)
	@for b in $(BENCHES); do ./$$b || exit 1; done
.PHONY: bench
