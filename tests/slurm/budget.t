#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mesh_max_time: when a job can start takes many questions to the strategy, and they share one
# budget. The answer may be late for want of time, never early.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin

jobs=128 budget=2000
mesh_cluster nodes=1024 standin="$standin" debug= topology='MeshName=m Dims=8x8x16 Nodes=n[0-1023]' \
	params=mesh_strategy=qtree,mesh_log=yes,mesh_max_time=$budget || exit

# Jobs of a node, here and there, which end one after the other: few boxes are free.
scontrol update PartitionName=all State=DOWN
for ((i = 0; i < jobs; i++)); do
	last=$(MESH_RUNTIME=3600 submit 1 3600 --export=MESH_RUNTIME -w n$(((101 * i + 7 * i * i) % 1024)) \
		--exclusive --time=$((10 + i)))
done
scontrol update PartitionName=all State=UP
most_run() { [ "$(squeue -h -t R -o %i | wc -l)" -ge $((jobs - 8)) ] && job_is "$last" RUNNING; }
wait_for 60 most_run
ok $? "$jobs jobs on nodes here and there ($(squeue -h -t R -o %i | wc -l) run)"
sleep 1

# ask STRATEGY: when half of the machine in one box is free, into $when and $usec (the shortest of
# three, as the log has time on the clock and the machine may be busy)
ask() {
	local i mark line took
	usec=
	for i in 1 2 3; do
		mark=$(ctld_log_lines)
		when=$(sbatch --test-only -N150 --contiguous --exclusive --time=1 --mesh-strategy="$1" --wrap true 2>&1 |
			sed -n 's/.* to start at \([^ ]*\) .*/\1/p')
		line=$(ctld_log "$mark" "mode=will_run strategy=$1 .* usec=" | tail -n 1)
		took=$(field usec "$line")
		[ "${usec:-999999999}" -le "${took:-0}" ] || usec=$took
	done
	echo "# $1: $when, $usec us"
}

ask bf
exact=$when quick=$usec
ok "$([ -n "$exact" ] && [ "$(epoch "$exact")" -gt "$(date +%s)" ]; echo $?)" "a quick strategy knows when there is a box"
ask qtree
[ "${usec:-999999999}" -lt $((2 * budget + 2 * quick)) ]
ok $? "a slow one takes no longer than one budget for all of it"
[ -n "$when" ] && [ "$(epoch "$when")" -ge "$(epoch "$exact")" ] &&
	[ "$(epoch "$when")" -le "$(epoch "$(job_field "$last" EndTime)")" ]
ok $? "and is not too early"
like "$(sbatch --test-only -N150 --contiguous --exclusive --time=1 --mesh-strategy=qtree --wrap true 2>&1)" \
	'to start at .* on nodes n\[' "it has an answer"

# Refused at submission is refused for good: not for want of time. With the diagonals of twelve
# planes left out, 210 nodes have their box in the other four alone: not one of the shapes that
# are tried first.
out=$(for ((i = 0; i < 96; i++)); do echo n$((8 * i + i % 8)); done | paste -sd,)
batch_box() {
	sbatch --parsable -o /dev/null -N210 -x "$out" --contiguous --exclusive --time=1 --mesh-strategy="$1" --wrap true
}
cluster_set params=mesh_strategy=qtree,mesh_log=yes,mesh_max_time=1 && reconfigure
for strategy in qtree bf tbl; do
	id=$(batch_box "$strategy")
	ok $? "a budget of a microsecond refuses no job ($strategy)"
	scancel "$id"
done
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
