libmeshalloc_la_SOURCES += \
	common/point/ball.c \
	common/point/ball.h \
	common/point/batch.c \
	common/point/batch.h \
	common/point/batch_lanes.c \
	common/point/batch_kernel.h \
	common/point/cells_kernel.h \
	common/point/point.c \
	common/point/point.h \
	common/point/point_boxes.c \
	common/point/point_hops.c \
	common/point/point_kernel.h \
	common/point/point_centres.c \
	common/point/point_centres.h \
	common/point/point_choose.c \
	common/point/refine.c \
	common/point/refine.h \
	common/point/least_pairs.c \
	common/point/least_pairs.h \
	common/point/strategy_point.c

# The wide vectors, for processors that have them.
if WIDE_VECTORS
noinst_LTLIBRARIES += libbatch8.la
libbatch8_la_SOURCES = common/point/batch_lanes.c
libbatch8_la_CFLAGS = $(CORE_CFLAGS) $(WIDE_CFLAGS) -DLANES=8 -mavx2 -mfma
libmeshalloc_la_LIBADD = libbatch8.la
endif
EXTRA_DIST += common/point/README.md
