UNIT_TESTS += \
	tests/unit/geometry/test_curve \
	tests/unit/geometry/test_curve_search \
	tests/unit/geometry/test_levels \
	tests/unit/geometry/test_route \
	tests/unit/geometry/test_sumtable
