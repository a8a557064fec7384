#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When is there a box? select/mesh asks by a short cut; here it is held against the plain way: the job's
# own strategy is asked about the nodes that are free at each end of a running job, and bisection over its
# answers finds the first end, and the nodes.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin

mesh_cluster nodes=64 standin="$standin" params=mesh_strategy=snug,mesh_max_time=0,mesh_max_cycle=0 debug= \
	partition=OverSubscribe=EXCLUSIVE topology='MeshName=m Dims=4x4x4 Wrap=yes,no,yes Nodes=n[0-63]' || exit

# ---- Jobs of one to three nodes, here and there, with ends of their own ----
mapfile -t order < <(awk 'BEGIN { s = 11
	for (i = 0; i < 64; i++) n[i] = i
	while (i > 0) { s = s * 16807 % 2147483647; j = s % i--; t = n[j]; n[j] = n[i]; n[i] = t; print t } }')
at=0 ids=()
while [ "$at" -lt 64 ]; do
	count=$((at % 3 + 1 > 64 - at ? 64 - at : at % 3 + 1))
	nodes=$(printf ',n%s' "${order[@]:at:count}")
	ids+=("$(MESH_RUNTIME=9000 submit "$count" 9000 --export=MESH_RUNTIME --time=$((20 + 7 * at % 61)) -w "${nodes:1}")")
	at=$((at + count))
done
for id in "${ids[@]}"; do started "$id" >/dev/null; done

# Ends in order, each once, and at each a line of 64 characters: 1 is free then.
squeue -h -t R -o '%e %N' | while read -r end nodes; do
	for node in $(host_list hostnames "$nodes"); do echo "$end ${node#n}"; done
done | sort >"$cluster_dir/ends"
free_then() {
	awk '{ end[$2] = $1; if ($1 != last) at[n++] = last = $1 }
		END { for (i = 0; i < n; i++) {
			line = at[i] " "
			for (v = 0; v < 64; v++) line = line (end[v] <= at[i])
			print line } }' "$cluster_dir/ends"
}
free_then >"$cluster_dir/free"
[ "$(wc -l <"$cluster_dir/free")" -gt 15 ]
ok $? "a machine whose nodes become free one after the other ($(wc -l <"$cluster_dir/free") ends)"

# plain STRATEGY WISH: "TIME NODES", by bisection over the answers at all ends; WISH is a number or a shape
plain() {
	awk -v wish="$2" '{ print wish, $2 }' "$cluster_dir/free" |
		"$SMESH" alloc -t "$cluster_dir/topology.conf" -s "$1" --decisions - --json |
		sed 's/.*"result":"\([^"]*\)".*"nodes":"\([^"]*\)".*/\1 \2/; s/.*"result":"\([^"]*\)".*/\1 -/' |
		paste -d ' ' - "$cluster_dir/free" | awk '
			{ found[NR] = $1 == "ok"; text[NR] = $3 " " $2 }
			END {
				low = 1; high = NR
				if (!found[high]) { print "never"; exit }
				while (low < high) {
					middle = int((low - 1 + high - 1) / 2) + 1
					if (found[middle]) high = middle; else low = middle + 1
				}
				print text[high]
			}'
}

# asked STRATEGY OPTION...: the same, as slurmctld says it
asked() {
	sbatch --test-only --time=100 --mesh-strategy="$1" "${@:2}" --wrap true 2>&1 |
		sed -n 's/.*to start at \([^ ]*\) .*using .* on nodes \([^ ]*\) in.*/\1 \2/p'
}

wishes=(2 3 4 6 8 12 16 27 36 2x2 1x4x1 2x2x2 3x2x2 4x2x2 3x3x3 4x4x2)
for strategy in ff bf snug-box tbl; do
	same=0
	for wish in "${wishes[@]}"; do
		case $wish in
		*x*) option=(--mesh-shape="$wish" -N"$((${wish//x/*}))") ;;
		*) option=(-N"$wish") ;;
		esac
		want=$(plain "$strategy" "$wish") got=$(asked "$strategy" "${option[@]}")
		# Which box it is depends on the jobs that run, of which smesh alloc knows nothing.
		[[ $strategy == [fb]f ]] || want=${want% *} got=${got% *}
		if [ "$want" = "$got" ]; then same=$((same + 1)); else echo "# $wish: $got, plainly $want"; fi
	done
	is "$same" "${#wishes[@]}" "$strategy: when, for ${#wishes[@]} sizes and shapes"
done
done_testing
