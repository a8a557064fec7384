UNIT_TESTS += \
	tests/unit/ranks/test_embed \
	tests/unit/ranks/test_pacmap \
	tests/unit/ranks/test_partition \
	tests/unit/ranks/test_placement \
	tests/unit/ranks/test_rankmap
