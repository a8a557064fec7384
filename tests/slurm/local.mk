# select/mesh in depth. What they need besides daemons.
SLURM_TESTS += tests/slurm/boxes.t tests/slurm/requests.t
dist_check_SCRIPTS += tests/slurm/mesh.sh
noinst_PROGRAMS += test-programs/core_reservation
test_programs_core_reservation_SOURCES = tests/slurm/core_reservation.c
test_programs_core_reservation_LDADD = $(SLURM_LIBS)
