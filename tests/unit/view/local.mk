UNIT_TESTS += tests/unit/view/test_nodestate \
	tests/unit/view/test_reason
tests_unit_view_test_nodestate_SOURCES = tests/unit/view/test_nodestate.c smesh/view/nodestate.c
tests_unit_view_test_reason_SOURCES = tests/unit/view/test_reason.c smesh/view/reason.c
