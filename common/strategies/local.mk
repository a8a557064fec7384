libmeshalloc_la_SOURCES += common/strategies/strategies.c common/strategies/strategies.h
EXTRA_DIST += common/strategies/README.md
