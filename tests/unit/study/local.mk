UNIT_TESTS += tests/unit/study/test_pacmap
