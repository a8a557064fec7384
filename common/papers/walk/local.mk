libmeshpapers_a_SOURCES += \
	common/papers/walk/walk_find.c \
	common/papers/walk/walk.h \
	common/papers/walk/walk_blocks.c \
	common/papers/walk/walk_cut.c \
	common/papers/walk/walk_cut.h \
	common/papers/walk/walk_graph.c \
	common/papers/walk/walk_graph.h \
	common/papers/walk/walk_grow.c \
	common/papers/walk/walk_search.c \
	common/papers/walk/walk_search.h \
	common/papers/walk/walks.c \
	common/papers/walk/walks.h
EXTRA_DIST += common/papers/walk/README.md
