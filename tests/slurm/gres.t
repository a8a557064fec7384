#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# GRES of jobs, nodes, sockets, tasks and CPUs, with and without shapes, --contiguous and segments, on an
# idle and on a half busy machine, against the stock plugin: what that starts at once, in the same
# state, starts at once under select/mesh, when it is submitted as when backfill asks; and compactly.
# FULL=1 in the environment: every request in both states; otherwise each wish in one of them in turns.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/against.sh"
need_plugins

# Each request alone, with and without nodes and tasks.
requests=(
	'-N4 --gres=gpu:1' '-N4 --gres=gpu:4' '-N4 -n8 --gres=gpu:2' '--gres=gpu:1'
	'--gpus=4' '--gpus=10' '-N4 --gpus=4' '-N4 --gpus=16' '-N4 -n8 --gpus=10'
	'-N4 --gpus-per-node=1' '-N4 --gpus-per-node=4' '-N2-6 --gpus-per-node=3'
	'-N4 --sockets-per-node=2 --gpus-per-socket=1' '-N4 --sockets-per-node=1 --gpus-per-socket=2'
	'-n4 --gpus-per-task=1' '-n10 --gpus-per-task=2' '-N4 -n4 --gpus-per-task=1' '-N4 -n4 --gpus-per-task=4'
	'-N4 -n8 --gpus-per-task=2' '-N4 -n16 --gpus-per-task=1' '-N4 -n10 --gpus-per-task=1'
	'-N4 --ntasks-per-node=2 --gpus-per-task=1' '-N4 --ntasks-per-node=2 --gpus-per-task=2'
	'-n4 -c2 --gpus-per-task=1' '-N4 -n4 --gpus-per-task=1 --cpus-per-gpu=2'
	'-N4 --gpus-per-node=2 --cpus-per-gpu=2' '--gpus=8 --cpus-per-gpu=2' '-N4 --gpus=8 --cpus-per-gpu=3'
	'-N4 --gpus-per-node=2 --mem-per-gpu=100' '--gpus=8 --mem-per-gpu=100'
	'-N4 -n4 --gpus-per-task=2 --mem-per-gpu=100' '-N4 -n8 --ntasks-per-gpu=1' '-N4 --gpus=8 --ntasks-per-gpu=1'
)
! sbatch --help 2>/dev/null | grep -q tres-per-task || requests+=('-N4 -n4 --tres-per-task=gres/gpu:1'
	'-n6 --tres-per-task=gres/gpu:2' '-N4 -n8 --tres-per-task=cpu:2,gres/gpu:1')
wishes=('' --mesh-shape=2x2 --contiguous --mesh-segment=2)

# answers STATE FILE: a line for each request: whether it starts at once, as WILL_RUN and as RUN_NOW, and where
answers() {
	local request wish planned turn=0
	[ "$1" = idle ] || turn=1
	for request in "${requests[@]}"; do
		for wish in "${wishes[@]}"; do
			[[ $request == *-N4* ]] || [ -z "$wish" ] || [ "$wish" = --contiguous ] || continue
			[ "${FULL:-0}" = 1 ] || ((turn++ % 2)) || continue
			read -ra options <<<"$request $wish"
			planned=$(planned "${options[@]}")
			echo "$1|$request|$wish|$planned|$(soon "$planned" "${options[@]}")"
		done
	done >>"$2"
}

# of SELECT FILE: all answers with that plugin
of() {
	mesh_cluster select="$1" nodes=16 select_params=CR_Core_Memory topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
		gres='NodeName=n[0-15] Name=gpu File=/dev/null,/dev/zero,/dev/full,/dev/random' conf=DefMemPerCPU=10 \
		nodelines='NodeName=n[0-15] CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4' || exit
	answers idle "$2"
	hold 'n[0,2,5]' --gres=gpu:4
	hold 'n[1,8]' -n5 --mem=700
	hold 'n[4,13,15]' --gres=gpu:2
	answers busy "$2"
	keep "$2"
	cluster_stop
}

# hops LIST: between its nodes, in the mean
hops() {
	"$SMESH" alloc -t "$out/topology.conf" -s mm -n "$(host_list hostnames "$1" | wc -l)" --free "$1" --json |
		sed 's/.*"mean_hops":\([0-9.]*\).*/\1/'
}

# compact WISH NODES STOCK: a box, or as near each other as those of the stock plugin
compact() {
	case $1 in
	--mesh-shape*) [ "$(sides "4 4" "$2")" = 2x2 ] ;;
	'') awk "BEGIN { exit !($(hops "$2") <= $(hops "$3")) }" ;;
	esac
}

against
while IFS='|' read -r state request wish planned now _ _ _ our_planned our_now; do
	faults=$(waits "$planned" "$now" "$our_planned" "$our_now")
	[ -z "$now" ] || [ -z "$our_now" ] || compact "$wish" "$our_now" "$now" || faults+=" is not compact;"
	is "$faults" "" "$state: $request $wish: $now, $our_now"
done < <(paste -d'|' "$out/stock" "$out/ours")
ok "$((tap_count < 100))" "all requests have been asked"
done_testing
