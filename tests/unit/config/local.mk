UNIT_TESTS += \
	tests/unit/config/test_attack \
	tests/unit/config/test_jobenv \
	tests/unit/config/test_places \
	tests/unit/config/test_remark \
	tests/unit/config/test_settings \
	tests/unit/config/test_topoconf
