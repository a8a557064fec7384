# MPI programs as the judge of placements (doc/lab/smpi.md); tests/lab/smpi/run compiles what it
# needs.
EXTRA_DIST += tests/lab/smpi/programs.c tests/lab/smpi/replay.cpp tests/lab/smpi/run
