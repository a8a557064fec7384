UNIT_TESTS += \
	tests/unit/import/test_grids
tests_unit_import_test_grids_LDADD = libmeshimport.a $(LDADD) $(YAML_LIBS)
