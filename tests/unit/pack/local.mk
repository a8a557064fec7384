UNIT_TESTS += \
	tests/unit/pack/test_strategy_buddy \
	tests/unit/pack/test_strategy_curve
tests_unit_pack_test_strategy_curve_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
