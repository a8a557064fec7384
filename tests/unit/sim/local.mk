UNIT_TESTS += \
	tests/unit/sim/test_clear \
	tests/unit/sim/test_cubes \
	tests/unit/sim/test_programs \
	tests/unit/sim/test_sched \
	tests/unit/sim/test_sim
tests_unit_sim_test_clear_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_sim_test_cubes_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_sim_test_sched_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_sim_test_sim_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_sim_test_programs_SOURCES = tests/unit/sim/test_programs.c tests/unit/sim/mpi/mpi.h \
	tests/unit/sim/mpi/smpi/smpi.h
tests_unit_sim_test_programs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/smesh \
	-I$(top_srcdir)/tests/unit/sim/mpi -I$(top_srcdir)/tests/lab/smpi
tests_unit_sim_test_programs_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
