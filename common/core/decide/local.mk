libmeshcore_a_SOURCES += \
	common/core/decide/segments.c \
	common/core/decide/segments.h \
	common/core/decide/span.c \
	common/core/decide/span.h \
	common/core/decide/strategy_decide.c \
	common/core/decide/strategy_decide.h
EXTRA_DIST += common/core/decide/README.md
