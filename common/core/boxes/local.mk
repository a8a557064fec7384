libmeshcore_a_SOURCES += \
	common/core/boxes/bitbox.c \
	common/core/boxes/bitbox.h \
	common/core/boxes/boundary.c \
	common/core/boxes/boundary.h \
	common/core/boxes/boxplan.c \
	common/core/boxes/boxplan.h \
	common/core/boxes/contiguous.c \
	common/core/boxes/contiguous.h \
	common/core/boxes/contiguous_fit.c \
	common/core/boxes/contiguous_keeper.c \
	common/core/boxes/fragments.c \
	common/core/boxes/fragments.h \
	common/core/boxes/largebox.c \
	common/core/boxes/largebox.h
EXTRA_DIST += common/core/boxes/README.md
