smesh_smesh_SOURCES += \
	smesh/cli/fail.c smesh/cli/fail.h \
	smesh/cli/options.c smesh/cli/options.h \
	smesh/cli/options_number.c \
	smesh/cli/output.c smesh/cli/output.h \
	smesh/cli/smesh.c smesh/cli/smesh.h \
	smesh/cli/suggest.c smesh/cli/suggest.h \
	smesh/cli/table.c smesh/cli/table.h \
	smesh/cli/tasktable.c smesh/cli/tasktable.h \
	smesh/cli/workload.c smesh/cli/workload.h
