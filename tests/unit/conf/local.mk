UNIT_TESTS += \
	tests/unit/conf/test_attack \
	tests/unit/conf/test_extras \
	tests/unit/conf/test_jobenv \
	tests/unit/conf/test_places \
	tests/unit/conf/test_remark \
	tests/unit/conf/test_settings \
	tests/unit/conf/test_shape \
	tests/unit/conf/test_topoconf
# It has what slurmctld's plugins have, and nothing that they load.
tests_unit_conf_test_extras_SOURCES = tests/unit/conf/test_extras.c plugin/shared/mesh_strategies.c
tests_unit_conf_test_extras_LDADD = libmeshtest.a $(CORE_LIBS) $(SLURM_LIBS) $(CMOCKA_LIBS) -lm
