libmeshcore_a_SOURCES += \
	common/core/geometry/box.c \
	common/core/geometry/box.h \
	common/core/geometry/box_nodes.c \
	common/core/geometry/curve.c \
	common/core/geometry/curve.h \
	common/core/geometry/hilbert.c \
	common/core/geometry/legal.c \
	common/core/geometry/legal.h \
	common/core/geometry/metrics.c \
	common/core/geometry/metrics.h \
	common/core/geometry/metrics_count.h \
	common/core/geometry/metrics_meter.c \
	common/core/geometry/metrics_meter.h \
	common/core/geometry/sumtable.c \
	common/core/geometry/sumtable.h
EXTRA_DIST += common/core/geometry/README.md
