UNIT_TESTS += tests/unit/view/test_nodestate
tests_unit_view_test_nodestate_SOURCES = tests/unit/view/test_nodestate.c smesh/view/nodestate.c
