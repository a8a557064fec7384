# SPDX-License-Identifier: GPL-2.0-or-later
# Clusters under select/mesh: source it after cluster.sh.
# shellcheck shell=bash

# shellcheck disable=SC2034 # for the scripts that source this
spank_plugin="optional $builddir/plugins/spank_mesh.so"

# need_plugins: leaves a test script as skipped where they have not been built
need_plugins() {
	need_daemons
	[ -e "$builddir/plugins/select_mesh.so" ] || {
		echo "1..0 # SKIP the plugins have not been built (--with-slurm-src)"
		exit 0
	}
}

# need_database: likewise, for dbd=yes
need_database() {
	local program
	for program in mariadbd mariadb-install-db slurmdbd sacctmgr sacct; do
		command -v "$program" >/dev/null || {
			echo "1..0 # SKIP $program is not installed"
			exit 0
		}
	done
	[ -e "$(slurm_plugin_dir)/accounting_storage_mysql.so" ] || {
		echo "1..0 # SKIP this slurmdbd has no accounting_storage/mysql"
		exit 0
	}
}

# mesh_cluster KEY=VALUE...: cluster_start with the plugins in place; together with the topology
# plugin that TOPOLOGY in the environment names, if any
mesh_cluster() {
	cluster_start select=select/mesh plugins="$builddir/plugins" plugstack="$spank_plugin" \
		loglevel=verbose topology_plugin="$TOPOLOGY" "$@" || return
	[ -z "$TOPOLOGY" ] ||
		like "$(scontrol show config)" "TopologyPlugin  *= $TOPOLOGY" "together with $TOPOLOGY"
}

# decision ID [MODE]: the last line that select/mesh logged about a job; without MODE its start
decision() {
	grep -E "select/[a-z_]*mesh: JobId=$1 mode=${2:-run_now} .* nodes=" "$cluster_dir/log/slurmctld.log" |
		tail -n 1
}

# field NAME LINE: NAME=value of a line
field() {
	sed -n "s/.* $1=\([^ ]*\).*/\1/p" <<<"$2"
}

# started ID: wait until it runs (or has run) and print its nodes
started() {
	wait_for 30 has_started "$1" && job_nodes "$1"
}

has_started() {
	local value
	job_read "$1" JobState && [[ $value == @(RUNNING|COMPLETING|COMPLETED) ]]
}

# pending ID: it waits, and the schedulers have looked at it
pending() {
	wait_for 15 looked_at "$1" && job_is "$1" PENDING
}

looked_at() {
	grep -qE "JobId=$1 mode=(will_run|run_now)" "$cluster_dir/log/slurmctld.log" && sleep 0.5
}

# How the error ends that tells of a broken map or setting at `scontrol reconfigure`. From 23.11
# on that is a new slurmctld, and in the foreground, as here, there is no old one that could go on.
instead_of_broken() {
	if slurm_is -lt 23.11; then
		echo "the map and settings in use are kept"
	else
		echo "the stock choice is used until it is mended"
	fi
}

# sides "4 4" LIST...: the box around nodes n0, n1, ... of a mesh without wrap, as AxB; nothing
# if they do not fill it
sides() {
	local dims=$1
	shift
	host_list hostnames "$1" | tr -dc '0-9\n' | awk -v dims="$dims" '
		BEGIN { n = split(dims, side, " "); nodes = 0 }
		{
			v = $1
			for (d = 1; d <= n; d++) {
				c = v % side[d]; v = int(v / side[d])
				if (!nodes || c < low[d]) low[d] = c
				if (!nodes || c > high[d]) high[d] = c
			}
			nodes++
		}
		END {
			volume = 1
			for (d = 1; d <= n; d++) {
				volume *= high[d] - low[d] + 1
				text = text (d > 1 ? "x" : "") high[d] - low[d] + 1
			}
			if (volume == nodes) print text
		}'
}

# epoch TIME: as Slurm prints it, in seconds
epoch() {
	date -d "$1" +%s
}

# strategy_of ID [MODE]: who chose its nodes
strategy_of() {
	field strategy "$(decision "$@")"
}

# lows LIST...: a job on each of these that others may preempt, into $low
low_as=(-p low) # how
lows() {
	local nodes
	low=()
	for nodes; do
		low+=("$(submit "$(host_list hostnames "$nodes" | wc -l)" 600 --exclusive "${low_as[@]}" --requeue --time=60 -w "$nodes")")
	done
	for id in "${low[@]}"; do started "$id" >/dev/null; done
}

# states ID...: how many jobs are in which state, "2 PENDING 2 RUNNING"
states() {
	local id
	for id; do job_state "$id"; done | sort | uniq -c | xargs
}

states_are() {
	local want=$1
	shift
	[ "$(states "$@")" = "$want" ]
}

# nodes_in LIST WITHIN: every node of LIST is in WITHIN
nodes_in() {
	[ -z "$(comm -23 <(host_list hostnames "$1" | sort) <(host_list hostnames "$2" | sort))" ]
}

# smesh_nodes STRATEGY COUNT FREE: what the same code chooses from the command line
smesh_nodes() {
	"$SMESH" alloc -t "$cluster_dir/topology.conf" -s "$1" -n "$2" --free "$3" --seed "${4:-0}" --json |
		sed 's/.*"nodes":"\([^"]*\)".*/\1/'
}

# nodes_with CPUS: nodes with so many free, as a host list
nodes_with() {
	host_list hostlistsorted "$(sinfo -h -N -p all -o '%N %t %C' | sort -u |
		awk -v want="$1" '$2 ~ /^(idle|mix|alloc)$/ { split($3, c, "/"); if (c[2] >= want) print $1 }' |
		paste -sd,)"
}

cancel_all() {
	scancel --quiet --user="$(id -un)"
	wait_for 30 cluster_all_idle || sinfo -N | grep -v idle | sed 's/^/# not idle: /'
}

# where COUNT [OPTION]...: the nodes that a job of that size gets
where() {
	local id
	id=$(submit "$1" 100 "${@:2}")
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 no_jobs
}

is_idle() { idle_names | grep -qx "$1"; }

# need_network: leaves a test script as skipped where contrib/torus cannot build one
need_network() {
	local why
	why=$("$cluster_torus" why-not)
	[ -z "$why" ] || {
		echo "1..0 # SKIP $why"
		exit 0
	}
}
