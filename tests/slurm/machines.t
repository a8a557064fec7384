#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The machines of doc/which-machine.md: a cluster of each, with the lines of the page and its jobs.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/machines.sh"
need_plugins
need_standin

# start LINES [KEY=VALUE]...: a cluster of the nodes that the lines name
start() {
	local names last
	names=$(sed -n 's/.* Nodes=\([^ ]*\).*/\1/p' <<<"$1")
	last=${names##*-}
	mesh_cluster nodes="$((${last%]} + 1))" name="$names" standin="$standin" \
		topology="$1" "${@:2}" && printf '#!/bin/sh\nsleep 600\n' >"$cluster_dir/work/job.sh"
}

while read -r title <&3; do
	start "$(lines_of "$title" Mesh)"
	ok $? "$title: the cluster starts"
	while read -r line <&4; do
		[[ $line =~ \#\ ([0-9]+)\ hosts ]]
		hosts=${BASH_REMATCH[1]}
		options=${line#sbatch}
		options=${options%%#*}
		# shellcheck disable=SC2086 # options are words
		id=$(cd "$cluster_dir/work" && sbatch --parsable -o /dev/null --exclusive $options 2>&1)
		is "$(host_list hostnames "$(started "$id")" | wc -l)" "$hosts" "$title: ${line%%#*}"
		cancel_all
	done 4< <(lines_of "$title" sbatch)
	cluster_stop
done 3< <(machines)

# Slurm gave four hosts that are not cabled together; with these lines it does not.
lines=$(lines_of "A pod of Tenstorrent hosts" Mesh)
box=()
for select in cons_tres mesh; do
	start "$lines" select="select/$select"
	id=$(submit 3 600 --exclusive -w 'h[0-2]')
	started "$id" >/dev/null
	id=$(submit 4 600 --exclusive)
	box+=("$(sides "4 8" "$(started "$id")")")
	cluster_stop
done
is "${box[0]:-no box} ${box[1]}" "no box 2x2" "four hosts in a square, which Slurm's own are not"
done_testing
