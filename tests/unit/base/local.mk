UNIT_TESTS += \
	tests/unit/base/test_arena \
	tests/unit/base/test_axis \
	tests/unit/base/test_budget \
	tests/unit/base/test_conffile \
	tests/unit/base/test_heap \
	tests/unit/base/test_hostlist \
	tests/unit/base/test_mesh \
	tests/unit/base/test_names
