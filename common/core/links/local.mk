libmeshcore_a_SOURCES += \
	common/core/links/comm.c \
	common/core/links/comm.h \
	common/core/links/forecast.c \
	common/core/links/forecast.h \
	common/core/links/links.c \
	common/core/links/links.h \
	common/core/links/load_sum.c \
	common/core/links/load.h \
	common/core/links/load_detours.c \
	common/core/links/load_meter.h
EXTRA_DIST += common/core/links/README.md
