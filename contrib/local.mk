# What simulation, replay and their tests share: job logs, generators, the event simulation.
noinst_LTLIBRARIES += libmeshsim.la
libmeshsim_la_SOURCES = \
	contrib/smesh/sim/byjob.c contrib/smesh/sim/byjob.h \
	contrib/smesh/sim/comm.c contrib/smesh/sim/comm.h \
	contrib/smesh/sim/contention.c contrib/smesh/sim/contention.h \
	contrib/smesh/sim/cubes.c contrib/smesh/sim/cubes.h \
	contrib/smesh/sim/slice.c contrib/smesh/sim/slice.h \
	contrib/smesh/sim/engine.c contrib/smesh/sim/engine.h \
	contrib/smesh/sim/engine_comm.c contrib/smesh/sim/engine_faults.c contrib/smesh/sim/engine_feedback.c \
	contrib/smesh/sim/engine_relax.c contrib/smesh/sim/engine_state.h contrib/smesh/sim/feedback.c contrib/smesh/sim/feedback.h \
	contrib/smesh/sim/fairshare.c contrib/smesh/sim/fairshare.h \
	contrib/smesh/sim/faults.c contrib/smesh/sim/faults.h \
	contrib/smesh/sim/freebox.c contrib/smesh/sim/freebox.h \
	contrib/smesh/sim/generate.c contrib/smesh/sim/generate.h \
	contrib/smesh/sim/human.c contrib/smesh/sim/human.h \
	contrib/smesh/sim/measure.c contrib/smesh/sim/measure.h \
	contrib/smesh/sim/order.c contrib/smesh/sim/order.h \
	contrib/smesh/sim/plan.c contrib/smesh/sim/plan.h \
	contrib/smesh/sim/profile.c contrib/smesh/sim/profile.h \
	contrib/smesh/sim/queues.c contrib/smesh/sim/queues.h \
	contrib/smesh/sim/random.c contrib/smesh/sim/random.h \
	contrib/smesh/sim/report.c contrib/smesh/sim/report_csv.c contrib/smesh/sim/report_json.c \
	contrib/smesh/sim/report_table.c contrib/smesh/sim/report.h \
	contrib/smesh/sim/runner.c contrib/smesh/sim/runner.h \
	contrib/smesh/sim/spare.c contrib/smesh/sim/spare.h \
	contrib/smesh/sim/sched_conservative.c contrib/smesh/sim/sched_easy.c \
	contrib/smesh/sim/sched_ordered.c contrib/smesh/sim/sched_queue.c contrib/smesh/sim/sched.h \
	contrib/smesh/sim/shapes.c contrib/smesh/sim/shapes.h \
	contrib/smesh/sim/summary.c contrib/smesh/sim/summary.h \
	contrib/smesh/sim/trace.c contrib/smesh/sim/trace.h \
	contrib/smesh/sim/trace_sacct.c contrib/smesh/sim/trace_swf.c
libmeshsim_la_CPPFLAGS = $(CORE_CPPFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
libmeshsim_la_CFLAGS = $(CORE_CFLAGS) -pthread
libmeshsim_la_LIBADD = libmeshalloc.la $(JANSSON_LIBS) $(ZLIB_LIBS) -lm -lpthread

# smesh, the command: the core without Slurm's daemons.
bin_PROGRAMS += smesh
smesh_SOURCES = \
	contrib/smesh/cmd_alloc.c \
	contrib/smesh/cmd_check.c \
	contrib/smesh/cmd_curve.c contrib/smesh/curve_mip.c contrib/smesh/curve_mip.h \
	contrib/smesh/cmd_map.c contrib/smesh/cmd_metrics.c \
	contrib/smesh/cmd_part.c \
	contrib/smesh/cmd_ranks.c \
	contrib/smesh/ranks_choose.c \
	contrib/smesh/ranks_choose.h \
	contrib/smesh/cmd_sim.c contrib/smesh/sim_calibrate.c contrib/smesh/sim_faults.c contrib/smesh/sim_faults.h contrib/smesh/sim_jobs.c contrib/smesh/sim_outputs.c contrib/smesh/sim_policy.c contrib/smesh/sim_policy.h \
	contrib/smesh/sim_resume.c contrib/smesh/sim_save.c contrib/smesh/sim_save.h contrib/smesh/sim_setup.c \
	contrib/smesh/sim_sweep.c contrib/smesh/sim_sweep.h \
	contrib/smesh/sim_session.h contrib/smesh/sim_jobs.h \
	contrib/smesh/cmd_strategies.c contrib/smesh/cmd_top.c contrib/smesh/cmd_tune.c \
	contrib/smesh/cmd_why.c \
	contrib/smesh/cmd_workload.c \
	contrib/smesh/cores.c contrib/smesh/cores.h \
	plugin/shared/hostlist_libslurm.c plugin/shared/hostlist_libslurm.h \
	contrib/smesh/map/draw_html.c contrib/smesh/map/draw_svg.c contrib/smesh/map/draw_text.c \
	contrib/smesh/map/layout.c contrib/smesh/map/layout.h \
	contrib/smesh/map/live.c contrib/smesh/map/live.h \
	contrib/smesh/map/picture.c contrib/smesh/map/picture.h \
	contrib/smesh/map/record.c contrib/smesh/map/record.h contrib/smesh/map/record_finish.c \
	contrib/smesh/map/snapshot.c contrib/smesh/map/snapshot.h \
	contrib/smesh/map/state.c contrib/smesh/map/state.h \
	contrib/smesh/options.c contrib/smesh/options.h contrib/smesh/options_number.c \
	contrib/smesh/outlook.c contrib/smesh/outlook.h \
	contrib/smesh/output.c contrib/smesh/output.h \
	contrib/smesh/page/chart.c contrib/smesh/page/chart.h \
	contrib/smesh/page/html.c contrib/smesh/page/html.h \
	contrib/smesh/page/machine.c contrib/smesh/page/machine.h contrib/smesh/page/script.h \
	contrib/smesh/page/report_figures.c contrib/smesh/page/report_charts.c contrib/smesh/page/report_links.c \
	contrib/smesh/page/report_page.c contrib/smesh/page/report_page.h \
	contrib/smesh/sim/workload.c contrib/smesh/sim/workload.h \
	contrib/smesh/smesh.c contrib/smesh/smesh.h \
	contrib/smesh/suggest.c contrib/smesh/suggest.h \
	contrib/smesh/tasktable.c contrib/smesh/tasktable.h
nodist_smesh_SOURCES = contrib/smesh/page/machine_js.c contrib/smesh/page/page_css.c
contrib/smesh/page/machine_js.c: contrib/smesh/page/machine.js contrib/smesh/page/embed.awk
	$(AM_V_GEN)$(MKDIR_P) contrib/smesh/page && $(AWK) -v name=script_machine \
		-f $(srcdir)/contrib/smesh/page/embed.awk $(srcdir)/contrib/smesh/page/machine.js >$@
contrib/smesh/page/page_css.c: contrib/smesh/page/page.css contrib/smesh/page/embed.awk
	$(AM_V_GEN)$(MKDIR_P) contrib/smesh/page && $(AWK) -v name=style_page \
		-f $(srcdir)/contrib/smesh/page/embed.awk $(srcdir)/contrib/smesh/page/page.css >$@
CLEANFILES += contrib/smesh/page/machine_js.c contrib/smesh/page/page_css.c
EXTRA_DIST += contrib/smesh/page/machine.js contrib/smesh/page/page.css contrib/smesh/page/embed.awk
smesh_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir)/contrib/smesh -I$(top_srcdir)/plugin $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) \
	$(MD_CFLAGS) $(HWLOC_CFLAGS)
smesh_CFLAGS = $(CORE_CFLAGS)
smesh_LDADD = $(CBC_LIBS) libmeshsim.la libmeshalloc.la $(SLURM_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) \
	$(MD_LIBS) $(HWLOC_LIBS) -lm

# Example jobs.
EXTRA_DIST += etc/workloads/cplant.conf etc/workloads/cplant.swf \
	etc/workloads/lublin.swf etc/workloads/torus.conf
EXTRA_DIST += etc/job-ranks.sh etc/job-shape.sh etc/job-tasks.sh etc/tasks.conf \
	etc/plugstack.conf etc/slurm.conf etc/topology.conf

# Man pages and completion.
dist_man_MANS += doc/select_mesh.7 doc/smesh.1 doc/topology.conf.mesh.5
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completion/smesh
# Packages, guides, and the results shown in them.
EXTRA_DIST += contrib/python/figures.py contrib/python/smesh.py
EXTRA_DIST += contrib/debian contrib/docker contrib/ohpc/slurm-mesh.spec.in contrib/spack contrib/figures contrib/package contrib/slurm-mesh.spec
