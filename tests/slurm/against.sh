# SPDX-License-Identifier: GPL-2.0-or-later
# The same requests of the stock plugin and of select/mesh, each with a cluster of its own: source it after
# mesh.sh, and define `of SELECT FILE`, which writes the answers with that plugin and ends with keep.
# shellcheck shell=bash

# planned OPTION...: the nodes on which it would start now, by `sbatch --test-only`
planned() {
	local said
	said=$(sbatch --test-only -o /dev/null "$@" --wrap true 2>&1)
	said=$(sed -n 's/.* to start at \([^ ]*\) .* nodes \([^ ]*\) .*/\1 \2/p' <<<"$said")
	[ -n "$said" ] && [ "$(epoch "${said% *}")" -le $(($(date +%s) + 1)) ] && echo "${said#* }"
}

# soon PLANNED OPTION...: like now(); asked again where backfill says that it starts: on a busy computer
# the nodes of the job before may not be known to be idle yet
soon() {
	local nodes again
	nodes=$(now "${@:2}")
	for again in 1 2 4; do
		if [ -n "$nodes" ] || [ -z "$1" ]; then break; fi
		nodes=$(sleep $again; now "${@:2}")
	done
	echo "$nodes"
}

# now OPTION...: the nodes on which it starts at submission
now() {
	local id
	id=$(salloc -I --no-shell "$@" 2>&1 | sed -n 's/.*Granted job allocation //p')
	[ -n "$id" ] || return
	hosts_sorted "$(job_nodes "$id")"
	scancel "$id"
	wait_for 20 gone "$id"
}

gone() { [[ $(job_state "$1") == CANCELLED* ]] && [ -z "$(squeue -h -t CG -o %i)" ]; }

# hold LIST OPTION...: a job on each of these nodes
hold() {
	local node id ids=()
	for node in $(host_list hostnames "$1"); do
		ids+=("$(sbatch --parsable -o /dev/null -N1 -w "$node" "${@:2}" --wrap 'sleep 3000')")
	done
	for id in "${ids[@]}"; do started "$id" >/dev/null; done
}

# keep FILE: what is needed when the cluster has gone
keep() {
	cp "$cluster_dir/log/slurmctld.log" "$1.log"
	cp "$cluster_dir/topology.conf" "$cluster_dir/plain.conf" "$out/"
}

# against: both, side by side, to $out/stock and $out/ours
against() {
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
	(of select/cons_tres "$out/stock") &
	(of select/mesh "$out/ours") &
	wait
	cluster_dir=$out # for host_list
	is "$(grep -E 'fatal:|error: select/' "$out/ours.log")" "" "no errors of select/mesh"
}

# waits PLANNED NOW OUR_PLANNED OUR_NOW: what the stock plugin starts and ours does not
waits() {
	[ -z "$1" ] || [ -n "$3" ] || echo -n " waits, as backfill sees it;"
	[ -z "$2" ] || [ -n "$4" ] || echo -n " does not start;"
}
