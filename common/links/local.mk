libmeshalloc_la_SOURCES += \
	common/links/comm.c \
	common/links/comm.h \
	common/links/forecast.c \
	common/links/forecast.h \
	common/links/links.c \
	common/links/links.h \
	common/links/load.c \
	common/links/load.h \
	common/links/load_all.c \
	common/links/load_detours.c \
	common/links/load_meter.h
EXTRA_DIST += common/links/README.md
