#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How good are predicted starts? 48 of 64 nodes are busy with jobs of known ends, so that the
# first moment at which a job of so many nodes has room, or a box of them is free, is known too.
# What --test-only and the backfill scheduler say is held against it, in seconds.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}" "${SMESH:=$builddir/smesh/smesh}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/predict.sh [seed=N] WHO...
WHO: stock, select, topology or both, as in stream.sh; wishes for boxes are not asked of stock

Columns: for jobs of any nodes and for boxes (--contiguous), by --test-only and by backfill: the
mean and the largest time by which the prediction is later than the first possible moment, and of
how many it was asked; CPU time of slurmctld for a question by --test-only.
USAGE
}

declare -A opt=([seed]=1)
read_words "$@"
seed=${opt[seed]}
[ "${#who[@]}" -gt 0 ] || { usage >&2; exit 1; }
mesh='MeshName=m Dims=4x4x4 Wrap=all Nodes=n[0-63]'

start() {
	local keys=(nodes=64 debug='' loglevel=error) params=bf_resolution=1
	case $1 in
	select | both) keys+=(select=select/mesh) ;;&
	topology | both) keys+=(topology_plugin=topology/mesh) ;;&
	select | topology | both) keys+=(plugins="$builddir/plugins" topology="$mesh")
		params+=,mesh_strategy=mm ;;
	esac
	cluster_start "${keys[@]}" params="$params"
}

# One job a node with an end of its own: lines END NODE in `ends`.
fill() {
	local i id
	RANDOM=$seed
	for i in $(seq 0 63 | shuf --random-source=<(yes "$seed") -n 48); do
		submit 1 100000 --time=$((5 + RANDOM % 300)) -w "n$i" >>"$cluster_dir/work/busy"
	done
	while read -r id; do
		wait_for 60 job_is "$id" RUNNING || return
		echo "$(date -d "$(job_field "$id" EndTime)" +%s) $(job_nodes "$id")"
	done <"$cluster_dir/work/busy" | sort -n >"$cluster_dir/work/ends"
}

# free_after N: nodes that are free once the first N jobs have ended
free_after() {
	host_list hostlistsorted "$(
		{ idle_nodes | xargs -I{} scontrol show hostnames {}; head -n "$1" "$cluster_dir/work/ends" | cut -d' ' -f2; } |
			paste -sd,
	)"
}

# first_moment any|box NODES: the end after which there is room, in seconds of the clock
first_moment() {
	local n=$(($2 - 16))
	[ "$n" -ge 1 ] || n=1
	if [ "$1" = box ]; then
		for (( ; n <= 48; n++)); do
			"$SMESH" alloc -t "$cluster_dir/mesh.conf" -s bf -n "$2" --free "$(free_after "$n")" \
				>/dev/null 2>&1 && break
		done
	fi
	sed -n "${n}p" "$cluster_dir/work/ends" | cut -d' ' -f1
}

ticks() {
	awk '{ print $14 + $15 }' "/proc/${cluster_pid[slurmctld]}/stat"
}

# test_only OPTION...: seconds of the clock, nothing if it is refused
test_only() {
	local when
	when=$(sbatch --test-only --time=10 "$@" --wrap true 2>&1 | sed -n 's/.*to start at \([^ ]*\) .*/\1/p')
	[ -z "$when" ] || date -d "$when" +%s
}

# backfill OPTION...: the same of the scheduler
backfill() {
	local id when
	id=$(sbatch --parsable -o /dev/null --time=10 "$@" --wrap true)
	wait_for 4 planned "$id"
	when=$(job_field "$id" StartTime)
	scancel "$id"
	[ "$when" = Unknown ] || [ -z "$when" ] || date -d "$when" +%s
}

planned() {
	[ "$(squeue -h -j "$1" -o %S)" != N/A ] && [ "$(squeue -h -j "$1" -o %Y)" != "(null)" ]
}

# errors any|box ASK OPTION...: "MEAN MAX N" of what ASK says
errors() {
	local kind=$1 ask=$2 k right said
	shift 2
	for k in 18 20 24 27 32 36 48 64; do
		right=$(first_moment "$kind" "$k")
		said=$("$ask" -N"$k" --exclusive "$@")
		[ -z "$said" ] || echo $((said - right))
	done | awk '{ s += $1; if ($1 > m) m = $1; if ($1 < l) l = $1 }
		END { if (!NR) print "-"; else printf "%.1f, %d of %d%s", s / NR, m, NR, l < -1 ? " (early: " -l ")" : "" }'
}

measure() (
	local before row
	start "$1" && fill || exit
	printf '%s\n' "$mesh" >"$cluster_dir/mesh.conf"
	row="| $1"
	before=$(ticks)
	row+=" | $(errors any test_only)"
	before=$((($(ticks) - before) * 1000 / 8 / $(getconf CLK_TCK)))
	row+=" | $(errors any backfill)"
	if [ "$1" != stock ]; then
		row+=" | $(errors box test_only --contiguous) | $(errors box backfill --contiguous)"
	else
		row+=" | | "
	fi
	echo "$row | $before |"
)

echo '| who | any, --test-only | any, backfill | box, --test-only | box, backfill | CPU ms |'
echo '|---|---|---|---|---|--:|'
for name in "${who[@]}"; do measure "$name"; done
