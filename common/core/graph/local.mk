libmeshcore_a_SOURCES += \
	common/core/graph/graphorder.c \
	common/core/graph/graphorder.h \
	common/core/graph/graphpick.c \
	common/core/graph/graphpick.h \
	common/core/graph/graphset.c \
	common/core/graph/graphset.h \
	common/core/graph/linkgraph.c \
	common/core/graph/linkgraph.h
EXTRA_DIST += common/core/graph/README.md
