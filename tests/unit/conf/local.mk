UNIT_TESTS += \
	tests/unit/conf/test_attack \
	tests/unit/conf/test_jobenv \
	tests/unit/conf/test_places \
	tests/unit/conf/test_remark \
	tests/unit/conf/test_settings \
	tests/unit/conf/test_topoconf
