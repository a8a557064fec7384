libmeshalloc_la_SOURCES += \
	common/base/budget.c \
	common/base/budget.h \
	common/base/err.c \
	common/base/err.h \
	common/base/hostlist.c \
	common/base/hostlist.h \
	common/base/mesh.c \
	common/base/mesh.h \
	common/base/nodeset.c \
	common/base/nodeset.h \
	common/base/pile.c \
	common/base/pile.h \
	common/base/textfile.c \
	common/base/textfile.h \
	common/base/vector.h
