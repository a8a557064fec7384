# Replay of a log through a real slurmctld. standin speaks Slurm's internal protocol, so it needs
# its headers, as the plugins do, and libslurmfull.
STANDIN_SOURCES = \
	tests/replay/standin.c tests/replay/standin.h \
	tests/replay/standin_job.c \
	tests/replay/standin_net.c
if SLURM_PLUGINS
noinst_PROGRAMS += tests/replay/standin
tests_replay_standin_SOURCES = $(STANDIN_SOURCES)
tests_replay_standin_CPPFLAGS = -D_GNU_SOURCE -isystem $(SLURM_BUILD) -isystem $(SLURM_SRC)
tests_replay_standin_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
tests_replay_standin_LDADD = -L$(SLURM_PLUGIN_DIR) -lslurmfull
tests_replay_standin_LDFLAGS = -Wl,-rpath,$(SLURM_PLUGIN_DIR)
else
EXTRA_DIST += $(STANDIN_SOURCES)
endif
