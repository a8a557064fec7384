libmeshranks_a_SOURCES += \
	common/ranks/assign.c \
	common/ranks/assign.h \
	common/ranks/bipart.c \
	common/ranks/bipart.h \
	common/ranks/drb.c \
	common/ranks/drb.h \
	common/ranks/embed.c \
	common/ranks/embed.h \
	common/ranks/embed_layout.c \
	common/ranks/embed_layout.h \
	common/ranks/embed_walk.c \
	common/ranks/embed_walk.h \
	common/ranks/gridfind.c \
	common/ranks/gridfind.h \
	common/ranks/partition.c \
	common/ranks/partition.h \
	common/ranks/patternfind.c \
	common/ranks/patternfind.h \
	common/ranks/peak.c \
	common/ranks/peak.h \
	common/ranks/placement.c \
	common/ranks/placement.h \
	common/ranks/rankgroup.c \
	common/ranks/rankgroup.h \
	common/ranks/rankfold.c \
	common/ranks/rankfold.h \
	common/ranks/rankmap.c \
	common/ranks/rankmap.h \
	common/ranks/rankmix.c \
	common/ranks/rankmix.h \
	common/ranks/rankorder.c \
	common/ranks/rankorder.h \
	common/ranks/rankorder_mix.c \
	common/ranks/traffic.c \
	common/ranks/traffic.h \
	common/ranks/traffic_grid.c
EXTRA_DIST += common/ranks/README.md
