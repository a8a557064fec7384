libmeshpapers_a_SOURCES += \
	common/papers/qtree/qtree.c \
	common/papers/qtree/qtree.h \
	common/papers/qtree/strategy_qtree.c
EXTRA_DIST += common/papers/qtree/README.md
