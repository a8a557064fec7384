libmeshcore_a_SOURCES += \
	common/core/conf/address.c \
	common/core/conf/address.h \
	common/core/conf/draft.c \
	common/core/conf/draft.h \
	common/core/conf/jobenv.c \
	common/core/conf/jobenv.h \
	common/core/conf/jobenv_field.c \
	common/core/conf/jobenv_field.h \
	common/core/conf/jobpattern.c \
	common/core/conf/jobpattern_apply.c \
	common/core/conf/jobpattern_in.c \
	common/core/conf/jobpattern.h \
	common/core/conf/library.c \
	common/core/conf/library.h \
	common/core/conf/linkconf.c \
	common/core/conf/linkconf.h \
	common/core/conf/places.c \
	common/core/conf/places.h \
	common/core/conf/places_told.c \
	common/core/conf/remark.c \
	common/core/conf/remark.h \
	common/core/conf/settings.c \
	common/core/conf/settings.h \
	common/core/conf/settings_strategies.c \
	common/core/conf/shape.c \
	common/core/conf/shape.h \
	common/core/conf/spankword.h \
	common/core/conf/strategies.c \
	common/core/conf/strategies.h \
	common/core/conf/strategynames.c \
	common/core/conf/strategynames.h \
	common/core/conf/topoconf.c \
	common/core/conf/topoconf.h \
	common/core/conf/topoconf_find.c \
	common/core/conf/useroptions.c \
	common/core/conf/useroptions.h
EXTRA_DIST += common/core/conf/README.md
