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
UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit -I$(top_srcdir)/contrib/smesh $(CMOCKA_CFLAGS)
UNIT_LDADD = libmeshtest.la libmeshalloc.la $(SLURM_LIBS) $(CMOCKA_LIBS) -lm
check_LTLIBRARIES = libmeshtest.la
libmeshtest_la_SOURCES = \
	tests/unit/support.c tests/unit/support.h \
	tests/unit/point/plain_point.c tests/unit/point/plain_point.h \
	contrib/smesh/hostlist_libslurm.c
libmeshtest_la_CPPFLAGS = $(UNIT_CPPFLAGS)

UNIT_TESTS = \
	test-programs/qtree \
	test-programs/budget \
	test-programs/busylist \
	test-programs/chaos \
	test-programs/curve \
	test-programs/curve_search \
	test-programs/contiguous \
	test-programs/docs \
	test-programs/mesh \
	test-programs/partition \
	test-programs/placement \
	test-programs/rankmap \
	test-programs/remark \
	test-programs/runtimes \
	test-programs/route \
	test-programs/settings \
	test-programs/sim \
	test-programs/strategy \
	test-programs/snug \
	test-programs/sumtable \
	test-programs/strategy_buddy \
	test-programs/strategy_curve \
	test-programs/strategy_point test-programs/levels test-programs/pile test-programs/refine test-programs/shell_pairs \
	test-programs/point_hops \
	test-programs/topoconf
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)

test_programs_chaos_SOURCES = tests/unit/test_chaos.c
test_programs_chaos_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_chaos_LDADD = $(UNIT_LDADD)
test_programs_chaos_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup
test_programs_curve_search_SOURCES = tests/unit/geometry/test_curve_search.c
test_programs_curve_search_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_curve_search_LDADD = $(UNIT_LDADD)
test_programs_curve_SOURCES = tests/unit/geometry/test_curve.c
test_programs_curve_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_curve_LDADD = $(UNIT_LDADD)
test_programs_budget_SOURCES = tests/unit/base/test_budget.c
test_programs_budget_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_budget_LDADD = $(UNIT_LDADD)
test_programs_busylist_SOURCES = tests/unit/boxes/test_busylist.c
test_programs_busylist_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_busylist_LDADD = $(UNIT_LDADD)
test_programs_qtree_SOURCES = tests/unit/boxes/test_qtree.c
test_programs_qtree_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_qtree_LDADD = $(UNIT_LDADD)
test_programs_contiguous_SOURCES = tests/unit/boxes/test_contiguous.c
test_programs_contiguous_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_contiguous_LDADD = $(UNIT_LDADD)
test_programs_docs_SOURCES = tests/unit/test_docs.c
test_programs_docs_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_docs_LDADD = $(UNIT_LDADD)
test_programs_mesh_SOURCES = tests/unit/base/test_mesh.c
test_programs_mesh_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_mesh_LDADD = $(UNIT_LDADD)
test_programs_partition_SOURCES = tests/unit/ranks/test_partition.c
test_programs_partition_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_partition_LDADD = $(UNIT_LDADD)
test_programs_placement_SOURCES = tests/unit/ranks/test_placement.c
test_programs_placement_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_placement_LDADD = $(UNIT_LDADD)
test_programs_rankmap_SOURCES = tests/unit/ranks/test_rankmap.c
test_programs_rankmap_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_rankmap_LDADD = $(UNIT_LDADD)
test_programs_runtimes_SOURCES = tests/unit/config/test_runtimes.c
test_programs_runtimes_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_runtimes_LDADD = $(UNIT_LDADD)
test_programs_remark_SOURCES = tests/unit/config/test_remark.c
test_programs_remark_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_remark_LDADD = $(UNIT_LDADD)
test_programs_route_SOURCES = tests/unit/geometry/test_route.c
test_programs_route_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_route_LDADD = $(UNIT_LDADD)
test_programs_settings_SOURCES = tests/unit/config/test_settings.c
test_programs_settings_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_settings_LDADD = $(UNIT_LDADD)
test_programs_strategy_SOURCES = tests/unit/strategy/test_strategy.c
test_programs_strategy_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_strategy_LDADD = $(UNIT_LDADD)
test_programs_strategy_buddy_SOURCES = tests/unit/strategy/test_strategy_buddy.c
test_programs_strategy_buddy_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_strategy_buddy_LDADD = $(UNIT_LDADD)
test_programs_strategy_curve_SOURCES = tests/unit/strategy/test_strategy_curve.c
test_programs_strategy_curve_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_strategy_curve_LDADD = $(UNIT_LDADD)
test_programs_sim_SOURCES = tests/unit/test_sim.c
test_programs_sim_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_sim_LDADD = libmeshsim.la $(UNIT_LDADD)
test_programs_strategy_point_SOURCES = tests/unit/point/test_strategy_point.c
test_programs_strategy_point_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_strategy_point_LDADD = $(UNIT_LDADD)
test_programs_shell_pairs_SOURCES = tests/unit/point/test_shell_pairs.c
test_programs_shell_pairs_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_shell_pairs_LDADD = $(UNIT_LDADD)
test_programs_levels_SOURCES = tests/unit/geometry/test_levels.c
test_programs_levels_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_levels_LDADD = $(UNIT_LDADD)
test_programs_pile_SOURCES = tests/unit/base/test_pile.c
test_programs_pile_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_pile_LDADD = $(UNIT_LDADD)
test_programs_refine_SOURCES = tests/unit/point/test_refine.c
test_programs_refine_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_refine_LDADD = $(UNIT_LDADD)
test_programs_point_hops_SOURCES = tests/unit/point/test_point_hops.c
test_programs_point_hops_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_point_hops_LDADD = $(UNIT_LDADD)
test_programs_topoconf_SOURCES = tests/unit/config/test_topoconf.c
test_programs_topoconf_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_topoconf_LDADD = $(UNIT_LDADD)

# Command line tests: tests/cli/NAME.t
CLI_TESTS = \
	tests/cli/alloc.t \
	tests/cli/contiguous.t \
	tests/cli/curve.t \
	tests/cli/docs.t \
	tests/cli/map.t \
	tests/cli/outputs.t \
	tests/cli/part.t \
	tests/cli/ranks.t \
	tests/cli/rooms.t \
	tests/cli/samples.t \
	tests/cli/sim.t
dist_check_SCRIPTS += $(CLI_TESTS) tests/tap.sh
EXTRA_DIST += tests/cli/data/node.xml
TESTS += $(CLI_TESTS)

# Fuzz targets: tests/fuzz/fuzz_NAME.c with a seed corpus tests/fuzz/corpus/NAME/. As tests they
# replay the corpus and mutations of it; `make fuzzers` builds them with libFuzzer (clang), and
# `make fuzz TARGET=NAME FUZZ_SECONDS=60` runs one of those. A new target: its name in the two
# lists, and three lines like fuzz_topoconf's.
FUZZ_TARGETS = topoconf trace wish strategy tasks traffic
FUZZ_TESTS = test-programs/fuzz_topoconf test-programs/fuzz_trace test-programs/fuzz_wish \
	test-programs/fuzz_strategy test-programs/fuzz_tasks test-programs/fuzz_traffic
# What smesh part and smesh ranks read their files with.
FUZZ_FILES = contrib/smesh/options_number.c contrib/smesh/tasktable.c contrib/smesh/trafficfile.c
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/contrib/smesh -I$(top_srcdir)/tests/fuzz
check_PROGRAMS += $(FUZZ_TESTS)
TESTS += $(FUZZ_TESTS)
EXTRA_DIST += doc/snug.md tests/bench/snug-cases tests/bench/snug-boxes
EXTRA_DIST += tests/fuzz/corpus doc/contiguous.md tests/bench/tables_contiguous.sh

check_LTLIBRARIES += libmeshfuzz.la
libmeshfuzz_la_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz.h contrib/smesh/hostlist_libslurm.c
libmeshfuzz_la_CPPFLAGS = $(FUZZ_CPPFLAGS)
FUZZ_LDADD = libmeshfuzz.la libmeshalloc.la $(SLURM_LIBS) -lm

test_programs_fuzz_topoconf_SOURCES = tests/fuzz/fuzz_topoconf.c
test_programs_fuzz_topoconf_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_topoconf_LDADD = $(FUZZ_LDADD)
test_programs_fuzz_trace_SOURCES = tests/fuzz/fuzz_trace.c
test_programs_fuzz_trace_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_trace_LDADD = libmeshsim.la $(FUZZ_LDADD)
test_programs_fuzz_wish_SOURCES = tests/fuzz/fuzz_wish.c
test_programs_fuzz_wish_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_wish_LDADD = $(FUZZ_LDADD)
test_programs_fuzz_strategy_SOURCES = tests/fuzz/fuzz_strategy.c
test_programs_fuzz_strategy_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_strategy_LDADD = $(FUZZ_LDADD)

test_programs_fuzz_tasks_SOURCES = tests/fuzz/fuzz_tasks.c $(FUZZ_FILES)
test_programs_fuzz_tasks_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_tasks_LDADD = $(FUZZ_LDADD)
test_programs_fuzz_traffic_SOURCES = tests/fuzz/fuzz_traffic.c $(FUZZ_FILES)
test_programs_fuzz_traffic_CPPFLAGS = $(FUZZ_CPPFLAGS)
test_programs_fuzz_traffic_LDADD = $(FUZZ_LDADD)

FUZZ_CC = clang
FUZZ_SECONDS = 60
FUZZ_CFLAGS = -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-DHAVE_CONFIG_H $(FUZZ_CPPFLAGS)
FUZZ_OBJECTS = $(patsubst %.c,fuzzers/%.o,$(filter %.c,$(libmeshalloc_la_SOURCES) \
	$(libmeshsim_la_SOURCES)) contrib/smesh/hostlist_libslurm.c $(FUZZ_FILES))
fuzzers: $(addprefix fuzzers/,$(FUZZ_TARGETS))
# A struct that has changed is not found out by the compiler: all objects follow all headers.
fuzzers/%.o: %.c $(filter %.h,$(libmeshalloc_la_SOURCES))
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<
fuzzers/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(FUZZ_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_OBJECTS) \
		$(SLURM_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lm -lpthread
# What is found on the way is kept in fuzzers/NAME.corpus, a crash in fuzzers/NAME.crash-*.
fuzz: fuzzers/$(TARGET)
	@$(MKDIR_P) fuzzers/$(TARGET).corpus
	fuzzers/$(TARGET) -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 \
		-max_len=4096 -artifact_prefix=fuzzers/$(TARGET). \
		fuzzers/$(TARGET).corpus $(top_srcdir)/tests/fuzz/corpus/$(TARGET)
.PHONY: fuzzers fuzz
.SECONDARY: $(FUZZ_OBJECTS)
clean-local: clean-fuzzers
clean-fuzzers:
	rm -rf fuzzers

# Tests against real daemons: tests/slurm/NAME.t, run by `make check-slurm`, one after another.
SLURM_TESTS = tests/slurm/cluster.t tests/slurm/map.t tests/slurm/tasks.t tests/slurm/replay.t tests/slurm/standin.t
SLURM_TESTS += tests/slurm/placement.t tests/slurm/reload.t tests/slurm/bad_input.t \
	tests/slurm/faults.t tests/slurm/soak.t
include tests/slurm/local.mk
dist_check_SCRIPTS += $(SLURM_TESTS) tests/slurm/cluster.sh
check-slurm: all
	$(MAKE) -j1 $(AM_MAKEFLAGS) check TESTS='$(SLURM_TESTS)'
.PHONY: check-slurm

# Benchmarks: tests/bench/bench_NAME.c, run by `make bench`; never part of the tests.
EXTRA_PROGRAMS =
BENCHES += bench-programs/partition bench-programs/rankmap
EXTRA_PROGRAMS += bench-programs/partition bench-programs/rankmap
bench_programs_partition_SOURCES = tests/bench/bench_partition.c
bench_programs_partition_LDADD = libmeshalloc.la -lm
bench_programs_rankmap_SOURCES = tests/bench/bench_rankmap.c
bench_programs_rankmap_LDADD = libmeshalloc.la -lm
BENCHES += bench-programs/contiguous
EXTRA_PROGRAMS += bench-programs/contiguous
bench_programs_contiguous_SOURCES = tests/bench/bench_contiguous.c
bench_programs_contiguous_LDADD = libmeshalloc.la -lm
# Not part of `make bench`: prints a table of a paper (doc/contiguous.md).
EXTRA_PROGRAMS += bench-programs/tables_contiguous
bench_programs_tables_contiguous_SOURCES = tests/bench/tables_contiguous.c
bench_programs_tables_contiguous_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/contrib/smesh
bench_programs_tables_contiguous_LDADD = libmeshsim.la libmeshalloc.la -lm
BENCHES += bench-programs/curve bench-programs/point
EXTRA_PROGRAMS += bench-programs/point
bench_programs_point_SOURCES = tests/bench/bench_point.c
bench_programs_point_LDADD = libmeshalloc.la -lm
EXTRA_PROGRAMS += bench-programs/curve
bench_programs_curve_SOURCES = tests/bench/bench_curve.c
bench_programs_curve_LDADD = libmeshalloc.la -lm
EXTRA_DIST += tests/bench/bench.h
bench: $(BENCHES)
	@for b in $(BENCHES); do ./$$b || exit 1; done
.PHONY: bench

test_programs_sumtable_SOURCES = tests/unit/geometry/test_sumtable.c
test_programs_sumtable_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_sumtable_LDADD = $(UNIT_LDADD)

test_programs_snug_SOURCES = tests/unit/snug/test_snug.c
test_programs_snug_CPPFLAGS = $(UNIT_CPPFLAGS)
test_programs_snug_LDADD = $(UNIT_LDADD)
