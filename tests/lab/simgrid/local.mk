# The judge of placements (doc/lab/simgrid.md): `make judge-programs/judge`, or tests/lab/simgrid/run,
# which does that. Without libsimgrid-dev it has only the engine of our own.
EXTRA_PROGRAMS += judge-programs/judge
judge_programs_judge_SOURCES = \
	plugin/shared/hostlist_libslurm.c \
	tests/lab/simgrid/fluid.c tests/lab/simgrid/model.c \
	tests/lab/simgrid/filling.c tests/lab/simgrid/filling.h \
	tests/lab/simgrid/judge.c \
	tests/lab/simgrid/packets.c \
	tests/lab/simgrid/moments.c tests/lab/simgrid/moments.h \
	tests/lab/simgrid/scenario.c tests/lab/simgrid/scenario.h
if SIMGRID
judge_programs_judge_SOURCES += tests/lab/simgrid/simgrid.c
endif
judge_programs_judge_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/smesh -I$(top_srcdir)/plugin
judge_programs_judge_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
judge_programs_judge_LDADD = $(SIM_LIBS) $(SLURM_LIBS) $(SIMGRID_LIBS) -lm
EXTRA_DIST += tests/lab/packets tests/lab/simgrid/agree tests/lab/simgrid/run tests/lab/simgrid/simgrid.c
