libmeshcore_a_SOURCES += \
	common/core/snug/snug_chain.c \
	common/core/snug/snug_chain.h \
	common/core/snug/snug_counts.h \
	common/core/snug/snug_find.c \
	common/core/snug/snug_find.h \
	common/core/snug/snug_price.c \
	common/core/snug/snug_price.h \
	common/core/snug/snug_sweep.c \
	common/core/snug/snug_sweep.h \
	common/core/snug/snug_trial.c \
	common/core/snug/snug_trial.h \
	common/core/snug/strategy_snug.c
EXTRA_DIST += common/core/snug/README.md
