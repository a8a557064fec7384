libmeshpapers_a_SOURCES += \
	common/papers/point/ball.c \
	common/papers/point/ball.h \
	common/papers/point/ball_counts.c \
	common/papers/point/ball_counts.h \
	common/papers/point/batch.c \
	common/papers/point/batch.h \
	common/papers/point/batch_vectors.c \
	common/papers/point/least_pairs.c \
	common/papers/point/least_pairs.h \
	common/papers/point/point.c \
	common/papers/point/point.h \
	common/papers/point/point_boxes.c \
	common/papers/point/point_centres.c \
	common/papers/point/point_centres.h \
	common/papers/point/point_choose.c \
	common/papers/point/point_hops.c \
	common/papers/point/refine.c \
	common/papers/point/refine.h \
	common/papers/point/strategy_point.c
EXTRA_DIST += common/papers/point/README.md
