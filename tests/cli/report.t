#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What smesh sim reports: a headline, human units, nothing that was not measured, fair ties, and
# where it is from.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=8x8 Nodes=n[0-63]' >t.conf
sim() {
	"$SMESH" sim -t t.conf "$@"
}
jobs() {
	sim --generate lublin --jobs 100 "$@"
}

# field NAME ROW: of the CSV in standard input
field() {
	awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == row + 1 { print at ? $at : "no such field" }'
}

# --- mistakes that must not pass
fails 1 '--down=n\[0-63\]: no node is left' "all nodes down" jobs -s mm --down 'n[0-63]'
fails 1 'mm stands there twice' "a strategy twice" jobs -s mm,mm
fails 1 '-s mm,: a name is missing|strategy=mm,: a name is missing' "a comma at the end" jobs -s mm,
fails 1 'a name is missing' "a comma at the beginning" jobs -s ,mm
fails 1 '--against=mm: not among' "compared with one that is not there" jobs -s linear,snug --against mm
echo '1 0 -1 10 40 -1 -1 40 -1 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 10 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1
3 2 -1 10 64 -1 -1 64 -1 -1 1 1 -1 -1 -1 -1 -1 -1' >log
like "$(sim -s linear --trace log --down 'n[0-7]' 2>&1)" 'log:3: left out: larger than the machine \(1 in all\)' \
	"jobs larger than what is not down are counted"

# --- what was not measured
json=$(jobs -s linear --hops-only --json)
like "$json" '"mean_diameter": null' "JSON: null for what was left out"
like "$json" '"mean_stretch": null' "and for what needs --contention"
like "$json" '"largest_free_box": null' "and for what needs --free-box"
like "$(jobs -s linear --contention ring --json)" '"mean_stretch": [0-9]' "with it there is a number"
csv=$(jobs -s linear --hops-only --csv)
is "$(field mean_diameter 1 <<<"$csv")|$(field mean_stretch 1 <<<"$csv")" "|" "CSV: empty"
echo '1 0 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1' >one
like "$(sim -s linear --trace one --json)" '"mean_hops": null' "no job of several nodes: no mean hops"
! grep -q -e 'nan' -e 'inf[^o]' <<<"$(sim -s linear,mm --trace one)$(sim -s linear,mm --trace one --html - 2>&1)"
ok $? "nor is there one in table and page"

# Without a wait to compare with there is no number of times. Boxes: the two that are left free lie corner to corner.
for job in '1 0 10 16' '2 0 100 16' '3 0 100 16' '4 0 10 16' '5 20 10 32'; do
	read -r id submit run nodes <<<"$job"
	echo "$id $submit -1 $run $nodes -1 -1 $nodes -1 -1 1 1 -1 -1 -1 -1 -1 -1"
done >corners
like "$(sim -s linear,ff --trace corners)" '^ff: .* with linear, waits longer, ' "waits where there were none: longer"

# --- CSV stands alone
csv=$(jobs -s linear,mm --seed 7 --scheduler easy --csv)
is "$(field scheduler 1 <<<"$csv") $(field seed 2 <<<"$csv") $(field trace 1 <<<"$csv")" "easy 7 lublin" \
	"CSV: scheduler, seed and trace"
is "smesh $(field version 1 <<<"$csv")" "$("$SMESH" --version)" "and the version"
csv=$(jobs -s linear,mm --repeat 3 --csv)
like "$(field mean_hops_plusminus 1 <<<"$csv")" '^[0-9.]+$' "CSV: intervals of repeated runs"
page=$(jobs -s linear,mm --repeat 3 --runs 2-3 --html - 2>/dev/null)
like "$page" '&#177;' "the page has them too"
like "$page" 'Maps and charts are of run 2\. ' "and says which run it draws"
page=$(jobs -s linear,mm --repeat 2 --contention ring --down 'n[0-3]' --html - 2>/dev/null)
like "$page" '<dt>vs linear</dt><dd>the change of the column to the left against linear, if 50% of run times is communication</dd>' \
	"what a change is of"
like "$page" '<dt>&#177;</dt><dd>half of the 95% interval</dd>.*<dt>bold</dt>' "an interval, and bold figures"
like "$page" ' Red, with #: a node that is down\.' "and a node in red"
is "$(sim -s linear --trace log --html - 2>&1 | grep -c -e '<dt>vs' -e '<dt>&#177;' -e '<dt>bold' -e 'Red, with')" 0 "not where there are none"
mv log 'a,"b'
like "$(sim -s linear --trace 'a,"b' --csv)" ',"a,""b",' "a name with comma and quote is quoted"
mv 'a,"b' log
err=$(sim -s linear --trace log --repeat 2 2>&1 >out)
like "$err" 'the log is the same in every run; --shake' "--repeat without chance says so"
is "$(sim -s linear --trace log --repeat 2 --shake 60 2>&1 >out)" "" "with --shake there is nothing to say"
is "$(sim -s linear --trace log --repeat 2 --contention=mix 2>&1 >out)" "" "nor where jobs draw what they send"
like "$(sim -s linear --trace log --repeat 2 --contention=ring 2>&1 >out)" 'the log is the same' "all send the same: there is"

# --- times of decisions are processor time: a run that stands still does not count
sim -s snug --generate lublin --jobs 30000 --threads 1 --json >out &
pid=$!
for _ in 1 2 3 4; do
	kill -STOP $pid
	sleep 0.5
	kill -CONT $pid
	sleep 0.05
done 2>/dev/null
wait $pid
stopped=$(sed -n 's/.*"decision_us_mean": \([0-9.]*\).*/\1/p' out)
sim -s snug --generate lublin --jobs 30000 --threads 1 --json >out
awk -v a="$stopped" -v b="$(sed -n 's/.*"decision_us_mean": \([0-9.]*\).*/\1/p' out)" \
	'BEGIN { exit !(a > 0 && (a - b) * 30000 < 1000000) }'
ok $? "two seconds of standing still are no time of decisions"

# --- sacct's sizes
{
	echo 'JobID|Submit|ElapsedRaw|AllocNodes'
	echo '1|2024-01-01T00:00:00|100|1K'
	echo '2|2024-01-01T00:00:10|100|1.50K'
	echo '3|2024-01-01T00:00:20|100|1000'
} >sacct
echo 'MeshName=m Dims=64x64 Nodes=n[0-4095]' >big.conf
is "$("$SMESH" sim -t big.conf -s linear --trace sacct --placements - 2>/dev/null | sed 's/.* //')" \
	"n[0-1023]
n[1024-2559]
n[2560-3559]" "1K and 1.50K nodes of sacct"
sed -i 's/1K/1Q/' sacct
fails 1 "sacct:2: the size is not a number: '1Q'" "another unit" "$SMESH" sim -t big.conf -s linear --trace sacct

# --- headline, changes, human units
out=$(jobs -s linear,snug --load 0.9)
like "$out" '^snug: jobs are done as soon as with linear, waits the same, [0-9]+% fewer hops; placement does not change run times here \(it does with --contention=programs --calibrate=linear\)'$'\n' \
	"one sentence first"
like "$(jobs -s linear,snug --load 0.9 --contention=programs --calibrate=linear)" \
	'^snug: jobs are done [0-9]+% sooner than with linear, run times [0-9]+% shorter' "and the options that it names do it"
like "$(jobs -s linear,ff --cubes 4x4)" '; placement does not change run times here'$'\n' "but not where they do not go"
like "$out" 'hops vs linear' "a column of change"
like "$out" $'\nsnug .* -[0-9.]+% ' "with the change"
like "$out" 'the same for all: jobs 100' "what is the same for all is one line"
like "$out" ', wait [0-9.]+ (d|h|min|s)'$'\n' "human units"
like "$out" "smesh [0-9.]+(~dev)?, 20[0-9-]+ [0-9:]+ UTC: smesh sim -t t.conf --generate lublin" \
	"date, version and command line"
like "$(SOURCE_DATE_EPOCH=0 jobs -s linear)" ', 1970-01-01 00:00 UTC: ' "the date can be set"
like "$(jobs -s linear,snug --against snug)" 'hops vs snug' "compared with another"
like "$(jobs -s linear,snug --contention ring --comm-share 40)" \
	'^snug: jobs are done [0-9]+% sooner than with linear, run times [0-9]+% shorter, .*; if 40% of run times is communication' \
	"time, and what it hangs on"
like "$(jobs -s linear,mm,snug --contention ring)" \
	'strategy +turnaround vs linear +run time vs linear ' "the table begins with turnaround and run time"
out=$(jobs -s linear,mm,hilbert-bf,snug --contention mix --repeat 3)
like "$out" 'than with linear \(perhaps chance\), run times .*% fewer hops.*; if 50%' "what the runs do not show is marked"
is "$(sed '$d' <<<"$out" | sed 1d | grep -E -c '.{101}')" 0 "the table has at most 100 columns, with intervals too"
fails 1 '--comm-share goes with --contention' "a share of nothing" jobs -s linear --comm-share 20
like "$(jobs -s mm)" '^mm: jobs are done after [0-9.]+ .* of the machine busy, [0-9.]+ hops ' "one strategy is described"
like "$(jobs -s 'mm' --json --down 'n[0-3]')" "\"command\": \"smesh sim .*--down 'n\[0-3\]'\"" "JSON has them, quoted"

# Jobs of 7 and 11 nodes are no boxes that torus3d has here: it has fewer hops, of other jobs.
for i in {1..40}; do echo "$i $((10 * i)) -1 100 $((i % 2 ? 8 : 11)) -1 -1 $((i % 2 ? 8 : 11)) -1 -1 1 1 -1 -1 -1 -1 -1 -1"; done >some
echo 'MeshName=m Dims=4x4x4 Wrap=all Nodes=n[0-63]' >cube.conf
refusing() { "$SMESH" sim -t cube.conf --trace some "$@"; }
like "$(refusing -s linear,torus3d)" '^linear: .*; not compared: others refuse jobs that it runs.* refused ' \
	"what refuses jobs that others run is not compared"
like "$(refusing -s linear,torus3d,mm)" '^mm: jobs are done .* with linear' "nor named first"
like "$(refusing -s linear,torus3d,mm | sed -n '/^torus3d/p')" '^torus3d .* - [^%]*$' "nor has it changes in the table"
like "$(refusing -s linear,torus3d,mm --csv 2>&1 >out | grep refuses)" '^smesh: torus3d refuses job 2: .* \([0-9]+ in all\)$' \
	"standard error has the first such job, and why"
is "$(sed -n '/^torus3d/s/.*,linear,//p; /^mm/s/.*,linear,0,0,.*/some/p' out)" ",,,,,,,,,,,,,,,,,,,,,,,,,,
some" "nor in CSV"
refusing -s linear,torus3d,mm --json 2>/dev/null >out
is "$(sed -n '/"changes"/,$p' out | sed -n '/"torus3d": {/,/}/p' | grep -c '_percent": [^n]')" 0 "nor in JSON"
like "$(cat out)" '"notes": ".*Strategies that refuse more jobs than linear, or fewer, are not compared' "which says so"
refusing -s linear,torus3d --html best >out
is "$(grep -o '<th scope="row">torus3d.*' best | sed 's|</tr>.*||' | grep -c '<b>\|class="best')" 0 "what refuses jobs is not the best"
sed -n 2p some >one
like "$("$SMESH" sim -t cube.conf --trace one -s torus3d | head -n 1)" '^no job ran: all were refused$' "where none ran it says so"
like "$(refusing -s linear,torus3d --against torus3d)" '^linear: .*; not compared' "nor what others are compared with"

# --- changes are of pairs of runs: the interval is that of a bootstrap of the pairs
jobs -s linear,mm,snug --repeat 24 --contention mix --per-run runs.csv --csv >pairs.csv
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $1, $at }' "$2"; }
is "$(wc -l <runs.csv) $(cut -d, -f1 runs.csv | sort | uniq -c | xargs)" "73 24 linear 24 mm 24 snug 1 strategy" "--per-run has a line a run"
is "$(column seed runs.csv | grep snug | cut -d' ' -f2 | xargs)" "$(seq -s ' ' 24)" "with its seed"
for figure in mean_run mean_turnaround mean_hops; do
	column $figure runs.csv | awk -v told="$(column ${figure}_change_percent pairs.csv | grep mm)" \
		-v margin="$(column ${figure}_change_percent_plusminus pairs.csv | grep mm)" '
		$1 == "linear" { theirs[++n] = $2 } $1 == "mm" { ours[++m] = $2 }
		function change(draw,   a, b, i, at) {
			for (i = 1; i <= n; i++) {
				at = draw ? 1 + int(n * rand()) : i
				a += ours[at]
				b += theirs[at]
			}
			return 100 * (a / b - 1)
		}
		END {
			sub(/.* /, "", told)
			sub(/.* /, "", margin)
			srand(1)
			for (k = 0; k < 2000; k++) {
				x = change(1)
				sum += x
				squares += x * x
			}
			# Half the interval by the spread of what was drawn, with the t of 23 degrees of freedom.
			half = 2.069 * sqrt((squares - sum * sum / 2000) / 1999 * n / (n - 1))
			exit !(n == 24 && (told - change(0)) ^ 2 < 1e-12 && margin > 0.85 * half && margin < 1.15 * half)
		}'
	ok $? "the interval of $figure is that of a bootstrap"
done
# Twice the runs of the same jobs: what both have in common is not in the interval.
awk -v a="$(column mean_turnaround_plusminus pairs.csv | sed -n 's/^mm //p')" -v m="$(column mean_turnaround pairs.csv | sed -n 's/^mm //p')" \
	-v b="$(column mean_turnaround_change_percent_plusminus pairs.csv | sed -n 's/^mm //p')" 'BEGIN { exit !(b > 0 && b < 100 * a / m) }'
ok $? "it is narrower than that of one mean"
like "$(sed 1q <(jobs -s linear,mm --repeat 24 --contention mix))" 'run times [0-9.]+% shorter \(\+-[0-9.]+\)' "the headline has it"
like "$(jobs -s linear,mm --repeat 24)" $'\n +.*\+-[0-9.]+% ' "and the table"
jobs -s linear,mm --repeat 24 --json >pairs.json
is "$(grep -c -E '"mean_hops_change_percent(_plusminus)?": -?[0-9.]+' pairs.json)" 2 "and JSON"
like "$(jobs -s linear,mm --repeat 3 --html - 2>/dev/null | grep '<th scope="row">mm')" '-[0-9.]+%<small> &#177;[0-9.]+%' "and the page"
like "$(jobs -s linear,mm)" $'\nOne run: no interval\.\n' "one run has none, and says so"
like "$(sim -s linear,mm --trace log --repeat 2 --shake 300)" '\+- is the 95% interval of runs with submissions moved by up to 5.0 min: other months may differ' \
	"what an interval of a shaken log is of"
like "$(sim -s linear,mm --trace log --repeat 2 --contention mix --resume spread)" \
	'\+- is the 95% interval of runs of the same jobs at the same times, .*: other months may differ' "and of one that is not"
like "$("$SMESH" gather spread)" 'runs of the same jobs at the same times' "smesh gather says it, too"
[[ $(jobs -s linear,mm --repeat 2 --contention mix) != *'other months'* ]]
ok $? "not of generated jobs, which are others in each run"
out=$(sim -s linear,mm --trace log --repeat 3 2>/dev/null)
like "$out" 'The same jobs in every run: no interval' "nor have runs that are alike"
[[ $out != *+-* ]]
ok $? "not even one of 0"
limits() { sim -s linear,bf --trace "$srcdir/etc/workloads/lublin.swf" --too-large cap --jobs 40 --overestimate 3 "$@"; }
out=$(limits --repeat 3 2>/dev/null)
like "$out" 'The same jobs in every run: no interval' "nor jobs that have limits, which --overestimate leaves as they are"
[[ $out != *+-* ]]
ok $? "not even there"

# Parts of the runs are the whole.
whole() { jobs -s linear,snug --repeat 5 --availability 0.95 --contention mix --calibrate linear --load 0.7 "$@" --csv 2>/dev/null; }
no_times() { awk -F, 'NR == 1 { split($0, name, ",") } { for (i = 1; i <= NF; i++) if (name[i] !~ /^decision/) printf "%s,", $i; print "" }' "$@"; }
whole --per-run whole.csv >/dev/null
for part in 1-2 3 4-5; do
	whole --runs $part --per-run part.csv >/dev/null
	no_times part.csv
done | sort -u >parts
is "$(cat parts)" "$(no_times whole.csv | sort -u)" "runs by parts are those of the whole, digit by digit"
for runs in 0-2 2-1 3-6 x 1- 1-2x; do
	fails 1 "--runs=$runs: expected A-B or A, among the runs 1-5" "no runs: $runs" jobs -s linear --repeat 5 --runs=$runs
done
is "$(jobs -s linear,mm --repeat 3 --per-job - 2>/dev/null | awk -F, '/^(linear|mm),/ { n[$1 " " $NF]++ } END { for (k in n) print k, n[k] }' | sort | xargs)" \
	"linear 1 100 linear 2 100 linear 3 100 mm 1 100 mm 2 100 mm 3 100" "--per-job has all runs"

# --- what a reader must know
like "$(jobs -s linear --load 1.6)" 'offered load 1.600.*The offered load is above 1: the queue grows to the end of the log' "more work than the machine can do"
[[ $(jobs -s linear --load 0.9) != *"above 1"* ]]
ok $? "not where it can"
{
	echo 'JobID|Submit|Start|ElapsedRaw|NNodes'
	for i in 1 2 3; do echo "$i|2024-01-01T00:00:0$i|2024-01-01T00:01:00|100|30"; done
} >shared
like "$(sim -s linear --trace shared)" 'jobs held up to 90 nodes at once, of 64: jobs shared nodes, or ran on others\. Each' "nodes that jobs shared"
{
	printf '; MaxNodes: 128\n; MaxProcs: 128\n'
	for i in 1 2 3; do echo "$i 0 0 100 30 -1 -1 30 -1 -1 1 1 -1 -1 -1 -1 -1 -1"; done
} >counts.swf
like "$(sim -s linear --trace counts.swf --resume counts.runs)" \
	'ran on others, or the log counts processors \(--procs-per-node\)\. Each' "or processors"
like "$("$SMESH" gather counts.runs)" 'load -.*or the log counts processors' "gather says so, too"
said=$("$SMESH" sim -t t.conf -s linear --trace counts.swf 2>&1 >out)
is "$said" "smesh: counts.swf: MaxProcs is 128, the machine has 64 nodes, and each processor is taken for a node: --procs-per-node=2?" \
	"processors by what there is"
[[ $(sim -s linear --trace counts.swf --procs-per-node 2) != *processors* ]]
ok $? "not where it is said"
like "$("$SMESH" sim -t t.conf -s linear --trace shared --procs-per-node 2 2>&1)" 'shared: sizes are nodes: --procs-per-node has no effect' \
	"nodes are no processors"
said=$("$SMESH" sim -t t.conf -s linear --trace - 2>&1 >out <<'END'
JobID|Submit|Start|End|ElapsedRaw|AllocNodes|NNodes
1|2024-01-01T00:10:00|2024-01-01T00:00:00|2024-01-01T00:20:00|1200|4|8
2|2024-01-01T00:10:00|2024-01-01T00:10:00|2024-01-01T02:10:00|3600|4|8
3|2024-01-01T00:10:00|2024-01-01T00:10:00|2024-01-01T00:20:00|9600|4|8
4|2024-01-01T00:10:00|2024-01-01T00:10:00|2024-01-01T00:20:00|4200|4|8
END
)
is "$said" "smesh: standard input:2: starts before its submission: the start does not count (1 in all)
smesh: standard input:4: runs longer than from Start or Submit to End: the run time counts (1 in all)" "times that contradict each other"
for columns in 'AllocNodes|NNodes|NCPUS' 'NNodes|AllocNodes|NCPUS' 'NCPUS|AllocCPUS|ReqCPUS' 'ReqCPUS|AllocCPUS|NCPUS'; do
	printf 'JobID|Submit|End|ElapsedRaw|%s\n1|2024-01-01T00:10:00|2024-01-01T00:20:00|600|' "$columns"
	case $columns in
	A*) echo '4|8|16' ;;
	*) echo '8|4|16' ;;
	esac
done | awk 'NR % 2 { print > ("sizes" (NR + 1) / 2) } NR % 2 == 0 { print > ("sizes" NR / 2) }'
is "$(for i in 1 2 3 4; do "$SMESH" workload -t t.conf --trace sizes$i 2>/dev/null | awk '!/^;/ { print $5 }'; done | xargs)" "4 4 4 4" \
	"AllocNodes before NNodes, AllocCPUS before NCPUS and ReqCPUS, in any order"
fails 1 'sacct: two columns NNodes: expected one' "a column twice" "$SMESH" workload -t t.conf \
	--trace <(printf 'JobID|Submit|ElapsedRaw|NNodes|NNodes\n1|2024-01-01T00:10:00|600|4|8\n')
fails 1 "the run time is not a time: '\?'" "no run time" "$SMESH" workload -t t.conf \
	--trace <(printf 'JobID|Submit|Elapsed|NNodes\n1|2024-01-01T00:10:00|?|4\n')
said=$(jobs -s linear,mm --contention=mix --comm-share=1 --calibrate=linear)
like "$said" 'run time vs linear' "figures that differ, though they read alike, are not the same"
[[ $said != *"for all"*"run time"* ]]
ok $? "for all"
sed -i '/^3/s/:01:00/:02:40/' shared
[[ $(sim -s linear --trace shared) != *"shared nodes"* ]]
ok $? "none where one began when others had ended"
threads() { # COMMAND...: how many a simulation in it has
	"$@" "$SMESH" sim -t t.conf -s linear --generate lublin --jobs 2000000 --repeat 4 >/dev/null 2>&1 &
	for ((i = 0; i < 100; i++)); do
		sleep 0.02
		[ "$(readlink /proc/$!/exe)" != "$(readlink -f "$SMESH")" ] || break
	done
	sleep 0.5
	set -- /proc/$!/task/*
	kill $!
	wait $! 2>/dev/null
	echo $#
}
is "$(threads taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')")" 1 "one core that may be used, one thread"

# --- fair ties: where all are equal none is best, where two are best both are
best() {
	jobs -s "$1" --html - 2>/dev/null | sed -n 's/^<tr><th scope="row">\([a-z+-]*\)<\/th>/\1 /p' |
		grep 'class="best">[0-9.]*<' | cut -d' ' -f1 | tr '\n' ' '
}
is "$(best linear,row-sorted)" "" "equal strategies: none is best"
is "$(best linear,mm)" "mm " "one is better: it is"
is "$(best linear,mm,mm+inc)" "mm+inc mm " "two are equally good: both are"

done_testing
