UNIT_TESTS += \
	tests/unit/snug/test_snug \
	tests/unit/snug/test_snug_find
