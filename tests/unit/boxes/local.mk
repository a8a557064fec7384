UNIT_TESTS += \
	tests/unit/boxes/test_busylist \
	tests/unit/boxes/test_contiguous \
	tests/unit/boxes/test_qtree
