# Replay of a log through a real slurmctld. standin speaks Slurm's internal protocol, so it needs
# its headers, as the plugins do, and libslurmfull. It knows 22.05 and 24.11.
STANDIN_SOURCES = \
	tests/replay/standin.c tests/replay/standin.h tests/replay/standin_compat.h \
	tests/replay/standin_ctl.c \
	tests/replay/standin_job.c \
	tests/replay/standin_net.c
if SLURM_STANDIN
noinst_PROGRAMS += tests/replay/standin
tests_replay_standin_SOURCES = $(STANDIN_SOURCES)
tests_replay_standin_CPPFLAGS = -D_GNU_SOURCE -isystem $(SLURM_BUILD) -isystem $(SLURM_SRC)
tests_replay_standin_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
tests_replay_standin_LDADD = -L$(SLURM_PLUGIN_DIR) -lslurmfull
tests_replay_standin_LDFLAGS = -Wl,-rpath,$(SLURM_PLUGIN_DIR)
else
EXTRA_DIST += $(STANDIN_SOURCES)
endif

# The other end: submits the jobs of a log and takes down what became of them. Public API only.
noinst_PROGRAMS += tests/replay/replay
tests_replay_replay_SOURCES = \
	plugin/shared/hostlist_libslurm.c plugin/shared/hostlist_libslurm.h \
	contrib/smesh/options.c contrib/smesh/options.h contrib/smesh/options_number.c \
	contrib/smesh/slurm_public.h \
	contrib/smesh/suggest.c contrib/smesh/suggest.h \
	contrib/smesh/sim/workload.c contrib/smesh/sim/workload.h \
	tests/replay/again.c tests/replay/again.h \
	tests/replay/drive.c tests/replay/drive.h \
	tests/replay/replay.c
tests_replay_replay_CPPFLAGS = $(smesh_CPPFLAGS)
tests_replay_replay_CFLAGS = -std=gnu11 -fvisibility=hidden $(WARN_CFLAGS)
tests_replay_replay_LDADD = $(smesh_LDADD)
EXTRA_DIST += tests/replay/run
