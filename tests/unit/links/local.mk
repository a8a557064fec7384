UNIT_TESTS += tests/unit/links/test_contention
tests_unit_links_test_contention_SOURCES = tests/unit/links/test_contention.c \
	tests/lab/simgrid/filling.c tests/lab/simgrid/filling.h tests/lab/simgrid/fluid.c \
	tests/lab/simgrid/scenario.c tests/lab/simgrid/scenario.h
tests_unit_links_test_contention_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/lab/simgrid
tests_unit_links_test_contention_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
UNIT_TESTS += tests/unit/links/test_forecast \
	tests/unit/links/test_detours
