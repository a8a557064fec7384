libmeshalloc_la_SOURCES += \
	common/boxes/bitbox.c \
	common/boxes/bitbox.h \
	common/boxes/boundary.c \
	common/boxes/boundary.h \
	common/boxes/boxplan.c \
	common/boxes/boxplan.h \
	common/boxes/busylist.c \
	common/boxes/busylist.h \
	common/boxes/contiguous.c \
	common/boxes/contiguous.h \
	common/boxes/fragments.c \
	common/boxes/fragments.h \
	common/boxes/places.c \
	common/boxes/places.h \
	common/boxes/prohibited.c \
	common/boxes/prohibited.h \
	common/boxes/qtree.c \
	common/boxes/qtree.h \
	common/boxes/strategy_box.c \
	common/boxes/strategy_busylist.c \
	common/boxes/strategy_qtree.c
EXTRA_DIST += common/boxes/README.md
