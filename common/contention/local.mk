libmeshalloc_la_SOURCES += \
	common/contention/comm.c \
	common/contention/comm.h \
	common/contention/forecast.c \
	common/contention/forecast.h \
	common/contention/links.c \
	common/contention/links.h \
	common/contention/load.c \
	common/contention/load.h \
	common/contention/load_all.c \
	common/contention/load_meter.h \
	common/contention/shift.c \
	common/contention/shift.h
EXTRA_DIST += common/contention/README.md
