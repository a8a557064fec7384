libmeshalloc_la_SOURCES += \
	common/walk/walk.c \
	common/walk/walk.h \
	common/walk/walk_blocks.c \
	common/walk/walk_grow.c \
	common/walk/walk_search.c \
	common/walk/walk_search.h \
	common/walk/walk_graph.c \
	common/walk/walk_graph.h
EXTRA_DIST += common/walk/README.md
