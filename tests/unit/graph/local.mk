UNIT_TESTS += \
	tests/unit/graph/test_graphpick \
	tests/unit/graph/test_graphset
