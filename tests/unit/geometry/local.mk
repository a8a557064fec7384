UNIT_TESTS += \
	tests/unit/geometry/test_curve \
	tests/unit/geometry/test_ball_counts \
	tests/unit/geometry/test_route \
	tests/unit/geometry/test_sumtable \
	tests/unit/geometry/test_graphset \
	tests/unit/geometry/test_graphfind \
	tests/unit/geometry/test_graphpick
