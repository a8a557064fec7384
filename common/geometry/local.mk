libmeshalloc_la_SOURCES += \
	common/geometry/box.c \
	common/geometry/box.h \
	common/geometry/curve.c \
	common/geometry/curve.h \
	common/geometry/fold.c \
	common/geometry/fold.h \
	common/geometry/hilbert.c \
	common/geometry/legal.c \
	common/geometry/legal.h \
	common/geometry/ball_counts.c \
	common/geometry/ball_counts.h \
	common/geometry/graphpick.c \
	common/geometry/graphpick.h \
	common/geometry/graphset.c \
	common/geometry/graphset.h \
	common/geometry/metrics.c \
	common/geometry/metrics.h \
	common/geometry/ranked.c \
	common/geometry/ranked.h \
	common/geometry/sumtable.c \
	common/geometry/sumtable.h
EXTRA_DIST += common/geometry/README.md
