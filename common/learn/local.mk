noinst_LIBRARIES += libmeshlearn.a
libmeshlearn_a_SOURCES = \
	common/learn/collective.h \
	common/learn/progname.c \
	common/learn/progname.h \
	common/learn/records.c \
	common/learn/records.h \
	common/learn/runs.c \
	common/learn/runs.h \
	common/learn/titrace.c \
	common/learn/titrace.h \
	common/learn/trafficfile.c \
	common/learn/trafficfile.h
libmeshlearn_a_CPPFLAGS = $(CORE_CPPFLAGS)
libmeshlearn_a_CFLAGS = $(CORE_CFLAGS)
EXTRA_DIST += common/learn/README.md
