# What Slurm loads. Only with --with-slurm-src: needs Slurm's internal headers.
# How nodes are chosen, by select/mesh and by topology/mesh.
CHOOSE_SOURCES = \
	plugin/shared/mesh_attempt.c plugin/shared/mesh_attempt.h \
	plugin/shared/mesh_bits.h \
	plugin/shared/mesh_conf.c plugin/shared/mesh_conf.h \
	plugin/shared/mesh_counters.c plugin/shared/mesh_counters.h \
	plugin/shared/mesh_cycle.c plugin/shared/mesh_cycle.h \
	plugin/shared/mesh_validate.c plugin/shared/mesh_validate.h \
	plugin/shared/mesh_propose.c \
	plugin/shared/mesh_want.c plugin/shared/mesh_want.h \
	plugin/shared/mesh_runs.c plugin/shared/mesh_runs.h \
	plugin/shared/mesh_tell.c plugin/shared/mesh_tell.h \
	plugin/shared/mesh_weights.c plugin/shared/mesh_weights.h
# What every plugin of slurmctld has.
COMMON_SOURCES = \
	plugin/shared/mesh_strategies.c plugin/shared/mesh_strategies.h \
	plugin/shared/job_test.h \
	plugin/shared/mesh_files.c plugin/shared/mesh_files.h \
	plugin/shared/slurm_plugin.h plugin/compat/slurm_compat.h plugin/compat/slurm_ops.awk \
	plugin/shared/hostlist_libslurm.c
SELECT_SOURCES = \
	plugin/select/mesh_delegate.c plugin/select/mesh_future.c plugin/select/mesh_log.c \
	plugin/select/mesh_other_topology.c plugin/select/mesh_place.c plugin/select/mesh_queue.c \
	plugin/select/mesh_reason.c plugin/select/mesh_repeat.c plugin/select/mesh_reserve.c \
	plugin/compat/select_api.h plugin/select/select_mesh.h
# Slurm's headers want gnu11 and a config.h of their own, so ours must not be in the way; they
# are not held to our warnings.
PLUGIN_CPPFLAGS = -D_GNU_SOURCE -Islurm-ops $(COMMON_INCLUDES) -I$(top_srcdir)/plugin \
	-isystem $(SLURM_BUILD) -isystem $(SLURM_SRC)
# A function of another type than Slurm's is an error with every compiler.
PLUGIN_CFLAGS = -fPIC -std=gnu11 -fvisibility=hidden -ffunction-sections -fdata-sections $(WARN_CFLAGS) \
	-Werror=incompatible-pointer-types
# A plugin is a program that is linked as a shared object. Slurm resolves what it calls of slurmctld.
PLUGIN_LDFLAGS = -shared -Wl,--gc-sections

plugindir = $(libdir)/slurm-mesh
plugin_PROGRAMS =
if SLURM_PLUGINS
# The objects that several plugins have.
noinst_LIBRARIES += libmeshplugin.a libmeshselect.a
libmeshplugin_a_SOURCES = $(COMMON_SOURCES) $(CHOOSE_SOURCES)
libmeshplugin_a_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libmeshplugin_a_CFLAGS = $(PLUGIN_CFLAGS)
libmeshselect_a_SOURCES = $(SELECT_SOURCES)
libmeshselect_a_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libmeshselect_a_CFLAGS = $(PLUGIN_CFLAGS)

plugin_PROGRAMS += plugins/select_mesh.so plugins/select_cons_tres_mesh.so plugins/spank_mesh.so \
	plugins/spank_mesh_user.so plugins/spank_mesh_more.so
plugins_select_mesh_so_SOURCES = plugin/select/select_mesh.c
plugins_select_mesh_so_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-DMESH_SELECT_TYPE='"select/mesh"' -DMESH_SELECT_ID=150
plugins_select_mesh_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_select_mesh_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_select_mesh_so_LDADD = libmeshselect.a libmeshplugin.a $(CORE_LIBS) @PLUGIN_LIBS@
plugins_select_cons_tres_mesh_so_SOURCES = plugin/select/select_mesh.c
plugins_select_cons_tres_mesh_so_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-DMESH_SELECT_TYPE='"select/cons_tres_mesh"' -DMESH_SELECT_ID=151
plugins_select_cons_tres_mesh_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_select_cons_tres_mesh_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_select_cons_tres_mesh_so_LDADD = $(plugins_select_mesh_so_LDADD)
# srun, sbatch, salloc and slurmstepd load the first; it loads the second where tasks are ordered,
# and both load the third where options ask for what it does.
SPANK_SOURCES = plugin/compat/slurm_client.h plugin/spank/spank_layout.h \
	plugin/spank/spank_learn.h plugin/spank/spank_load.c plugin/spank/spank_map.h \
	plugin/spank/spank_more.h plugin/spank/spank_opt.c plugin/spank/spank_opt.h \
	plugin/spank/spank_user.h
plugins_spank_mesh_so_SOURCES = $(SPANK_SOURCES) plugin/spank/spank_mesh.c \
	plugin/shared/hostlist_libslurm.c \
	plugin/shared/places_libslurm.c plugin/shared/places_libslurm.h \
	plugin/spank/spank_implied.c plugin/spank/spank_implied.h \
	plugin/spank/spank_layout.c plugin/spank/spank_learn.c \
	plugin/spank/spank_map.c plugin/spank/spank_mpirun.c plugin/spank/spank_mpirun.h \
	plugin/spank/spank_options.c plugin/spank/spank_options.h \
	plugin/spank/spank_place.c plugin/spank/spank_place.h
plugins_spank_mesh_so_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DMESH_VERSION='"$(VERSION)"'
plugins_spank_mesh_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_spank_mesh_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_spank_mesh_so_LDADD = $(CORE_LIBS) @PLUGIN_LIBS@
plugins_spank_mesh_user_so_SOURCES = $(SPANK_SOURCES) plugin/spank/spank_ranks.c
plugins_spank_mesh_user_so_CPPFLAGS = $(plugins_spank_mesh_so_CPPFLAGS)
plugins_spank_mesh_user_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_spank_mesh_user_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_spank_mesh_user_so_LDADD = $(RANKS_LIBS) @PLUGIN_LIBS@
plugins_spank_mesh_more_so_SOURCES = $(SPANK_SOURCES) plugin/spank/spank_more_main.c \
	plugin/spank/spank_records.c plugin/spank/spank_records.h \
	plugin/shared/mesh_strategies.c plugin/shared/mesh_strategies.h
plugins_spank_mesh_more_so_CPPFLAGS = $(plugins_spank_mesh_so_CPPFLAGS)
plugins_spank_mesh_more_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_spank_mesh_more_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_spank_mesh_more_so_LDADD = $(RANKS_LIBS) @PLUGIN_LIBS@
# These have the version, which they compare when one loads another.
$(plugins_spank_mesh_so_OBJECTS) $(plugins_spank_mesh_user_so_OBJECTS) \
	$(plugins_spank_mesh_more_so_OBJECTS): config.h

# Strategies that a site or a user asks for by name. It knows nothing of Slurm.
plugin_PROGRAMS += plugins/mesh_strategies_papers.so
plugins_mesh_strategies_papers_so_SOURCES = common/papers/papers.c
plugins_mesh_strategies_papers_so_CPPFLAGS = $(CORE_CPPFLAGS)
plugins_mesh_strategies_papers_so_CFLAGS = $(CORE_CFLAGS)
plugins_mesh_strategies_papers_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_mesh_strategies_papers_so_LDADD = $(PAPERS_LIBS) -lm

# For MPI programs, not for Slurm: preloaded, so that it needs no library but the C library.
plugin_DATA = plugins/libmesh_measure.so
plugins/libmesh_measure.so: plugin/mpi/measure.c common/learn/collective.h
	$(AM_V_CC)$(MKDIR_P) plugins && \
	$(CC) $(WARN_CFLAGS) -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -I$(srcdir)/common -shared \
		-o $@ $(srcdir)/plugin/mpi/measure.c
CLEANFILES += plugins/libmesh_measure.so

# The last word of `make install`.
# The manual page names the directories of this installation.
install-data-hook:
	@sed -i -e 's|/usr/lib/slurm\\-mesh|$(plugindir)|g' \
		-e 's|/usr/lib/x86_64\\-linux\\-gnu/slurm\\-wlm|$(SLURM_PLUGIN_DIR)|g' \
		'$(DESTDIR)$(man7dir)/select_mesh.7'
	@printf '%s\n' '' 'In slurm.conf, for these plugins:' \
		'    PluginDir=$(plugindir):$(SLURM_PLUGIN_DIR)' 'In plugstack.conf:' \
		'    optional $(plugindir)/spank_mesh.so order=auto'
endif
# Topology plugins choose nodes from Slurm 24.05 on.
TOPOLOGY_SOURCES = plugin/compat/topology_api.h \
	plugin/shared/places_libslurm.c plugin/shared/places_libslurm.h \
	plugin/topology/topology_choose.c plugin/topology/topology_map.c \
	plugin/topology/topology_member.c plugin/topology/topology_mesh.c plugin/topology/topology_mesh.h
if TOPOLOGY_MESH
plugin_PROGRAMS += plugins/topology_mesh.so
plugins_topology_mesh_so_SOURCES = $(TOPOLOGY_SOURCES)
plugins_topology_mesh_so_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_topology_mesh_so_CFLAGS = $(PLUGIN_CFLAGS)
plugins_topology_mesh_so_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_topology_mesh_so_LDADD = libmeshplugin.a libmeshpapers.a $(CORE_LIBS) @PLUGIN_LIBS@
endif
EXTRA_DIST += $(TOPOLOGY_SOURCES)
EXTRA_DIST += plugin/mpi/measure.c
