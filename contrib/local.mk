# smesh, the command: the core without Slurm's daemons.
bin_PROGRAMS += smesh
smesh_SOURCES = \
	contrib/smesh/cmd_alloc.c \
	contrib/smesh/cmd_part.c \
	contrib/smesh/cmd_ranks.c \
	contrib/smesh/cmd_strategies.c \
	contrib/smesh/cores.c contrib/smesh/cores.h \
	contrib/smesh/hostlist_libslurm.c contrib/smesh/hostlist_libslurm.h \
	contrib/smesh/options.c contrib/smesh/options.h \
	contrib/smesh/smesh.c contrib/smesh/smesh.h \
	contrib/smesh/tasktable.c contrib/smesh/tasktable.h
smesh_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(HWLOC_CFLAGS)
smesh_CFLAGS = $(CORE_CFLAGS)
smesh_LDADD = libmeshalloc.la $(SLURM_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(HWLOC_LIBS) -lm

# Example jobs.
EXTRA_DIST += etc/job-ranks.sh etc/job-tasks.sh etc/tasks.conf
