# The command: the core without Slurm's daemons. Its rooms, lowest first: each uses the core and
# those before it, never one after it (tests/cli/rooms.t).
bin_PROGRAMS += smesh/smesh
smesh_smesh_SOURCES = plugin/shared/hostlist_libslurm.c \
	plugin/shared/places_libslurm.c plugin/shared/places_libslurm.h
include smesh/study/local.mk
include smesh/sim/local.mk
include smesh/import/local.mk
include smesh/cli/local.mk
include smesh/view/local.mk
include smesh/cmd/local.mk
smesh_smesh_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/smesh -I$(top_srcdir)/plugin $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) \
	$(MD_CFLAGS) $(HWLOC_CFLAGS) $(NCURSES_CFLAGS)
smesh_smesh_CFLAGS = $(CORE_CFLAGS)
smesh_smesh_LDADD = libmeshsim.a libmeshimport.a $(STUDY_LIBS) $(SLURM_LIBS) $(JANSSON_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) \
	$(MD_LIBS) $(HWLOC_LIBS) $(NCURSES_LIBS) -lm -lpthread
EXTRA_DIST += smesh/README.md smesh/sim/README.md smesh/import/README.md smesh/cli/README.md smesh/view/README.md smesh/cmd/README.md
