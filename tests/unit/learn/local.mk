UNIT_TESTS += \
	tests/unit/learn/test_progname \
	tests/unit/learn/test_records
