# The core with these: what the command and the tests link.
noinst_LIBRARIES += libmeshstudy.a
libmeshstudy_a_SOURCES = smesh/study/study.c smesh/study/strategy_torus3d.c
libmeshstudy_a_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/smesh
libmeshstudy_a_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
EXTRA_DIST += smesh/study/README.md
