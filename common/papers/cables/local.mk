libmeshpapers_a_SOURCES += \
	common/papers/cables/graphfind.c \
	common/papers/cables/graphfind.h \
	common/papers/cables/graphwindow.c \
	common/papers/cables/graphwindow.h \
	common/papers/cables/snug_cables.c \
	common/papers/cables/snug_cables.h \
	common/papers/cables/span_cables.c \
	common/papers/cables/span_cables.h
EXTRA_DIST += common/papers/cables/README.md
