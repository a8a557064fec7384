# MPI programs as the judge of placements (doc/lab/smpi.md); tests/lab/smpi/run compiles what it
# needs.
EXTRA_PROGRAMS += judge-programs/model
judge_programs_model_SOURCES = plugin/shared/hostlist_libslurm.c tests/lab/smpi/model.c
judge_programs_model_CPPFLAGS = $(judge_programs_judge_CPPFLAGS)
judge_programs_model_CFLAGS = $(judge_programs_judge_CFLAGS)
judge_programs_model_LDADD = $(SIM_LIBS) $(SLURM_LIBS) -lm
EXTRA_DIST += tests/lab/smpi/axes tests/lab/smpi/programs.c tests/lab/smpi/replay.cpp tests/lab/smpi/run
