# The core: no Slurm header on its include path.
noinst_LTLIBRARIES += libmeshalloc.la
libmeshalloc_la_SOURCES = \
	common/curve.c common/curve.h common/hilbert.c \
	common/curve_search.c common/curve_search.h \
	common/bitbox.c common/bitbox.h \
	common/boundary.c common/boundary.h \
	common/box.c common/box.h \
	common/budget.c common/budget.h \
	common/boxplan.c common/boxplan.h \
	common/busylist.c common/busylist.h common/busyscratch.c common/busyscratch.h \
	common/contiguous.c common/contiguous.h \
	common/assign.c common/assign.h \
	common/cloud.c common/cloud.h \
	common/err.c common/err.h \
	common/hostlist.c common/hostlist.h \
	common/mesh.c common/mesh.h \
	common/metrics.c common/metrics.h \
	common/nodeset.c common/nodeset.h \
	common/partition.c common/partition.h \
	common/placement.c common/placement.h \
	common/qtree.c common/qtree.h common/strategy_qtree.c \
	common/strategy_classic.c \
	common/rankfold.c common/rankfold.h \
	common/rankmap.c common/rankmap.h \
	common/prohibited.c common/prohibited.h \
	common/remark.c common/remark.h \
	common/runtimes.c common/runtimes.h \
	common/route.c common/route.h \
	common/settings.c common/settings.h \
	common/ranked.c common/ranked.h \
	common/shape.c common/shape.h \
	common/strategy.c common/strategy.h \
	common/strategy_buddy.c \
	common/strategy_curve.c \
	common/strategy_box.c \
	common/strategy_busylist.c \
	common/strategy_linear.c \
	common/strategy_exact.c common/strategy_ptas.c \
	common/strategy_scatter.c \
	common/strategy_point.c common/point.c common/point.h common/point_shell.c common/point_scan.c \
	common/point_lane.c common/point_near.c common/point_hops.c common/point_run.c common/point_run.h common/point_kernel.h \
	common/point_boxes.c common/point_cube.c common/point_cube.h \
	common/lanes.c common/lanes.h common/lanes_kernel.h common/lanes_glance.h common/lanes_4.c common/lanes_8.c \
	common/lanes_16.c common/cones.c common/cones.h common/levels.c common/levels.h \
	common/margins.c common/margins.h common/shell_cells.c common/shell_cells.h \
	common/shell_pairs.c common/shell_pairs.h \
	common/ball.c common/ball.h common/refine.c common/refine.h common/pile.c common/pile.h common/vector.h \
	common/strategy_snug_box.c \
	common/strategy_snug.c common/snug_chain.c common/snug_chain.h \
	common/snug_sweep.c common/snug_sweep.h common/snug_trial.c common/snug_trial.h \
	common/snug_ahead.c common/snug_ahead.h \
	common/sumtable.c common/sumtable.h \
	common/textfile.c common/textfile.h \
	common/topoconf.c common/topoconf.h \
	common/wish.c common/wish.h \
	common/traffic.c common/traffic.h
libmeshalloc_la_CFLAGS = $(CORE_CFLAGS) $(VECTOR_CFLAGS)
