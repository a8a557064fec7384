# What smesh import and its tests share: readers, and how a torus is found in a graph.
noinst_LIBRARIES += libmeshimport.a
libmeshimport_a_SOURCES = \
	smesh/import/cables.c smesh/import/cables.h \
	smesh/import/choose.c \
	smesh/import/compare.c \
	smesh/import/find.c \
	smesh/import/grids.c smesh/import/grids.h \
	smesh/import/grow.c smesh/import/grow.h \
	smesh/import/import.h \
	smesh/import/judge.c smesh/import/judge.h \
	smesh/import/read.c \
	smesh/import/read_cables.c \
	smesh/import/read_chips.c \
	smesh/import/read_coords.c \
	smesh/import/read_ib.c \
	smesh/import/read_proto.c \
	smesh/import/read_scontrol.c \
	smesh/import/read_yaml.c \
	smesh/import/reader.h \
	smesh/import/write.c \
	smesh/import/yamldoc.c smesh/import/yamldoc.h
libmeshimport_a_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/smesh $(YAML_CFLAGS)
libmeshimport_a_CFLAGS = $(CORE_CFLAGS)
