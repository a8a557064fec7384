#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# snug and snug-box beside what Slurm 26.05's topology/torus3d does (strategy torus3d, which
# tests/slurm/torus3d.t holds against the real one), on a 4x4x4 torus with backfilling: generated jobs,
# three streams at three loads.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}" "${SMESH:=$builddir/smesh/smesh}"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/torus3d.sh [KEY=VALUE]...

  jobs=3000 loads='0.5 0.85 0.95' seeds='1 2 3'

Two tables. In the first all sizes are powers of two up to the whole machine (each rounded to the next
one, up or down), so that torus3d refuses none; `off the same list` is snug-box with the placements of
torus3d as Shapes=. In the second sizes are as the model has them, and users of torus3d ask for the next
larger power of two. Wait is the mean in seconds, hops the mean distance between two nodes of a job.
USAGE
}

declare -A opt=([jobs]=3000 [loads]='0.5 0.85 0.95' [seeds]='1 2 3')
read_words "$@"
[ "${#who[@]}" -eq 0 ] || { usage >&2; exit 1; }
dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
mesh='MeshName=m Dims=4x4x4 Wrap=all Nodes=n[0-63]'
echo "$mesh" >"$dir/any.conf"
echo "$mesh Shapes=1x1x1,2x1x1,2x2x1,2x2x2,4x2x2,4x4x2,4x4x4" >"$dir/list.conf"

# resize HOW: sizes to powers of two; the times stay
resize() {
	awk -v how="$1" '/^;/ || how == "as" { print; next }
		{ p = 1; while ((how == "up" ? p : p * sqrt(2)) < $5) p *= 2
		  $5 = $8 = p > 64 ? 64 : p; print }'
}

# row LOAD SEED WHO CONF STRATEGY LOG
row() {
	"$SMESH" sim -t "$dir/$4.conf" -s "$5" --scheduler easy --trace "$dir/$6" --threads 1 --csv |
		awk -F, -v offered="$1" -v seed="$2" -v who="$3" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ printf "| %s | %s | %s | %d | %.3f | %.0f | %.0f |\n", offered, seed, who, $at["refused"],
				$at["mean_hops"], $at["mean_wait"], $at["p95_wait"] }'
}

title() {
	echo
	echo '| load | stream | | refused | hops | wait s | 95% wait s |'
	echo '|--:|--:|---|--:|--:|--:|--:|'
}

# log LOAD SEED HOW: a stream; the load is that of the sizes it has
log() {
	"$SMESH" workload -t "$dir/any.conf" --generate lublin --jobs "${opt[jobs]}" --seed "$2" |
		resize "$3" >"$dir/raw"
	"$SMESH" workload -t "$dir/any.conf" --trace "$dir/raw" --load "$1"
}

title
for load in ${opt[loads]}; do
	for seed in ${opt[seeds]}; do
		log "$load" "$seed" near >"$dir/pow2"
		row "$load" "$seed" torus3d any torus3d pow2
		row "$load" "$seed" snug any snug pow2
		row "$load" "$seed" snug-box any snug-box pow2
		row "$load" "$seed" 'snug-box off the same list' list snug-box pow2
	done
done
title
for load in ${opt[loads]}; do
	for seed in ${opt[seeds]}; do
		log "$load" "$seed" as >"$dir/all"
		resize up <"$dir/all" >"$dir/up"
		row "$load" "$seed" 'torus3d, sizes rounded up' any torus3d up
		row "$load" "$seed" torus3d any torus3d all
		row "$load" "$seed" snug any snug all
		row "$load" "$seed" snug-box any snug-box all
	done
done
