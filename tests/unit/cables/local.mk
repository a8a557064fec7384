UNIT_TESTS += tests/unit/cables/test_graphfind
