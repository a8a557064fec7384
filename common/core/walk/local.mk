libmeshcore_a_SOURCES += \
	common/core/walk/walk_find.c \
	common/core/walk/walk.h \
	common/core/walk/walk_blocks.c \
	common/core/walk/walk_cut.c \
	common/core/walk/walk_cut.h \
	common/core/walk/walk_graph.c \
	common/core/walk/walk_graph.h \
	common/core/walk/walk_grow.c \
	common/core/walk/walk_search.c \
	common/core/walk/walk_search.h \
	common/core/walk/walks.c \
	common/core/walk/walks.h
EXTRA_DIST += common/core/walk/README.md
