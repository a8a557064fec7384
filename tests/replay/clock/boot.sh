# SPDX-License-Identifier: GPL-2.0-or-later
# A private cluster (tests/slurm/cluster.sh) on a clock of our own. Source it in bash.
# shellcheck shell=bash disable=SC2154
#
#   cluster_prepare ... && clock_boot [USERS [SACCTMGR]]
#   "${clocked[@]}" COMMAND...      # the last one: time runs from now on

clocked=() # the words that put a command on the clock
# The caller's: clock_turn=N, one more for each cluster that it has side by side, for a processor of its own.

# The $1-th of the processors that we may use, counted on from the first after the last.
clock_processor() {
	awk -v n="$1" '/^Cpus_allowed_list:/ {
		ranges = split($2, range, ",")
		for (i = 1; i <= ranges; i++) {
			words = split(range[i], end, "-")
			for (c = end[1]; c <= end[words]; c++)
				cpu[have++] = c
		}
		print cpu[n % have]
	}' /proc/self/status
}

# With dbd=yes slurmdbd gets the commands in the file SACCTMGR, and USERS is a file of names that
# are to be known as users. Time stands until the driver has joined. One processor is enough: only
# one thread runs at a time; and that one is not to be interrupted by whom it wakes (chrt).
clock_boot() {
	local file=$cluster_dir/run/clock joined=0 processor allocator
	processor=$(clock_processor "${clock_turn:-$BASHPID}")
	# A quarter of slurmctld's time under backfill is malloc() and free(). Debian's libjemalloc2 takes half of that.
	allocator=$(ldconfig -p | awk '/libjemalloc\.so\.2 / { print $NF; exit }')
	clocked=(chrt -b 0 taskset -c "$processor" setarch -R # none of these is to be on the clock
		env "MESH_CLOCK=$file" "LD_PRELOAD=$builddir/tests/replay/clock.so${allocator:+:$allocator}")
	munged_start || return
	[ -z "$1" ] || cp "$1" "$file.users" || return
	MESH_CLUSTER=$cluster_dir "$builddir/tests/replay/keeper" "$file" &
	cluster_pid[keeper]=$!
	disown "$!"
	wait_for 60 test -s "$file" || return
	if [ -n "${cluster[dbd]}" ]; then
		clock_boot_dbd "$2" || return
		joined=1
	fi
	clock_launch slurmctld 2 slurmctld -D -f "$SLURM_CONF" || return # it has a slurmscriptd
	# shellcheck disable=SC2086
	clock_launch standin 1 ${cluster[standin]} -f "$SLURM_CONF" || return
	clocked+=(MESH_CLOCK_GO=1 "MESH_CLUSTER=$cluster_dir")
}

# clock_launch NAME PROCESSES COMMAND...: and wait until so many more have joined, and all wait
clock_launch() {
	local name=$1
	joined=$((joined + $2))
	shift 2
	launch "$name" "$cluster_dir/log/$name.out" "${clocked[@]}" "$@"
	timeout 60 "$builddir/tests/replay/keeper" --settle="$joined" "$cluster_dir/run/clock" && return
	cluster_error "$name did not come up on the clock"
	cluster_show_logs
	return 1
}

# The database is outside. Its files need not outlast the machine.
clock_boot_dbd() {
	mariadbd_start --innodb-flush-log-at-trx-commit=0 --innodb-flush-method=nosync || return
	clock_launch slurmdbd 1 MYSQL_UNIX_PORT="$cluster_dir/db/socket" slurmdbd -D || return
	{
		echo "add cluster mesh"
		[ -z "$1" ] || cat "$1"
	} | clock_sacctmgr || {
		cluster_error "sacctmgr: see $cluster_dir/log/sacctmgr.out"
		tail -n 5 "$cluster_dir/log/sacctmgr.out" >&2
		return 1
	}
}

# A line of standard input is a command.
clock_sacctmgr() {
	local line words
	while read -r line; do
		[ -n "${line%%#*}" ] || continue
		read -ra words <<<"$line"
		"${clocked[@]}" sacctmgr -i "${words[@]}" </dev/null >>"$cluster_dir/log/sacctmgr.out" 2>&1 || return
	done
}

# Before the cluster is stopped: the keeper ends what is on the clock.
clock_stop() {
	[ -z "${cluster_pid[keeper]}" ] || stop_pids TERM "${cluster_pid[keeper]}"
}

# When the clock has ended under the driver: the keeper has said why, unless it was killed.
clock_ended() {
	wait_for 5 all_gone "${cluster_pid[keeper]}"
	[ ! -e "$cluster_dir/run/clock" ] || echo "replay clock: its keeper was killed; the replay ends" >&2
}
