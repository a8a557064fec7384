UNIT_TESTS += \
	tests/unit/learn/test_records
