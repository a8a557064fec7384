UNIT_TESTS += \
	tests/unit/snug/test_snug
