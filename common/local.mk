# The core: no Slurm header on its include path. Its rooms, lowest first: each uses those before
# it, never one after it (tests/cli/rooms.t).
noinst_LTLIBRARIES += libmeshalloc.la
libmeshalloc_la_SOURCES =
libmeshalloc_la_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshalloc_la_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
# A source that leaves its list leaves the archive as well.
EXTRA_libmeshalloc_la_DEPENDENCIES = Makefile
include common/base/local.mk
include common/geometry/local.mk
include common/links/local.mk
include common/walk/local.mk
include common/strategy/local.mk
include common/point/local.mk
include common/boxes/local.mk
include common/snug/local.mk
include common/strategies/local.mk
include common/config/local.mk
include common/ranks/local.mk
include common/learn/local.mk
