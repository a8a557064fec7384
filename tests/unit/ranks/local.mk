UNIT_TESTS += \
	tests/unit/ranks/test_embed \
	tests/unit/ranks/test_partition \
	tests/unit/ranks/test_patternfind \
	tests/unit/ranks/test_placement \
	tests/unit/ranks/test_rankmap \
	tests/unit/ranks/test_rankorder
