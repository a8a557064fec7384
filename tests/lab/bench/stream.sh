#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One stream of jobs on a torus under several ways to place them, with real slurmctld and slurmd:
# what is refused, how long jobs wait, how near their nodes are, what is left for a large box.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}" "${SMESH:=$builddir/smesh/smesh}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/stream.sh [KEY=VALUE]... WHO...

  dims=4x4x4 jobs=250 span=900 load=0.9 seed=1 model=lublin   the machine and its jobs, as for
         `smesh workload`; all times are divided so that the last is submitted after span seconds
  sizes=pow2   each rounded to the next power of two, up or down
  parallel=4   so many clusters side by side

WHO: select:STRATEGY     select/mesh; select:STRATEGY+list: with the placements of torus3d:pow2 as Shapes=
     topology:STRATEGY   topology/mesh with select/cons_tres
     both:STRATEGY       select/mesh and topology/mesh
     stock               select/cons_tres, no topology
     torus3d:pow2        topology/torus3d (26.05): a box for every power of two, default anchors
     torus3d:all         every box that there is, at every place; of boxes of one size the most
                         compact first
     torus3d:pow2+up     users ask for the next larger size on the list (likewise all+up)

Columns: jobs that ran; refused at submission, and what part of all node-seconds they are; mean and
95th percentile of the wait; makespan; utilisation by what jobs wanted, and free box: the largest
free box as a part of the free nodes, both means over the time of submissions; hops: mean distance
between two nodes of a job, over jobs of more than one; CPU time of slurmctld per job.
USAGE
}

declare -A opt=([dims]=4x4x4 [jobs]=250 [span]=900 [load]=0.9 [seed]=1 [model]=lublin [parallel]=4 [sizes]=)
read_words "$@"
[ "${#who[@]}" -gt 0 ] || { usage >&2; exit 1; }
IFS=x read -r X Y Z <<<"${opt[dims]}"
nodes=$((X * Y * Z))
mesh="MeshName=m Dims=${opt[dims]} Wrap=all Nodes=n[0-$((nodes - 1))]"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT

# ---- The jobs: lines OFFSET NODES RUN ----

make_jobs() {
	printf '%s\n' "$mesh" >"$scratch/topology.conf"
	"$SMESH" workload -t "$scratch/topology.conf" --generate="${opt[model]}" --jobs="${opt[jobs]}" \
		--load="${opt[load]}" --seed="${opt[seed]}" --no-shape |
		awk -v sizes="${opt[sizes]}" -v most="$nodes" '/^;/ || sizes != "pow2" { print; next }
			{ p = 1; while (p * sqrt(2) < $5) p *= 2; $5 = p > most ? most : p; print }' \
			>"$scratch/swf" || exit
	awk -v span="${opt[span]}" -v n=0 '/^;/ { next }
		{ at[n] = $2; run[n] = $4; size[n] = $5; n++ }
		END { f = (at[n - 1] - at[0]) / span
			for (i = 0; i < n; i++) {
				r = int(run[i] / f + 0.5)
				printf "%.2f %d %d\n", (at[i] - at[0]) / f, size[i], r < 1 ? 1 : r
			}
		}' "$scratch/swf" >"$scratch/jobs"
}

# ---- topology/torus3d ----

# shapes pow2|all: lines A B C, by size and then the most compact first
shapes() {
	awk -v how="$1" -v X="$X" -v Y="$Y" -v Z="$Z" 'BEGIN {
		for (a = 1; a <= X; a++) for (b = 1; b <= Y; b++) for (c = 1; c <= Z; c++)
			print a * b * c, a + b + c, a, b, c
	}' | sort -k1,1n -k2,2n -k3,3nr -k4,4nr |
		awk -v how="$1" 'how == "all" { print $3, $4, $5; next }
			{ s = $1; while (s % 2 == 0) s /= 2 }
			s == 1 && !seen[$1]++ { print $3, $4, $5 }'
}

torus3d_yaml() {
	cat <<YAML
- topology: torus
  cluster_default: true
  torus3d:
    toruses:
      - name: m
        dims: {x: $X, y: $Y, z: $Z}
        nodes: n[0-$((nodes - 1))]
        placements:
YAML
	while read -r a b c; do
		echo "          - dims: {x: $a, y: $b, z: $c}"
		[ "$1" != all ] || echo "            anchor_spacing: {x: 1, y: 1, z: 1}"
	done < <(shapes "$1")
}

# next_size pow2|all NODES: the smallest size on the list that holds so many
next_size() {
	shapes "$1" | awk -v n="$2" '{ s = $1 * $2 * $3 } s >= n { print s; exit }'
}

# ---- One stream ----

keys_of() {
	local strategy=${1#*:} map=$mesh
	if [[ $strategy == *+list ]]; then
		strategy=${strategy%+list}
		map="$mesh Shapes=$(shapes pow2 | tr ' ' x | paste -sd,)"
	fi
	keys=(nodes="$nodes" debug='' loglevel=error partition=OverSubscribe=EXCLUSIVE)
	case $1 in
	stock | torus3d:*) return ;;
	select:* | both:*) keys+=(select=select/mesh) ;;&
	topology:* | both:*) keys+=(topology_plugin=topology/mesh) ;;&
	select:* | topology:* | both:*) keys+=(plugins="$builddir/plugins" topology="$map"
		params="mesh_strategy=$strategy") ;;
	*) cluster_error "$1: see --help"; return 1 ;;
	esac
}

# ticks: CPU time of slurmctld so far
ticks() {
	awk '{ print $14 + $15 }' "/proc/${cluster_pid[slurmctld]}/stat"
}

# submit_all WHO: refused ones go to refused, as NODES RUN
submit_all() {
	local list=${1#torus3d:} begin=$EPOCHREALTIME at size run ask
	while read -r at size run; do
		ask=$size
		[[ $1 != *+up ]] || ask=$(next_size "${list%+up}" "$size")
		sleep "$(awk -v b="$begin" -v n="$EPOCHREALTIME" -v at="$at" \
			'BEGIN { t = b + at - n; print (t > 0 ? t : 0) }')"
		submit "$ask" "$run" --time=$(((run + 59) / 60)) --job-name="$size" >/dev/null 2>"$2.error" || {
			echo "$size $run" >>"$2.refused"
			cat "$2.error" >>"$2.errors"
		}
	done <"$scratch/jobs"
}

# Until all is done, or what is left does not start on an empty machine.
drain() {
	local still=0
	while ! no_jobs && [ "$still" -lt 30 ]; do
		still=$((still + 1))
		[ -z "$(squeue -h -t R,CG -o %i)" ] || still=0
		sleep 2
	done
	squeue -h -t PD -o '%j %D' >"$1.never"
}

# Lines WANTED SUBMIT START END NODE,NODE,... in seconds, from jobcomp's file
records() {
	sed -n 's/.* Name=\([0-9]*\) JobState=COMPLETED .* StartTime=\([^ ]*\) EndTime=\([^ ]*\) NodeList=\([^ ]*\) .* SubmitTime=\([^ ]*\) .*/\1 \5 \2 \3 \4/p' \
		"$cluster_dir/log/jobs" | while read -r size submitted started ended list; do
		echo "$size $(date -d "$submitted" +%s) $(date -d "$started" +%s) $(date -d "$ended" +%s)" \
			"$(host_list hostnames "$list" | tr -d n | paste -sd,)"
	done
}

stream() (
	local out=$scratch/${1//[:+]/-} keys before
	trap - EXIT
	keys_of "$1" && cluster_prepare "${keys[@]}" || exit
	[[ $1 != torus3d:* ]] || { list=${1#torus3d:}; torus3d_yaml "${list%+up}" >"$cluster_dir/topology.yaml"; }
	: >"$out.refused"
	cluster_boot || exit
	before=$(ticks)
	submit_all "$1" "$out"
	drain "$out"
	echo "$(($(ticks) - before)) $(getconf CLK_TCK)" >"$out.ticks"
	records >"$out.records"
	cp "$cluster_dir/log/slurmctld.log" "$out.log"
)

# ---- Figures ----

figures() {
	local out=$scratch/${1//[:+]/-}
	awk -v who="$1" -v X="$X" -v Y="$Y" -v Z="$Z" -v refused="$out.refused" -v never="$out.never" \
		-v ticks="$out.ticks" -f "$srcdir/tests/lab/bench/stream.awk" "$out.records"
}

make_jobs
running=0
for name in "${who[@]}"; do
	stream "$name" &
	running=$((running + 1))
	[ "$running" -lt "${opt[parallel]}" ] || { wait -n; running=$((running - 1)); }
done
wait
[ -z "$KEEP" ] || { mkdir -p "$KEEP" && cp "$scratch"/* "$KEEP"; }
echo '| who | jobs | refused | of the work | wait s | p95 wait | makespan s | utilisation | free box | hops | CPU ms/job |'
echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
for name in "${who[@]}"; do figures "$name"; done
