UNIT_TESTS += tests/unit/qtree/test_qtree
