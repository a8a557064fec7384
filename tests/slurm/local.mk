# select/mesh in depth, and what that needs besides daemons.
SLURM_TESTS += tests/slurm/together.t tests/slurm/topology.t tests/slurm/dynamic.t tests/slurm/yaml.t tests/slurm/segments.t tests/slurm/member.t tests/slurm/torus3d.t tests/slurm/legal.t tests/slurm/gres.t tests/slurm/sizes.t tests/slurm/random.t
SLURM_TESTS += tests/slurm/links.t tests/slurm/import.t tests/slurm/types.t tests/slurm/cloud.t tests/slurm/kinds.t tests/slurm/sharing.t tests/slurm/budget.t tests/slurm/reserved.t tests/slurm/licenses.t
SLURM_TESTS += tests/slurm/boxes.t tests/slurm/needs.t tests/slurm/rings.t tests/slurm/boxes_linear.t tests/slurm/when.t tests/slurm/large.t tests/slurm/takeover.t tests/slurm/shrink.t
SLURM_TESTS += tests/slurm/attack.t tests/slurm/defrag.t tests/slurm/weights.t tests/slurm/traffic.t
SLURM_TESTS += tests/slurm/check.t tests/slurm/clock.t tests/slurm/switch.t tests/slurm/plans.t tests/slurm/every.t
SLURM_TESTS += tests/slurm/machines.t tests/slurm/meshes.t tests/slurm/span.t tests/slurm/requests.t \
	tests/slurm/failure.t tests/slurm/preemption.t tests/slurm/requests_linear.t tests/slurm/tree.t
SLURM_TESTS += tests/slurm/switch_all.t tests/slurm/network.t tests/slurm/demo.t tests/slurm/package.t
EXTRA_DIST += tests/slurm/pods.awk tests/slurm/hunter/judge.awk tests/slurm/hunter/machine.sh tests/slurm/hunter/mix.awk
EXTRA_DIST += tests/lab/network/agree tests/lab/network/program.c tests/lab/network/programs tests/lab/network/run
dist_check_SCRIPTS += tests/slurm/mesh.sh tests/slurm/torus3d.sh tests/slurm/backup.sh tests/slurm/against.sh tests/slurm/faults.sh
noinst_PROGRAMS += test-programs/core_reservation test-programs/forge test-programs/submit_sizes
test_programs_core_reservation_SOURCES = tests/slurm/core_reservation.c
test_programs_core_reservation_LDADD = $(SLURM_LIBS)
test_programs_forge_SOURCES = tests/slurm/forge.c tests/replay/slurm_public.h
test_programs_forge_CPPFLAGS = -I$(top_srcdir)/tests/replay
test_programs_forge_LDADD = $(SLURM_LIBS)
test_programs_submit_sizes_SOURCES = tests/lab/bench/submit_sizes.c tests/replay/slurm_public.h
test_programs_submit_sizes_CPPFLAGS = -I$(top_srcdir)/tests/replay
test_programs_submit_sizes_LDADD = $(SLURM_LIBS)
# Preloaded into slurmctld.
noinst_PROGRAMS += test-programs/fail_alloc.so
test_programs_fail_alloc_so_SOURCES = tests/slurm/fail_alloc.c
test_programs_fail_alloc_so_CFLAGS = -fPIC -std=gnu11 -fno-builtin
test_programs_fail_alloc_so_LDFLAGS = -shared
test_programs_fail_alloc_so_LDADD =
noinst_PROGRAMS += test-programs/heap_in_use.so
test_programs_heap_in_use_so_SOURCES = tests/slurm/heap_in_use.c
test_programs_heap_in_use_so_CFLAGS = -fPIC -std=gnu11
test_programs_heap_in_use_so_LDFLAGS = -shared
test_programs_heap_in_use_so_LDADD =
EXTRA_DIST += tests/lab/bench/backfill.sh tests/lab/bench/predict.sh tests/lab/bench/stream.awk tests/lab/bench/stream.sh
EXTRA_DIST += tests/lab/bench/common.sh tests/lab/bench/load.sh tests/lab/bench/map.sh tests/lab/bench/torus3d.sh
EXTRA_DIST += tests/lab/bench/cycle.sh plugin/compat/slurm.m4
# For contrib/check without `all`: installation, decisions, options, errors, logs of sacct.
QUICK_SLURM_TESTS = tests/slurm/placement.t tests/slurm/options.t tests/slurm/reload.t tests/slurm/failure.t \
	tests/slurm/boxes.t tests/slurm/sacct.t
