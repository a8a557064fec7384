#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Strategy torus3d is what Slurm's topology/torus3d (26.05) does: a real slurmctld with that plugin is
# asked for nodes, on machines of which some are reserved or busy, and every answer is compared.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/torus3d.sh"
slurm_is -ge 26.05 || {
	echo "1..0 # SKIP no topology/torus3d before Slurm 26.05"
	exit 0
}

# machine DIMS SHAPES: a cluster with that torus
machine() {
	local x y z nodes
	IFS=x read -r x y z <<<"$1"
	nodes=$((x * y * z))
	cluster_prepare nodes=$nodes partition=OverSubscribe=EXCLUSIVE debug='' params='bf_interval=1' || exit
	torus3d_yaml "$1" "$nodes" "$2" >"$cluster_dir/topology.yaml"
	cluster_boot || exit
	# Written when slurmctld runs, so that it is for smesh alone.
	echo "MeshName=m Dims=$1 Wrap=all Nodes=n[0-$((nodes - 1))] Shapes=$2" >"$cluster_dir/mesh.conf"
}

# asks [OPTION]...: what slurmctld says to sbatch --test-only. It does not tell why there is nothing.
asks() {
	local text
	text=$(sbatch --test-only --wrap=true "$@" 2>&1)
	case $text in
	*' on nodes '*) sed -n 's/.* on nodes \([^ ]*\) .*/\1/p' <<<"$text" ;;
	*) echo none ;;
	esac
}

# smesh_says NODES FREE [OPTION]...: and smesh; never, no-fit or the nodes
smesh_says() {
	local text
	text=$("$SMESH" alloc -t "$cluster_dir/mesh.conf" -s torus3d -n "$1" --free "$2" "${@:3}" 2>&1)
	case $text in
	'smesh: never'*) echo never ;;
	'smesh: no fit'*) echo no-fit ;;
	*) head -n 1 <<<"$text" ;;
	esac
}

# compare GOT WANTED WHAT: counts, and tells of the first few that differ
compare() {
	local got=$1 want=$2
	asked=$((asked + 1))
	case $got in
	none) [[ $want == n\[* || $want == n[0-9]* ]] || want=none ;;
	never | no-fit) ;;
	*) got=$(hosts_sorted "$got") placed=$((placed + 1)) ;;
	esac
	[ "$got" != "$want" ] || return
	differ=$((differ + 1))
	[ "$differ" -gt 5 ] || echo "# $3: torus3d says $got, smesh $want"
}

# Nodes drawn with a chance of PERCENT, as a host list
draw() { shuf -i 1-100 -r -n "$nodes" --random-source=<(seeded) | awk -v p="$1" '$1 <= p { printf "%sn%d", s, NR - 1; s = "," }'; }
seeded() { openssl enc -aes-128-ctr -nosalt -pass "pass:$RANDOM" </dev/zero 2>/dev/null; }

# without LIST: the other nodes
without() {
	host_list hostlistsorted "$(comm -23 <(printf 'n%d\n' $(seq 0 $((nodes - 1))) | sort) \
		<(host_list hostnames "$1" | sort) | paste -sd,)"
}

# on_reserved ROUNDS: every size, and segments, on free sets at random. (Nodes that were drained would
# not respond for a while, and so weigh more.)
on_reserved() {
	local round n busy free
	for ((round = 0; round < $1; round++)); do
		busy=$(draw $((RANDOM % 70)))
		[ -z "$busy" ] || scontrol create reservation reservationname=kept nodes="$busy" users="$(id -un)" \
			starttime=now duration=UNLIMITED >/dev/null
		free=$(without "$busy")
		for n in $sizes; do
			compare "$(asks -N "$n")" "$(smesh_says "$n" "$free")" "-N$n without $busy"
		done
		for n in $segments; do
			compare "$(asks -N "${n#*:}" --segment="${n%:*}")" \
				"$(smesh_says "${n#*:}" "$free" --segment "${n%:*}")" \
				"--segment=${n%:*} -N${n#*:} without $busy"
		done
		[ -z "$busy" ] || scontrol delete reservationname=kept
	done
}

# with_jobs COUNT: allocations one after the other, every third with a node that it must have; some end
with_jobs() {
	local i n id free want need list
	read -ra list <<<"$sizes"
	for ((i = 0; i < $1; i++)); do
		n=${list[RANDOM % ${#list[@]}]} need=()
		free=$(without "$(squeue -h -t R,CG -o %N | paste -sd,)")
		[ -n "$free" ] || { one_ends; continue; }
		[ $((i % 3)) -gt 0 ] || need=(-w "$(host_list hostnames "$free" | shuf -n 1 --random-source=<(seeded))")
		want=$(smesh_says "$n" "$free" ${need:+--require "${need[1]}"})
		if ! id=$(submit "$n" 1000 "${need[@]}" 2>"$cluster_dir/refused"); then
			compare none "$want" "job -N$n ${need[*]} of $free"
			like "$(cat "$cluster_dir/refused")" 'Requested topology configuration is not available' "-N$n is refused"
		elif wait_for 2 job_is "$id" RUNNING; then
			compare "$(job_nodes "$id")" "$want" "job -N$n ${need[*]} of $free"
		else
			compare no-fit "$want" "job -N$n ${need[*]} of $free"
			scancel "$id"
			one_ends
		fi
	done
}

one_ends() {
	local id
	id=$(squeue -h -t R -o %i | shuf -n 1 --random-source=<(seeded))
	[ -z "$id" ] || scancel "$id"
	wait_for 10 settled
}

settled() { [ -z "$(squeue -h -t CG,PD -o %i)" ]; }

# agrees DIMS SHAPES SIZES SEGMENTS ROUNDS JOBS
agrees() {
	local asked=0 placed=0 differ=0 nodes sizes=$3 segments=$4 need=() x y z
	IFS=x read -r x y z <<<"$1"
	nodes=$((x * y * z))
	machine "$1" "$2"
	on_reserved "$5"
	with_jobs "$6"
	cluster_stop
	is "$differ" 0 "$1, $2: $asked answers, $placed of them nodes, all alike"
	[ "$placed" -ge $((asked / 10)) ]
	ok $? "and not only refusals"
}

RANDOM=${SEED:-1}
# Powers of two as Slurm's documentation has them; sizes on and off the list.
agrees 4x4x4 1x1x1,2x1x1,2x2x1,2x2x2,4x2x2,4x4x2,4x4x4 "1 2 3 4 6 8 16 32 64" "2:8 4:8 5:10 8:16 3:6" 8 40
# Several of one size, on grids that overlap, begin elsewhere, or do not divide the ring.
agrees 6x4x2 2x2x1@1+1x0x0,1x2x2@2x1x1,4x1x1@4x1x1,1x1x1@2x1x1,2x2x2@4x2x2,3x2x2@2x2x2+1x0x0 "1 2 4 8 12" "" 6 20
# Every box there is, everywhere.
agrees 3x3x3 1x1x1@1,3x1x1@1,1x3x1@1,1x1x3@1,2x2x1@1,2x1x2@1,3x2x1@1,3x3x1@1,2x2x2@1,3x3x2@1,3x3x3@1 "1 3 4 5 6 8 9 18" "" 6 20
done_testing
