# SPDX-License-Identifier: GPL-2.0-or-later
# A second slurmctld, which stands by for the first: source it after mesh.sh.
# shellcheck shell=bash

# What mesh_cluster's conf= needs for it. A controller knows itself by its host's name, and both listen at
# the same port.
# shellcheck disable=SC2034 # for the scripts that source this
backup_conf='SlurmctldHost=mesh-backup(127.0.0.2)
SlurmctldTimeout=10'

# need_second_host: leaves a test script as skipped where there can be none
need_second_host() {
	[ "$(id -u)" -eq 0 ] && unshare --uts --mount true 2>/dev/null || {
		echo "1..0 # SKIP a second host name on this machine needs root and unshare"
		exit 0
	}
}

# backup_prepare: its files, in $second
backup_prepare() {
	second=$cluster_dir/backup
	mkdir "$second"
	sed "s,/run/slurmctld.pid,/backup/pid,; s,/log/slurmctld.log,/backup/log," "$cluster_dir/slurm.conf" >"$second/slurm.conf"
	cp "$cluster_dir"/{topology,plugstack}.conf "$second"
	{ cat /etc/hosts; echo 127.0.0.2 mesh-backup; } >"$second/hosts"
}

# on_backup COMMAND...: on the second host
on_backup() {
	unshare --uts --mount sh -c "mount --bind '$second/hosts' /etc/hosts && hostname mesh-backup && exec \"\$@\"" sh "$@"
}

backup_start() {
	launch backup "$second/out" unshare --uts --mount sh -c "mount --bind '$second/hosts' /etc/hosts &&
		hostname mesh-backup && exec slurmctld -D -f '$second/slurm.conf'"
	wait_for 30 both_up
}

both_up() { [ "$(scontrol ping | grep -c 'is UP')" -eq 2 ]; }

# in_control first|second: whose turn it is, by what they say themselves
in_control() {
	case $1 in
	first) scontrol ping | grep -q 'primary.* is UP' && squeue -h >/dev/null && ! running_backup ;;
	second) ! alive "${cluster_pid[slurmctld]}" && running_backup && squeue -h >/dev/null 2>&1 ;;
	esac
}

running_backup() {
	grep -E 'running in background mode|Running as primary controller' "$second/log" |
		tail -n 1 | grep -q primary
}
