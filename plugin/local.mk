# What Slurm loads. Only with --with-slurm-src: needs Slurm's internal headers.
PLUGIN_SOURCES = \
	plugin/mesh_attempt.h \
	plugin/mesh_bits.c plugin/mesh_bits.h \
	plugin/mesh_conf.c plugin/mesh_conf.h \
	plugin/mesh_delegate.c \
	plugin/mesh_expect.c plugin/mesh_expect.h \
	plugin/mesh_future.c \
	plugin/mesh_log.c plugin/mesh_log.h \
	plugin/mesh_place.c plugin/mesh_place.h \
	plugin/mesh_propose.c \
	plugin/mesh_queue.c plugin/mesh_queue.h \
	plugin/mesh_read.c plugin/mesh_read.h \
	plugin/mesh_request.c plugin/mesh_request.h \
	plugin/mesh_runs.c plugin/mesh_runs.h \
	plugin/select_api.h plugin/select_base.h plugin/select_mesh.c \
	plugin/slurm_compat.h plugin/slurm_ops.awk plugin/slurm_plugin.h \
	contrib/smesh/hostlist_libslurm.c contrib/smesh/hostlist_libslurm.h
# Slurm's headers want gnu11 and a config.h of their own, so ours must not be in the way; they
# are not held to our warnings.
PLUGIN_CPPFLAGS = -D_GNU_SOURCE -Islurm-ops -I$(top_srcdir)/common -I$(top_srcdir)/contrib/smesh \
	-isystem $(SLURM_BUILD) -isystem $(SLURM_SRC)
# A function of another type than Slurm's is an error with every compiler.
PLUGIN_CFLAGS = -std=gnu11 -fvisibility=hidden $(WARN_CFLAGS) -Werror=incompatible-pointer-types
PLUGIN_LDFLAGS = -module -avoid-version -shared

plugindir = $(libdir)/slurm-mesh
plugin_LTLIBRARIES =
if SLURM_PLUGINS
plugin_LTLIBRARIES += plugin/select_mesh.la plugin/select_cons_tres_mesh.la plugin/spank_mesh.la
plugin_select_mesh_la_SOURCES = $(PLUGIN_SOURCES)
plugin_select_mesh_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-DMESH_SELECT_TYPE='"select/mesh"' -DMESH_SELECT_ID=150
plugin_select_mesh_la_CFLAGS = $(PLUGIN_CFLAGS)
plugin_select_mesh_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugin_select_mesh_la_LIBADD = libmeshalloc.la
plugin_select_cons_tres_mesh_la_SOURCES = $(PLUGIN_SOURCES)
plugin_select_cons_tres_mesh_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-DMESH_SELECT_TYPE='"select/cons_tres_mesh"' -DMESH_SELECT_ID=151
plugin_select_cons_tres_mesh_la_CFLAGS = $(PLUGIN_CFLAGS)
plugin_select_cons_tres_mesh_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugin_select_cons_tres_mesh_la_LIBADD = libmeshalloc.la
plugin_spank_mesh_la_SOURCES = plugin/spank_mesh.c plugin/slurm_compat.h \
	plugin/spank_conf.c plugin/spank_conf.h \
	contrib/smesh/hostlist_libslurm.c contrib/smesh/hostlist_libslurm.h
plugin_spank_mesh_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugin_spank_mesh_la_CFLAGS = $(PLUGIN_CFLAGS)
plugin_spank_mesh_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugin_spank_mesh_la_LIBADD = libmeshalloc.la

# The last word of `make install`, after libtool's advice, which is not for plugins.
install-data-hook:
	@test -n "$(DESTDIR)" || printf '%s\n' '' 'In slurm.conf, for these plugins:' \
		'    PluginDir=$(plugindir):$(SLURM_PLUGIN_DIR)'
endif
# Slurm 22.05 asks a topology plugin to rank nodes, later versions to choose them.
TOPOLOGY_RANK = plugin/topology_order.c plugin/topology_order.h plugin/topology_rank.c \
	plugin/topology_switch.c
TOPOLOGY_CHOOSE = plugin/topology_choose.c plugin/mesh_attempt.h \
	plugin/mesh_bits.c plugin/mesh_bits.h \
	plugin/mesh_conf.c plugin/mesh_conf.h plugin/mesh_propose.c \
	plugin/mesh_expect.c plugin/mesh_expect.h \
	plugin/mesh_queue.c plugin/mesh_queue.h \
	plugin/mesh_request.c plugin/mesh_request.h plugin/mesh_runs.c plugin/mesh_runs.h
if SLURM_PLUGINS
plugin_LTLIBRARIES += plugin/topology_mesh.la
plugin_topology_mesh_la_SOURCES = \
	plugin/mesh_read.c plugin/mesh_read.h plugin/select_base.h \
	plugin/slurm_compat.h plugin/slurm_plugin.h \
	plugin/topology_api.h plugin/topology_map.c \
	plugin/topology_mesh.c plugin/topology_mesh.h \
	contrib/smesh/hostlist_libslurm.c contrib/smesh/hostlist_libslurm.h
if SLURM_RANKS
plugin_topology_mesh_la_SOURCES += $(TOPOLOGY_RANK)
else
plugin_topology_mesh_la_SOURCES += $(TOPOLOGY_CHOOSE)
endif
plugin_topology_mesh_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugin_topology_mesh_la_CFLAGS = $(PLUGIN_CFLAGS)
plugin_topology_mesh_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugin_topology_mesh_la_LIBADD = libmeshalloc.la
endif
EXTRA_DIST += $(TOPOLOGY_RANK) $(TOPOLOGY_CHOOSE)
