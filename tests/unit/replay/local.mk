UNIT_TESTS += \
	tests/unit/replay/test_associate \
	tests/unit/replay/test_clock_table
tests_unit_replay_test_associate_SOURCES = tests/unit/replay/test_associate.c \
	tests/replay/associate.c tests/replay/associate.h tests/replay/happen.c tests/replay/happen.h
tests_unit_replay_test_associate_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/replay
tests_unit_replay_test_associate_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_replay_test_clock_table_SOURCES = tests/unit/replay/test_clock_table.c $(CLOCK_SOURCES)
tests_unit_replay_test_clock_table_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/replay
tests_unit_replay_test_clock_table_CFLAGS = -D_GNU_SOURCE -std=gnu11 $(WARN_CFLAGS)
