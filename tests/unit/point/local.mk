UNIT_TESTS += \
	tests/unit/point/test_ball_counts \
	tests/unit/point/test_point_hops \
	tests/unit/point/test_refine \
	tests/unit/point/test_least_pairs \
	tests/unit/point/test_strategy_point
libmeshtest_a_SOURCES += tests/unit/point/plain_point.c tests/unit/point/plain_point.h
