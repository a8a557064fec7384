smesh_smesh_SOURCES += \
	smesh/cmd/advice.c smesh/cmd/advice.h \
	smesh/cmd/check.h smesh/cmd/check_hosts.c smesh/cmd/check_mesh.c \
	smesh/cmd/check_nodes.c smesh/cmd/check_start.c \
	smesh/cmd/cmd_alloc.c \
	smesh/cmd/cmd_check.c \
	smesh/cmd/cmd_curve.c \
	smesh/cmd/cmd_defrag.c \
	smesh/cmd/cmd_gather.c \
	smesh/cmd/cmd_import.c \
	smesh/cmd/cmd_map.c \
	smesh/cmd/cmd_metrics.c \
	smesh/cmd/cmd_part.c \
	smesh/cmd/cmd_ranks.c \
	smesh/cmd/cmd_routes.c \
	smesh/cmd/cmd_sim.c \
	smesh/cmd/cmd_strategies.c \
	smesh/cmd/cmd_top.c \
	smesh/cmd/cmd_traffic.c \
	smesh/cmd/cmd_verdict.c \
	smesh/cmd/cmd_why.c \
	smesh/cmd/cmd_workload.c \
	smesh/cmd/commands.h \
	smesh/cmd/cutoff.c smesh/cmd/cutoff.h \
	smesh/cmd/main.c \
	smesh/cmd/outlook.c smesh/cmd/outlook.h \
	smesh/cmd/readtraffic.c smesh/cmd/readtraffic.h \
	smesh/cmd/sim_calibrate.c \
	smesh/cmd/sim_jobs.c \
	smesh/cmd/sim_machine.c \
	smesh/cmd/sim_outputs.c \
	smesh/cmd/sim_resume.c \
	smesh/cmd/sim_runs.c smesh/cmd/sim_runs.h \
	smesh/cmd/sim_save.c \
	smesh/cmd/sim_session.h \
	smesh/cmd/sim_setup.c \
	smesh/cmd/slurmconf.c smesh/cmd/slurmconf.h \
	smesh/cmd/startup.c smesh/cmd/startup.h \
	smesh/cmd/traffic_gain.c smesh/cmd/traffic_gain.h
