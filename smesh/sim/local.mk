# What simulation, replay and their tests share: job logs, generators, the event simulation.
noinst_LIBRARIES += libmeshsim.a
libmeshsim_a_SOURCES = \
	smesh/sim/byjob.c smesh/sim/byjob.h \
	smesh/sim/clear.c smesh/sim/clear.h \
	smesh/sim/jobcomm.c smesh/sim/jobcomm.h \
	smesh/sim/comm_round.c smesh/sim/comm_round.h \
	smesh/sim/contention.c smesh/sim/contention.h \
	smesh/sim/cubes.c smesh/sim/cubes.h \
	smesh/sim/cubes_rooms.c smesh/sim/cubes_rooms.h \
	smesh/sim/curve_measure.c smesh/sim/curve_measure.h \
	smesh/sim/engine_run.c smesh/sim/engine.h \
	smesh/sim/engine_comm.c \
	smesh/sim/engine_state.h \
	smesh/sim/freebox.c smesh/sim/freebox.h \
	smesh/sim/generate.c smesh/sim/generate.h \
	smesh/sim/human.c smesh/sim/human.h \
	smesh/sim/measure.c \
	smesh/sim/need.h \
	smesh/sim/programs.c smesh/sim/programs.h \
	smesh/sim/random.c smesh/sim/random.h \
	smesh/sim/report.c smesh/sim/report.h \
	smesh/sim/report_csv.c \
	smesh/sim/report_json.c \
	smesh/sim/report_latex.c \
	smesh/sim/report_table.c \
	smesh/sim/runner.c smesh/sim/runner.h \
	smesh/sim/sched_easy.c \
	smesh/sim/span_hops.c smesh/sim/span_hops.h \
	smesh/sim/summary.c smesh/sim/summary.h \
	smesh/sim/trace.c smesh/sim/trace.h \
	smesh/sim/trace_events.c \
	smesh/sim/trace_filetxt.c \
	smesh/sim/trace_format.h \
	smesh/sim/trace_fugaku.c \
	smesh/sim/trace_json.c \
	smesh/sim/trace_read.c \
	smesh/sim/trace_rfold.c \
	smesh/sim/trace_sacct.c \
	smesh/sim/trace_slurm.c \
	smesh/sim/trace_swf.c \
	smesh/sim/trace_torque.c \
	smesh/sim/vacancy.c smesh/sim/vacancy.h
libmeshsim_a_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/smesh $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
libmeshsim_a_CFLAGS = $(CORE_CFLAGS) -pthread
SIM_LIBS = libmeshsim.a $(STUDY_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lm -lpthread
