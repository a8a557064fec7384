UNIT_TESTS += tests/unit/contention/test_contention
tests_unit_contention_test_contention_SOURCES = tests/unit/contention/test_contention.c \
	tests/simgrid/filling.c tests/simgrid/filling.h tests/simgrid/fluid.c \
	tests/simgrid/scenario.c tests/simgrid/scenario.h
tests_unit_contention_test_contention_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/simgrid
UNIT_TESTS += tests/unit/contention/test_forecast
