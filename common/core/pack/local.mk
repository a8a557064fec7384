libmeshcore_a_SOURCES += \
	common/core/pack/ranked.c \
	common/core/pack/ranked.h \
	common/core/pack/strategy_box.c \
	common/core/pack/strategy_buddy.c \
	common/core/pack/strategy_curve.c \
	common/core/pack/strategy_linear.c \
	common/core/pack/strategy_scatter.c
EXTRA_DIST += common/core/pack/README.md
