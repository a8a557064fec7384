UNIT_TESTS += \
	tests/unit/boxes/test_fragments \
	tests/unit/boxes/test_contiguous \
	tests/unit/boxes/test_legal \
	tests/unit/boxes/test_links
