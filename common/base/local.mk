libmeshalloc_la_SOURCES += \
	common/base/arena.c \
	common/base/arena.h \
	common/base/axis.c \
	common/base/axis.h \
	common/base/budget.c \
	common/base/budget.h \
	common/base/err.c \
	common/base/err.h \
	common/base/hash.h \
	common/base/heap.c \
	common/base/heap.h \
	common/base/hostlist.c \
	common/base/hostlist.h \
	common/base/limits.h \
	common/base/linkgraph.c \
	common/base/linkgraph.h \
	common/base/mesh.c \
	common/base/mesh.h \
	common/base/nodeset.c \
	common/base/nodeset.h \
	common/base/random.h \
	common/base/sort.h \
	common/base/textfile.c \
	common/base/textfile.h \
	common/base/simd.h
EXTRA_DIST += common/base/README.md
