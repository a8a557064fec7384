# Replay of a log through a real slurmctld. standin speaks Slurm's internal protocol, so it needs
# its headers, as the plugins do, and libslurmfull.
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
	plugin/shared/hostlist_libslurm.c \
	smesh/cli/options.c smesh/cli/options.h smesh/cli/options_number.c \
	tests/replay/slurm_public.h \
	smesh/cli/suggest.c smesh/cli/suggest.h \
	smesh/cli/workload.c smesh/cli/workload.h \
	tests/replay/again.c tests/replay/again.h \
	tests/replay/associate.c tests/replay/associate.h \
	tests/replay/drive.c tests/replay/drive.h \
	tests/replay/happen.c tests/replay/happen.h \
	tests/replay/network.c tests/replay/network.h \
	tests/replay/replay.c
tests_replay_replay_CPPFLAGS = $(smesh_smesh_CPPFLAGS)
tests_replay_replay_CFLAGS = -std=gnu11 -fvisibility=hidden $(WARN_CFLAGS)
tests_replay_replay_LDADD = $(smesh_smesh_LDADD)
EXTRA_DIST += tests/replay/run tests/replay/clock/boot.sh

# The clock of our own (clock/clock.h): preloaded into Slurm's daemons; and the keeper beside it.
CLOCK_SOURCES = tests/replay/clock/clock.h tests/replay/clock/table.c
noinst_PROGRAMS += tests/replay/clock.so
tests_replay_clock_so_SOURCES = $(CLOCK_SOURCES) \
	tests/replay/clock/files.c tests/replay/clock/files.h \
	tests/replay/clock/io.c \
	tests/replay/clock/net.c \
	tests/replay/clock/process.c \
	tests/replay/clock/self.c tests/replay/clock/self.h \
	tests/replay/clock/switch.c tests/replay/clock/switch.h \
	tests/replay/clock/thread.c \
	tests/replay/clock/time.c \
	tests/replay/clock/users.c
tests_replay_clock_so_CFLAGS = -fPIC -D_GNU_SOURCE -std=gnu11 -fno-builtin -fvisibility=hidden -U_FORTIFY_SOURCE $(WARN_CFLAGS)
tests_replay_clock_so_LDFLAGS = -shared
tests_replay_clock_so_LDADD =
noinst_PROGRAMS += tests/replay/keeper
tests_replay_keeper_SOURCES = $(CLOCK_SOURCES) tests/replay/clock/keeper.c
tests_replay_keeper_CFLAGS = -D_GNU_SOURCE -std=gnu11 $(WARN_CFLAGS)
