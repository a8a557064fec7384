# smesh, the command: the core without Slurm's daemons.
bin_PROGRAMS += smesh
smesh_SOURCES = \
	contrib/smesh/cmd_alloc.c \
	contrib/smesh/cmd_strategies.c \
	contrib/smesh/hostlist_libslurm.c contrib/smesh/hostlist_libslurm.h \
	contrib/smesh/options.c contrib/smesh/options.h \
	contrib/smesh/smesh.c contrib/smesh/smesh.h
smesh_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
smesh_CFLAGS = $(CORE_CFLAGS)
smesh_LDADD = libmeshalloc.la $(SLURM_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lm
