libmeshcore_a_SOURCES += \
	common/core/base/arena.c \
	common/core/base/arena.h \
	common/core/base/axis.c \
	common/core/base/axis.h \
	common/core/base/budget.c \
	common/core/base/budget.h \
	common/core/base/conffile.c \
	common/core/base/conffile.h \
	common/core/base/err.c \
	common/core/base/err.h \
	common/core/base/hash.h \
	common/core/base/heap.c \
	common/core/base/heap.h \
	common/core/base/hostlist.c \
	common/core/base/hostlist.h \
	common/core/base/limits.h \
	common/core/base/mesh.c \
	common/core/base/mesh.h \
	common/core/base/nodeset.c \
	common/core/base/nodeset.h \
	common/core/base/random.h \
	common/core/base/simd.h \
	common/core/base/sort.h \
	common/core/base/suggest.c \
	common/core/base/suggest.h \
	common/core/base/textfile.c \
	common/core/base/textfile.h
EXTRA_DIST += common/core/base/README.md
