UNIT_TESTS += \
	tests/unit/geometry/test_curve \
	tests/unit/geometry/test_route \
	tests/unit/geometry/test_sumtable
tests_unit_geometry_test_curve_LDADD = libmeshtest.a $(SIM_LIBS) $(LDADD)
