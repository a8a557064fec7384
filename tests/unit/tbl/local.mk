UNIT_TESTS += tests/unit/tbl/test_busylist
