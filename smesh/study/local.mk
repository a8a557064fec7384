# The core with these: what the command and the tests link.
noinst_LTLIBRARIES += libmeshstudy.la
libmeshstudy_la_SOURCES = smesh/study/strategy_torus3d.c
libmeshstudy_la_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/smesh
libmeshstudy_la_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
libmeshstudy_la_LIBADD = libmeshalloc.la
EXTRA_DIST += smesh/study/README.md
