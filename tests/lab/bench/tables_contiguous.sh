#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tables of doc/lab/contiguous.md, by simulation: figures 7 to 14 of Bani-Mohammad et al. and
# table 3 of Srisawat and Alexandridis. Takes some minutes; REPEAT=N for fewer or more runs.
#
#	SMESH=smesh/smesh tests/lab/bench/tables_contiguous.sh [figures|table3]...
smesh=${SMESH:-smesh/smesh}
repeat=${REPEAT:-20}
conf=$(mktemp) || exit 1
trap 'rm -f "$conf"' EXIT
mean_run=100000

# DIMS: a mesh of these sides.
machine() {
	nodes=$(($(echo "$1" | sed 's/x/*/g')))
	echo "MeshName=m Dims=$1 Nodes=n[0-$((nodes - 1))]" >"$conf"
}

# STRATEGIES MODEL RATE JOBS [OPTION]...: lines "strategy turnaround utilization m us".
run() {
	strategies=$1 model=$2 rate=$3 jobs=$4
	shift 4
	"$smesh" sim --scheduler=fcfs -t "$conf" -s "$strategies" --generate "$model" --arrival-rate "$rate" \
		--jobs "$jobs" --mean-run $mean_run --hops-only --repeat "$repeat" --csv "$@" |
		awk -F, -v mean=$mean_run '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			# m by the law of Little: jobs a second times the seconds they run.
			{ print $1, $at["mean_turnaround"] / mean, $at["utilization"] * 100,
				$at["jobs"] * mean / $at["makespan"], $at["decision_us_median"] }'
}

figures() {
	for model in uniform exponential; do
		machine 8x8x8
		echo
		echo "8x8x8, $model sides, 1000 jobs, $repeat runs; turnaround in mean run times"
		echo
		echo "| rate | TFF turn | TBL turn | FF turn | BF turn | TFF util | TBL util | FF util | BF util | TBL/FF turn | m | TFF us | TBL us |"
		echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
		for rate in 0.6 1.4 2.2 3.0 3.8 4.2 4.6; do
			{ run ff,tbl $model $rate 1000
			  run ff,bf $model $rate 1000 --norotate; } |
				awk -v rate=$rate '
					{ turn[NR] = $2; util[NR] = $3; m[NR] = $4; us[NR] = $5 }
					END { printf "| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f |\n",
						rate, turn[1], turn[2], turn[3], turn[4],
						util[1], util[2], util[3], util[4],
						turn[2] / turn[3], m[2], us[1], us[2] }'
		done
		machine 16x16x16
		run tbl $model 4.6 1000 | awk '{ printf "\n16x16x16, rate 4.6: m = %.2f, TBL %.1f us\n", $4, $5 }'
	done
}

table3() {
	machine 128x128
	for model in uniform normal; do
		for rate in 2 4; do
			echo
			echo "128x128, $model sides, $rate jobs a mean run time, 5000 jobs, $repeat runs"
			echo
			echo "| strategy | utilisation | turnaround | us |"
			echo "|---|---|---|---|"
			run qtree,bf,tbl,ff $model $rate 5000 --redraw |
				awk '{ printf "| %s | %.2f | %.2f | %.1f |\n", $1, $3, $2, $5 }'
		done
	done
}

[ $# -gt 0 ] || set -- figures table3
for part; do
	case $part in
	figures | table3) $part ;;
	*) echo "usage: $0 [figures|table3]..." >&2; exit 1 ;;
	esac
done
