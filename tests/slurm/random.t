#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 64 random requests (hunter/mix.awk) on an idle and on a half busy machine, against the stock plugin: what
# that starts at once, in the same state, starts at once under select/mesh. Those that may wait for a
# box, and what salloc does not know, are left out; and lists of partitions, of which the first one's limits
# keep salloc from starting at once or do not, as slurmctld's cycles come. SEED=N: others.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/against.sh"
need_plugins
. "$srcdir/tests/slurm/hunter/machine.sh"

mapfile -t requests < <(awk -v seed="${SEED:-1}" -v jobs=400 -f "$srcdir/tests/slurm/hunter/mix.awk" |
	awk '$6 == 0 && !/ : |--array|--reservation|--contiguous|-s( |$)| -p[a-z]+,/ { $1 = $2 = $3 = $4 = $5 = $6 = $7 = ""; print }' | head -n 64)
# Tasks of which the nodes with threads hold two, the others one.
requests+=('-N2 -n4 -c3' '-N3 -n5 -c3 --exclusive')

# answers STATE FILE
answers() {
	local request planned
	for request in "${requests[@]}"; do
		read -ra options <<<"$request"
		planned=$(planned "${options[@]}")
		echo "$1|$request|$planned|$(soon "$planned" "${options[@]}")"
	done >>"$2"
}

of() {
	mesh_cluster select="$1" nodes=36 select_params=CR_Core_Memory topology="${maps[0]}" conf="$conf" \
		nodelines="${nodelines%$'\n'*}" partition='PriorityTier=5 PreemptMode=OFF' \
		gres='NodeName=n[0-15] Name=gpu File=/dev/null,/dev/zero' || exit
	answers idle "$2"
	hold 'n[0,2,5,17,20,33]' --exclusive
	hold 'n[1,8,12,18,25,34]' -n3 --mem=400
	hold 'n[4,9,14]' --gres=gpu:1
	answers busy "$2"
	keep "$2"
	cluster_stop
}

against
while IFS='|' read -r state request planned now _ _ our_planned our_now; do
	is "$(waits "$planned" "$now" "$our_planned" "$our_now")" "" "$state: $request: $now, $our_now (as backfill sees it: $planned, $our_planned)"
done < <(paste -d'|' "$out/stock" "$out/ours")
is "$(wc -l <"$out/ours")" $((2 * ${#requests[@]})) "all requests have been asked"
done_testing
