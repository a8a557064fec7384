# The core: no Slurm header on its include path. A library is a folder, divided by who loads it. The
# rooms of all of them, lowest first: each uses those before it, never one after it
# (tests/cli/rooms.t). A source that leaves its list leaves the archive as well: hence Makefile.

# What slurmctld always loads.
noinst_LIBRARIES += libmeshcore.a
libmeshcore_a_SOURCES =
libmeshcore_a_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshcore_a_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
EXTRA_libmeshcore_a_DEPENDENCIES = Makefile
include common/core/base/local.mk
include common/core/graph/local.mk
include common/core/geometry/local.mk
include common/core/ask/local.mk
include common/core/links/local.mk
include common/core/pack/local.mk
include common/core/decide/local.mk
include common/core/snug/local.mk
include common/core/conf/local.mk

# What a site, a user or a map asks for: boxes, lines and rings; cables; strategies by name.
noinst_LIBRARIES += libmeshpapers.a
libmeshpapers_a_SOURCES = common/papers/papers.c
libmeshpapers_a_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshpapers_a_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
EXTRA_libmeshpapers_a_DEPENDENCIES = Makefile
include common/papers/walk/local.mk
include common/papers/boxes/local.mk
include common/papers/cables/local.mk
include common/papers/point/local.mk
include common/papers/tbl/local.mk
include common/papers/qtree/local.mk

# The order of a job's ranks, for srun, sbatch and smesh.
noinst_LIBRARIES += libmeshranks.a
libmeshranks_a_SOURCES =
libmeshranks_a_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshranks_a_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
EXTRA_libmeshranks_a_DEPENDENCIES = Makefile
include common/ranks/local.mk

# What jobs sent: srun and smesh.
include common/learn/local.mk

CORE_LIBS = libmeshcore.a
PAPERS_LIBS = libmeshpapers.a $(CORE_LIBS)
RANKS_LIBS = libmeshlearn.a libmeshranks.a $(CORE_LIBS)
# The table of strategies is in the core, and smesh/study adds to it.
STUDY_LIBS = libmeshlearn.a libmeshranks.a $(CORE_LIBS) libmeshstudy.a $(PAPERS_LIBS)
LIBRARIES_C = $(libmeshcore_a_SOURCES) $(libmeshpapers_a_SOURCES) $(libmeshranks_a_SOURCES) \
	$(libmeshlearn_a_SOURCES)
