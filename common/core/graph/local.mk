libmeshcore_a_SOURCES += \
	common/core/graph/graphfind.c \
	common/core/graph/graphfind.h \
	common/core/graph/graphorder.c \
	common/core/graph/graphorder.h \
	common/core/graph/graphpick.c \
	common/core/graph/graphpick.h \
	common/core/graph/graphset.c \
	common/core/graph/graphset.h \
	common/core/graph/graphwindow.c \
	common/core/graph/graphwindow.h \
	common/core/graph/linkgraph.c \
	common/core/graph/linkgraph.h
EXTRA_DIST += common/core/graph/README.md
