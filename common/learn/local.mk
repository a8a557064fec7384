# What jobs sent. Not for slurmctld: srun, slurmstepd and smesh link it before the core.
noinst_LTLIBRARIES += libmeshlearn.la
libmeshlearn_la_SOURCES = \
	common/learn/collective.h \
	common/learn/records.c \
	common/learn/records.h \
	common/learn/titrace.c \
	common/learn/titrace.h \
	common/learn/trafficfile.c \
	common/learn/trafficfile.h
libmeshlearn_la_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshlearn_la_CFLAGS = $(CORE_CFLAGS)
EXTRA_DIST += common/learn/README.md
