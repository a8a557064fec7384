libmeshpapers_a_SOURCES += \
	common/papers/boxes/bitbox.c \
	common/papers/boxes/bitbox.h \
	common/papers/boxes/boundary.c \
	common/papers/boxes/boundary.h \
	common/papers/boxes/boxplan.c \
	common/papers/boxes/boxplan.h \
	common/papers/boxes/contiguous.c \
	common/papers/boxes/contiguous.h \
	common/papers/boxes/contiguous_fit.c \
	common/papers/boxes/contiguous_keeper.c \
	common/papers/boxes/fold.c \
	common/papers/boxes/fold.h \
	common/papers/boxes/fragments.c \
	common/papers/boxes/fragments.h \
	common/papers/boxes/largebox.c \
	common/papers/boxes/largebox.h
EXTRA_DIST += common/papers/boxes/README.md
