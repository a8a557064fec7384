# What holds for all strategies.
UNIT_TESTS += \
	tests/unit/strategy/test_budgets \
	tests/unit/strategy/test_contract \
	tests/unit/strategy/test_history \
	tests/unit/strategy/test_late \
	tests/unit/strategy/test_strategy
tests_unit_strategy_test_late_LDFLAGS = -Wl,--wrap=clock_gettime
