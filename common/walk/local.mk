libmeshalloc_la_SOURCES += \
	common/walk/walk.c \
	common/walk/walk.h \
	common/walk/walk_effort.h \
	common/walk/walk_exact.c \
	common/walk/walk_exact.h \
	common/walk/walk_graph.c \
	common/walk/walk_graph.h \
	common/walk/walk_grow.c \
	common/walk/walk_grow.h
EXTRA_DIST += common/walk/README.md
