libmeshpapers_a_SOURCES += \
	common/papers/point/ball.c \
	common/papers/point/ball.h \
	common/papers/point/ball_counts.c \
	common/papers/point/ball_counts.h \
	common/papers/point/batch.c \
	common/papers/point/batch.h \
	common/papers/point/batch_kernel.h \
	common/papers/point/batch_lanes.c \
	common/papers/point/cells_kernel.h \
	common/papers/point/least_pairs.c \
	common/papers/point/least_pairs.h \
	common/papers/point/point.c \
	common/papers/point/point.h \
	common/papers/point/point_boxes.c \
	common/papers/point/point_centres.c \
	common/papers/point/point_centres.h \
	common/papers/point/point_choose.c \
	common/papers/point/point_hops.c \
	common/papers/point/point_kernel.h \
	common/papers/point/refine.c \
	common/papers/point/refine.h \
	common/papers/point/simd_lanes.h \
	common/papers/point/strategy_point.c
EXTRA_DIST += common/papers/point/README.md

# The wide vectors, for processors that have them.
if WIDE_VECTORS
noinst_LIBRARIES += libbatch8.a
WIDE_LIBS = libbatch8.a
libbatch8_a_SOURCES = common/papers/point/batch_lanes.c
libbatch8_a_CFLAGS = $(CORE_CFLAGS) $(WIDE_CFLAGS) -DLANES=8 -mavx2 -mfma
endif
