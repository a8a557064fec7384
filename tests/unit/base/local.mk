UNIT_TESTS += \
	tests/unit/base/test_budget \
	tests/unit/base/test_mesh \
	tests/unit/base/test_pile
