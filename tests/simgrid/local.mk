# The judge of placements (doc/lab/simgrid.md): `make judge-programs/judge`, or tests/simgrid/run,
# which does that. Without libsimgrid-dev it has only the engine of our own.
EXTRA_PROGRAMS += judge-programs/judge
judge_programs_judge_SOURCES = \
	plugin/shared/hostlist_libslurm.c plugin/shared/hostlist_libslurm.h \
	tests/simgrid/fluid.c tests/simgrid/model.c \
	tests/simgrid/filling.c tests/simgrid/filling.h \
	tests/simgrid/judge.c \
	tests/simgrid/moments.c tests/simgrid/moments.h \
	tests/simgrid/scenario.c tests/simgrid/scenario.h
if SIMGRID
judge_programs_judge_SOURCES += tests/simgrid/simgrid.c
endif
judge_programs_judge_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/contrib/smesh -I$(top_srcdir)/plugin
judge_programs_judge_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
judge_programs_judge_LDADD = libmeshsim.la libmeshalloc.la $(SLURM_LIBS) $(SIMGRID_LIBS) -lm
EXTRA_DIST += tests/simgrid/agree tests/simgrid/run tests/simgrid/simgrid.c
