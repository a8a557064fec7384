UNIT_TESTS += \
	tests/unit/decide/test_segments \
	tests/unit/decide/test_span
tests_unit_decide_test_span_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
