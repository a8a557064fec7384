libmeshpapers_a_SOURCES += \
	common/papers/tbl/box_cut.c \
	common/papers/tbl/box_cut.h \
	common/papers/tbl/busylist.c \
	common/papers/tbl/busylist.h \
	common/papers/tbl/prohibited.c \
	common/papers/tbl/prohibited.h \
	common/papers/tbl/strategy_busylist.c
EXTRA_DIST += common/papers/tbl/README.md
