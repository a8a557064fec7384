libmeshalloc_la_SOURCES += \
	common/strategy/segments.c \
	common/strategy/segments.h \
	common/strategy/span.c \
	common/strategy/span.h \
	common/strategy/strategy.c \
	common/strategy/strategy.h \
	common/strategy/strategy_buddy.c \
	common/strategy/strategy_curve.c \
	common/strategy/strategy_linear.c \
	common/strategy/strategy_scatter.c \
	common/strategy/walks.c \
	common/strategy/walks.h
EXTRA_DIST += common/strategy/README.md
