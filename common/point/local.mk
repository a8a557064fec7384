libmeshalloc_la_SOURCES += \
	common/point/ball.c \
	common/point/ball.h \
	common/point/lanes.c \
	common/point/lanes.h \
	common/point/lanes_16.c \
	common/point/lanes_4.c \
	common/point/lanes_8.c \
	common/point/lanes_glance.h \
	common/point/lanes_kernel.h \
	common/point/point.c \
	common/point/point.h \
	common/point/point_boxes.c \
	common/point/point_cube.c \
	common/point/point_cube.h \
	common/point/point_hops.c \
	common/point/point_kernel.h \
	common/point/point_lane.c \
	common/point/point_near.c \
	common/point/point_run.c \
	common/point/point_run.h \
	common/point/point_scan.c \
	common/point/point_shell.c \
	common/point/refine.c \
	common/point/refine.h \
	common/point/shell_pairs.c \
	common/point/shell_pairs.h \
	common/point/strategy_exact.c \
	common/point/strategy_point.c \
	common/point/strategy_ptas.c
EXTRA_DIST += common/point/README.md
