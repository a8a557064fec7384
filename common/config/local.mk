libmeshalloc_la_SOURCES += \
	common/config/address.c \
	common/config/address.h \
	common/config/jobenv.c \
	common/config/jobenv.h \
	common/config/jobpattern.c \
	common/config/jobpattern.h \
	common/config/linkconf.c \
	common/config/linkconf.h \
	common/config/places.c \
	common/config/places.h \
	common/config/remark.c \
	common/config/remark.h \
	common/config/settings.c \
	common/config/settings.h \
	common/config/shape.c \
	common/config/shape.h \
	common/config/topoconf.c \
	common/config/topoconf.h \
	common/config/useroptions.c \
	common/config/useroptions.h
EXTRA_DIST += common/config/README.md
