#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The example jobs of etc/: two programs side by side, and ranks where smesh ranks puts them.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons

mesh='MeshName=t Dims=4x4 Nodes=n[0-15]'
cluster_start nodes=16 cpus=4 topology="$mesh"
ok $? "a cluster of 16 nodes comes up"
cd "$cluster_dir/work" || exit 1
export TOPOLOGY=$cluster_dir/topology.conf
PATH=$(dirname "$SMESH"):$PATH

# job SCRIPT ARGUMENT...: run it and leave its output in $output
job() {
	local id
	id=$(sbatch --parsable --nodelist='n[1-3,5-7,9-10]' -o out.txt "$@") || return
	wait_for 60 job_is "$id" COMPLETED
	local status=$?
	output=$(cat out.txt)
	[ "$status" -eq 0 ] || sed 's/^/# /' out.txt
	return "$status"
}

# lines PATTERN: how many lines of the output match it
lines() {
	grep -c -E "$1" <<<"$output"
}

job "$srcdir/etc/job-tasks.sh" "$srcdir/etc/tasks.conf"
ok $? "two programs side by side"
is "$(lines '^sor is process [0-2] on n[0-9]+$')" 3 "three nodes run one"
is "$(lines '^ge is process [0-4] on n[0-9]+$')" 5 "five the other"
is "$(grep -E 'is process' <<<"$output" | sed 's/.* //' | sort -u | wc -l)" 8 "no node runs both"
planned=$("$SMESH" part -t "$TOPOLOGY" -w 'n[1-3,5-7,9-10]' --json "$srcdir/etc/tasks.conf" |
	sed 's/.*"nodelists":\["\([^"]*\)".*/\1/')
is "$(grep '^sor is' <<<"$output" | sed 's/.* //' | sort -V | paste -sd,)" \
	"$(host_list hostnames "$planned" | sort -V | paste -sd,)" "on the nodes of the plan"

job "$srcdir/etc/job-ranks.sh" 4x8
ok $? "ranks of a 4x8 grid"
is "$(lines '^rank [0-9]+ on n[0-9]+$')" 32 "32 of them ran"
"$SMESH" ranks -t "$TOPOLOGY" -w 'n[1-3,5-7,9-10]' --grid 4x8 --hostfile planned >report
is "$(grep '^rank ' <<<"$output" | sort -n -k 2 | awk '{ print $4 }' | cmp - planned)" "" \
	"each on the node that smesh ranks chose"
is "$(cmp <(grep '^hop-bytes' report) <(grep '^hop-bytes' <<<"$output"))" "" \
	"hop-bytes are in the job's output"
like "$(cat report)" 'hop-bytes.*\([2-9][0-9]\.[0-9] % below' "far below block order"

done_testing
