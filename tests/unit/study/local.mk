UNIT_TESTS += tests/unit/study/test_curve_search
