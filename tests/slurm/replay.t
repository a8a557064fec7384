#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs through a real slurmctld land where smesh sim says, job by job.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons
run=$srcdir/tests/replay/run
need_standin
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# less A B NAME: numbers
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'; ok $? "$3: $1, $2"; }

# figure FILE KEY
figure() {
	sed -n "s/^ *\"$2\": \([-0-9.e+]*\),*$/\1/p" "$1"
}

"$run" --dims=4x4x4 --generate=lublin --first=150 --seed=3 --load=0.9 --agree --decisions --parallel=2 \
	-s mm,hilbert-bf,snug,snug-box --out="$out/agree" >"$out/table" 2>"$out/err"
ok $? "150 generated jobs on a 4x4x4 torus under four strategies"
sed 's/^/# /' "$out/table" "$out/err"
for strategy in mm hilbert-bf snug; do
	is "$(figure "$out/agree/$strategy.json" different_from_simulation)" 0 \
		"$strategy: every job starts when and where the simulation says"
done
# It looks at times, and slurmctld's are not the log's.
[ "$(figure "$out/agree/snug-box.json" placed_by_times)" -gt 0 ]
ok $? "snug-box: limits and running jobs matter"
for strategy in mm hilbert-bf snug snug-box; do
	is "$(figure "$out/agree/$strategy.json" different_from_strategy)" 0 \
		"$strategy: every job is where the strategy puts it with what slurmctld knew"
	is "$(figure "$out/agree/$strategy.json" jobs)" 150 "$strategy: all jobs ran"
	us=$(figure "$out/agree/$strategy.json" decision_us_median)
	[ "${us%.*}" -gt 0 ]
	ok $? "$strategy: its decisions are in slurmctld's log ($us us)"
done
waits=$(figure "$out/agree/mm.json" mean_wait)
[ "${waits%.*}" -gt 0 ]
ok $? "jobs had to wait ($waits s in the mean)"

"$run" --dims=8x8 --generate=lublin --first=60 --load=0.9 -s stock:cons_tres,stock:tree,stock:linear \
	--out="$out/stock" >"$out/table" 2>"$out/err"
ok $? "the stock plugins on an 8x8 torus"
sed 's/^/# /' "$out/table" "$out/err"
is "$(awk 'NR > 1 { print $1 }' "$out/table" | paste -sd' ')" "stock:cons_tres stock:tree stock:linear" \
	"a line each"

# A machine that is its cables: nine rings of four with wide cables, and thin ones between them.
awk 'BEGIN {
	for (i = 0; i < 36; i++) {
		print "h" i, "h" (i % 4 < 3 ? i + 1 : i - 3), 16
		print "h" i, "h" (i * 7 + 4) % 36, 2
	}
}' >"$out/cables"
echo "MeshName=rings Nodes=h[0-35] Cables=$out/cables" >"$out/rings.conf"
awk 'BEGIN {
	srand(5)
	for (i = 1; i <= 200; i++) {
		n = 1 + int(rand() * (rand() < 0.3 ? 16 : 4)); t += int(rand() * 60); run = 60 + int(rand() * 400)
		print i, t, -1, run, n, -1, -1, n, run + 60, -1, 1, 1, 1, 1, 1, 1, -1, -1
	}
}' >"$out/jobs.swf"
"$run" -t "$out/rings.conf" --trace="$out/jobs.swf" --agree -s snug,stock:cons_tres --out="$out/rings" \
	>"$out/table" 2>"$out/err"
ok $? "200 jobs on a machine that is its cables"
sed 's/^/# /' "$out/table" "$out/err"
# pods NAME: jobs, pods of each in the mean, and pods opened while another one had room
pods() { sort -n -k2,2 "$out/rings/$1.placements" >"$out/ran"; awk -f "$srcdir/tests/slurm/pods.awk" "$out/cables" "$out/ran"; }
read -r jobs snug_pods opened < <(pods snug)
is "$jobs $opened" "200 0" "snug: no pod is opened while another one has room"
read -r jobs stock_pods opened < <(pods stock-cons_tres)
less "$snug_pods" "$stock_pods" "fewer pods a job than without us ($opened opened there)"
less "$(figure "$out/rings/snug.json" mean_hops)" "$(figure "$out/rings/stock-cons_tres.json" mean_hops)" \
	"and fewer hops, by lanes"

# The running clock: 100 jobs as fast as they go, with backfill.
"$run" --dims=32x32 --generate=exponential --first=100 --no-shape --factor=1e6 --scheduler=backfill \
	-s hilbert-bf --out="$out/real" >"$out/table" 2>"$out/err"
ok $? "with the clock running, on 1,024 nodes"
sed 's/^/# /' "$out/table" "$out/err"
is "$(figure "$out/real/hilbert-bf.json" jobs)" 100 "all jobs ran"

fails 1 "is wanted" "no machine" "$run" --trace=/dev/null -s mm
fails 1 "unknown option" "a bad option" "$run" --dimensions=3
fails 1 "goes with --clock" "backfill with the clock of events" "$run" --dims=2x2 --generate=lublin --scheduler=backfill
done_testing
