libmeshalloc_la_SOURCES += \
	common/snug/snug_chain.c \
	common/snug/snug_chain.h \
	common/snug/snug_counts.h \
	common/snug/snug_find.c \
	common/snug/snug_find.h \
	common/snug/snug_price.c \
	common/snug/snug_price.h \
	common/snug/snug_sweep.c \
	common/snug/snug_sweep.h \
	common/snug/snug_trial.c \
	common/snug/snug_trial.h \
	common/snug/strategy_snug.c \
	common/snug/strategy_snug_box.c
EXTRA_DIST += common/snug/README.md
