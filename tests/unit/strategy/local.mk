UNIT_TESTS += \
	tests/unit/strategy/test_contract \
	tests/unit/strategy/test_segments \
	tests/unit/strategy/test_budgets \
	tests/unit/strategy/test_history \
	tests/unit/strategy/test_late \
	tests/unit/strategy/test_span \
	tests/unit/strategy/test_strategy \
	tests/unit/strategy/test_strategy_buddy \
	tests/unit/strategy/test_strategy_curve
tests_unit_strategy_test_span_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_strategy_test_strategy_curve_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
tests_unit_strategy_test_late_LDFLAGS = -Wl,--wrap=clock_gettime
