libmeshalloc_la_SOURCES += \
	common/ranks/assign.c \
	common/ranks/assign.h \
	common/ranks/cloud.c \
	common/ranks/cloud.h \
	common/ranks/partition.c \
	common/ranks/partition.h \
	common/ranks/placement.c \
	common/ranks/placement.h \
	common/ranks/rankfold.c \
	common/ranks/rankfold.h \
	common/ranks/rankmap.c \
	common/ranks/rankmap.h \
	common/ranks/traffic.c \
	common/ranks/traffic.h
EXTRA_DIST += common/ranks/README.md
