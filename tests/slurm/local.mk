# select/mesh in depth, and what that needs besides daemons.
SLURM_TESTS += tests/slurm/topology.t
SLURM_TESTS += tests/slurm/boxes.t tests/slurm/meshes.t tests/slurm/options.t tests/slurm/requests.t
dist_check_SCRIPTS += tests/slurm/mesh.sh
noinst_PROGRAMS += test-programs/core_reservation test-programs/forge
test_programs_core_reservation_SOURCES = tests/slurm/core_reservation.c
test_programs_core_reservation_LDADD = $(SLURM_LIBS)
test_programs_forge_SOURCES = tests/slurm/forge.c contrib/smesh/slurm_public.h
test_programs_forge_CPPFLAGS = -I$(top_srcdir)/contrib/smesh
test_programs_forge_LDADD = $(SLURM_LIBS)
EXTRA_DIST += tests/bench/cycle.sh doc/select_mesh_requests.md plugin/slurm.m4
