UNIT_TESTS += tests/unit/walk/test_walk
