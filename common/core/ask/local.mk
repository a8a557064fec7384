libmeshcore_a_SOURCES += \
	common/core/ask/ask.h \
	common/core/ask/comm_pattern.h \
	common/core/ask/extras.h \
	common/core/ask/mesh_shape.h \
	common/core/ask/strategy.c \
	common/core/ask/strategy.h \
	common/core/ask/strategy_library.h \
	common/core/ask/walk_kind.h
EXTRA_DIST += common/core/ask/README.md
