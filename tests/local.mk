# Tests speak TAP; automake's driver counts them.
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	SMESH='$(abs_top_builddir)/smesh/smesh'; export SMESH; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir;
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
T_LOG_DRIVER = $(LOG_DRIVER)
TEST_EXTENSIONS = .t

# Unit tests: tests/unit/ROOM/test_NAME.c is a program of that name, listed in tests/unit/ROOM/local.mk
# (tests/README.md). What they are compiled and linked with is the default of all programs.
AM_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/tests/unit -I$(top_srcdir)/smesh -I$(top_srcdir)/plugin $(CMOCKA_CFLAGS)
LDADD = libmeshtest.a $(STUDY_LIBS) $(SLURM_LIBS) $(CMOCKA_LIBS) -lm -lpthread
check_LIBRARIES = libmeshtest.a
libmeshtest_a_SOURCES = \
	tests/unit/support.c tests/unit/support.h \
	plugin/shared/hostlist_libslurm.c
UNIT_TESTS = tests/unit/test_chaos tests/unit/test_docs
tests_unit_test_chaos_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup \
	-Wl,--wrap=open_memstream,--wrap=fclose,--wrap=read,--wrap=fstat
include tests/unit/base/local.mk
include tests/unit/graph/local.mk
include tests/unit/geometry/local.mk
include tests/unit/links/local.mk
include tests/unit/pack/local.mk
include tests/unit/decide/local.mk
include tests/unit/snug/local.mk
include tests/unit/conf/local.mk
include tests/unit/walk/local.mk
include tests/unit/boxes/local.mk
include tests/unit/cables/local.mk
include tests/unit/point/local.mk
include tests/unit/tbl/local.mk
include tests/unit/qtree/local.mk
include tests/unit/ranks/local.mk
include tests/unit/learn/local.mk
include tests/unit/import/local.mk
include tests/unit/sim/local.mk
include tests/unit/view/local.mk
include tests/unit/strategy/local.mk
include tests/unit/replay/local.mk
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
# Those that are to execute all of common/core. test_budgets measures time, and test_late takes its place.
CORE_TESTS = tests/unit/test_chaos $(filter-out tests/unit/strategy/test_budgets, $(filter \
	tests/unit/base/% tests/unit/graph/% tests/unit/geometry/% tests/unit/links/% tests/unit/pack/% \
	tests/unit/decide/% tests/unit/snug/% tests/unit/conf/% tests/unit/strategy/% tests/unit/boxes/% \
	tests/unit/cables/% tests/unit/tbl/% tests/unit/qtree/%, $(UNIT_TESTS)))
EXTRA_DIST += tests/unit/not-executed

# Command line tests: tests/cli/NAME.t
CLI_TESTS = \
	tests/cli/alloc.t \
	tests/cli/contiguous.t \
	tests/cli/brokenlinks.t \
	tests/cli/cases.t \
	tests/cli/curve.t \
	tests/cli/defaults.t \
	tests/cli/import.t \
	tests/cli/links.t \
	tests/cli/machines.t \
	tests/cli/map.t \
	tests/cli/outputs.t \
	tests/cli/part.t \
	tests/cli/ranks.t \
	tests/cli/readme.t \
	tests/cli/report.t \
	tests/cli/samples.t \
	tests/cli/sim.t \
	tests/cli/defrag.t \
	tests/cli/top.t \
	tests/cli/traffic.t \
	tests/cli/verdict.t
# What reads the tree, shows pages or compiles: the sanitizers would see nothing in it.
TREE_TESTS = \
	tests/cli/browser.t \
	tests/cli/conventions.t \
	tests/cli/docs.t \
	tests/cli/figures.t \
	tests/cli/gather.t \
	tests/cli/grafana.t \
	tests/cli/measure.t \
	tests/cli/new_strategy.t \
	tests/cli/packages.t \
	tests/cli/python.t \
	tests/cli/rooms.t \
	tests/cli/weight.t \
	tests/cli/smpi.t \
	tests/cli/stable.t \
	tests/cli/style.t \
	tests/cli/upgrade.t
dist_check_SCRIPTS += $(CLI_TESTS) $(TREE_TESTS) tests/tap.sh tests/machines.sh
EXTRA_DIST += tests/cli/cases tests/cli/data/node.xml tests/cli/data/ibnetdiscover tests/cli/data/1.0 tests/cli/probe.js
TESTS += $(CLI_TESTS)
if !SANITIZERS
TESTS += $(TREE_TESTS)
endif

# Fuzz targets: tests/fuzz/fuzz_NAME.c with a seed corpus tests/fuzz/corpus/NAME/. As tests they
# replay the corpus and mutations of it; `make fuzzers` builds them with libFuzzer (clang), and
# `make fuzz TARGET=NAME FUZZ_SECONDS=60` runs one of those. A new target: its name in the two
# lists, and a line like fuzz_topoconf's.
FUZZ_TARGETS = topoconf trace useroptions strategy tasks traffic records import state slurmconf
FUZZ_TESTS = tests/fuzz/fuzz_topoconf tests/fuzz/fuzz_trace tests/fuzz/fuzz_useroptions \
	tests/fuzz/fuzz_strategy tests/fuzz/fuzz_tasks tests/fuzz/fuzz_traffic tests/fuzz/fuzz_records \
	tests/fuzz/fuzz_import tests/fuzz/fuzz_state tests/fuzz/fuzz_slurmconf
# What smesh part, ranks, map and check read their files with.
FUZZ_FILES = smesh/cli/options_number.c smesh/cli/tasktable.c smesh/cli/smesh.c smesh/cli/output.c \
	smesh/view/state.c smesh/view/picture.c smesh/view/layout.c smesh/view/draw_text.c \
	smesh/cmd/slurmconf.c tests/fuzz/fail.c
check_PROGRAMS += $(FUZZ_TESTS)
TESTS += $(FUZZ_TESTS)
EXTRA_DIST += tests/mutate tests/lab/bench/decisions tests/lab/bench/growth tests/lab/bench/snug-cases tests/lab/bench/snug-boxes tests/lab/bench/slices tests/lab/bench/goodput tests/lab/bench/turnaround tests/lab/bench/partitions tests/lab/bench/waits tests/lab/bench/ranks tests/lab/bench/axes
EXTRA_DIST += tests/lab/rings/sat tests/lab/rfold tests/lab/bench/slice-chance tests/lab/bench/placeable tests/lab/bench/variation tests/lab/evalys tests/lab/soak
EXTRA_DIST += tests/fuzz/corpus tests/lab/bench/tables_contiguous.sh

check_LIBRARIES += libmeshfuzz.a
libmeshfuzz_a_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz.h tests/fuzz/fail.h plugin/shared/hostlist_libslurm.c $(FUZZ_FILES)
libmeshfuzz_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
FUZZ_LDADD = libmeshfuzz.a $(STUDY_LIBS) $(SLURM_LIBS) -lm
tests_fuzz_fuzz_topoconf_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_trace_LDADD = libmeshfuzz.a $(SIM_LIBS) $(FUZZ_LDADD)
tests_fuzz_fuzz_useroptions_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_strategy_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_tasks_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_traffic_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_records_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_import_LDADD = libmeshimport.a libmeshsim.a $(FUZZ_LDADD) $(YAML_LIBS)
tests_fuzz_fuzz_state_LDADD = libmeshfuzz.a $(SIM_LIBS) $(FUZZ_LDADD)
tests_fuzz_fuzz_slurmconf_LDADD = libmeshfuzz.a $(SIM_LIBS) $(FUZZ_LDADD)

FUZZ_CC = clang
FUZZ_SECONDS = 60
FUZZ_CFLAGS = -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-DHAVE_CONFIG_H $(AM_CPPFLAGS)
FUZZ_OBJECTS = $(patsubst %.c,fuzzers/%.o,$(filter %.c,$(LIBRARIES_C) \
	$(libmeshstudy_a_SOURCES) $(libmeshsim_a_SOURCES) $(libmeshimport_a_SOURCES)) plugin/shared/hostlist_libslurm.c $(FUZZ_FILES))
fuzzers: $(addprefix fuzzers/,$(FUZZ_TARGETS))
# A struct that has changed is not found out by the compiler: all objects follow all headers.
fuzzers/%.o: %.c $(filter %.h,$(LIBRARIES_C))
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<
fuzzers/%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(FUZZ_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_OBJECTS) \
		$(SLURM_LIBS) $(JANSSON_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) -lm -lpthread
# What is found on the way is kept in fuzzers/NAME.corpus, a crash in fuzzers/NAME.crash-*. The time of
# an input is by the wall: other work may be on the machine.
fuzz: fuzzers/$(TARGET)
	@$(MKDIR_P) fuzzers/$(TARGET).corpus
	fuzzers/$(TARGET) -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=2048 \
		-max_len=4096 -artifact_prefix=fuzzers/$(TARGET). \
		fuzzers/$(TARGET).corpus $(top_srcdir)/tests/fuzz/corpus/$(TARGET)
.PHONY: fuzzers fuzz
.SECONDARY: $(FUZZ_OBJECTS)
clean-local: clean-fuzzers
clean-fuzzers:
	rm -rf fuzzers

# Tests against real daemons: tests/slurm/NAME.t, run by `make check-slurm`, one after another.
# What takes longest comes first, so that others run beside it.
SLURM_TESTS = tests/slurm/faults.t tests/slurm/wishes.t tests/slurm/standby.t tests/slurm/sacct.t \
	tests/slurm/cycle.t tests/slurm/ranks.t tests/slurm/hunter.t tests/slurm/qos.t tests/slurm/options.t
SLURM_TESTS += tests/slurm/cluster.t tests/slurm/map.t tests/slurm/tasks.t tests/slurm/replay.t tests/slurm/standin.t
SLURM_TESTS += tests/slurm/placement.t tests/slurm/reload.t tests/slurm/bad_input.t tests/slurm/soak.t
include tests/slurm/local.mk
dist_check_SCRIPTS += $(SLURM_TESTS) tests/slurm/cluster.sh tests/wait.sh
check-slurm: all
	$(MAKE) -j1 $(AM_MAKEFLAGS) check TESTS='$(SLURM_TESTS)'
.PHONY: check-slurm

# Benchmarks: tests/lab/bench/bench_NAME.c and decisions, run by `make bench`, beside another tree with
# OTHER=ITS_SMESH; never part of the tests.
BENCHES = tests/lab/bench/bench_contiguous tests/lab/bench/bench_curve tests/lab/bench/bench_partition \
	tests/lab/bench/bench_point tests/lab/bench/bench_rankmap
# Not part of `make bench`: prints a table of a paper (doc/lab/contiguous.md); runs Scotch.
EXTRA_PROGRAMS += $(BENCHES) tests/lab/bench/tables_contiguous tests/lab/bench/bench_ranks
tests_lab_bench_tables_contiguous_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_lab_bench_bench_point_SOURCES = tests/lab/bench/bench_point.c tests/lab/bench/streams.c tests/lab/bench/streams.h
tests_lab_bench_bench_point_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
EXTRA_DIST += tests/lab/bench/bench.h
# Not either: how far strategies are from the optimum (doc/lab/optimum.md).
EXTRA_PROGRAMS += tests/lab/optimum/optimum
tests_lab_optimum_optimum_SOURCES = tests/lab/optimum/optimum.c tests/lab/optimum/proof.c tests/lab/optimum/proof.h \
	tests/lab/optimum/cuts.c tests/lab/optimum/cuts.h tests/lab/optimum/prices.c tests/lab/optimum/prices.h
EXTRA_DIST += tests/lab/optimum/family tests/lab/optimum/solver
bench: $(BENCHES) smesh/smesh
	@for b in $(BENCHES); do ./$$b || exit 1; done
	@SMESH=smesh/smesh $(srcdir)/tests/lab/bench/decisions $(OTHER)
	@$(srcdir)/tests/lab/bench/growth
.PHONY: bench
