#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh sim and smesh workload: input, output, invariants seen from outside.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conf=$dir/topology.conf
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$conf"
sim() {
	"$SMESH" sim -t "$conf" -s linear --scheduler=fcfs "$@"
}

# Lines of --per-job of one strategy: id submit start end nodes pattern hops stretch fate, -1 for what is empty.
ran() {
	awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) printf "%s ", $i == "" ? -1 : $i; print "" }' "$@"
}

# job submit wait run procs cpu mem reqprocs reqtime reqmem status user ...
swf() {
	echo "$1 $2 -1 $3 $4 -1 -1 -1 ${5:--1} -1 1 1 -1 -1 -1 -1 -1 -1"
}
{ echo '; a comment'; swf 1 0 100 10; swf 2 10 50 10; swf 3 20 10 2 10; } >"$dir/log"

placed() {
	sim --trace "$dir/log" --placements "$dir/placed" "$@" >/dev/null
	cat "$dir/placed"
}
is "$(placed)" "1 0.000000 100.000000 n[0-9]
2 100.000000 150.000000 n[0-9]
3 100.000000 110.000000 n[10-11]" "first come first served: nobody overtakes"
is "$(placed --scheduler easy)" "1 0.000000 100.000000 n[0-9]
3 20.000000 30.000000 n[10-11]
2 100.000000 150.000000 n[0-9]" "easy: a short job goes first"
like "$("$SMESH" sim -t "$conf" --trace "$dir/log")" ', easy, ' "which is the default"

# 1: all of the machine until 100. Then 2 (12 nodes, 50 s), 3 (4, 100 s), 4 (12, 10 s).
{ swf 1 0 100 16; swf 2 10 50 12; swf 3 20 100 4; swf 4 30 10 12; } >"$dir/four"
starts() {
	sim --trace "$dir/four" --placements "$dir/placed" "$@" >/dev/null
	sort -n "$dir/placed" | awk '{ printf "%d ", $2 }'
}
is "$(starts --scheduler easy)" "0 100 100 150 " "easy: by submission"

out=$(sim --trace "$dir/log" --json)
is $? 0 "JSON"
like "$out" '"jobs": 3' "with the jobs"
like "$out" '"makespan": 150' "and the makespan"
like "$(sim --trace "$dir/log" --csv | head -1)" '^strategy,jobs,' "CSV has a header"

gzip -c "$dir/log" >"$dir/log.gz"
is "$(sim --trace "$dir/log.gz" --json | grep -v -e name -e decision -e '"command"')" \
	"$(echo "$out" | grep -v -e name -e decision -e '"command"')" "a compressed log is the same"
is "$(sim --trace - --json <"$dir/log" | grep -v -e name -e decision -e '"command"')" \
	"$(echo "$out" | grep -v -e name -e decision -e '"command"')" "standard input is the same"

cat >"$dir/sacct" <<'END'
JobID|User|Submit|Start|End|ElapsedRaw|NNodes|Timelimit
7|ann|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:01:40|100|10|1-00:00:00
7.batch||2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:01:40|100|1|
8_1|bob|2024-01-01T00:00:10|2024-01-01T00:01:40|2024-01-01T00:02:30|50|10|UNLIMITED
9|bob|2024-01-01T00:00:20|2024-01-01T00:01:40|2024-01-01T00:01:50|10|2|00:10
10|bob|2024-01-01T00:00:30|Unknown|Unknown|0|2|00:10
END
is "$(sim --trace "$dir/sacct" --placements "$dir/placed" 2>/dev/null >/dev/null; cat "$dir/placed")" \
	"7 0.000000 100.000000 n[0-9]
8_1 100.000000 150.000000 n[0-9]
9 100.000000 110.000000 n[10-11]" "sacct --parsable2 is read"
{ echo 'JobID|User|Submit|Elapsed|NNodes' && seq 100000 | sed 's/.*/&|u&|2026-01-05T08:00:00|00:01:00|1/'; } >"$dir/users"
(ulimit -t 8 && exec "$SMESH" workload -t "$conf" --trace "$dir/users" 2>/dev/null | tail -n 1 | cut -d' ' -f1) >"$dir/last"
is "$(cat "$dir/last")" 100000 "as many users as jobs: no search through all for each"

# RFold's traces: shapes are boxes, on a tree only sizes; written with the line ends of Python's csv.
printf '#job id,arrival time (sec),topology,shape,size,duration (sec)\r\n%s\r\n%s\r\n%s\r\n' \
	0,0,T3D_NT,2x2x1,4,100.0 1,5.5,T3D_NT,8x1x1,8,50 2,10,T2D,2x3,6,1 >"$dir/rfold"
shaped() {
	sim --trace "$dir/rfold" -s ff,linear --per-job - ${2:+"$2"} 2>/dev/null | grep "${1:-ff}\|^s" |
		ran | awk '{ printf "%s %s ", $3, $9 }'
}
is "$(shaped)" "0.000000 done -1 refused 10.000000 done " "RFold's traces are read, shapes and all"
is "$(shaped ff --fold)" "0.000000 done 5.500000 done 55.500000 done " "and folded"
is "$(shaped linear --no-shape)" "0.000000 done 5.500000 done 55.500000 done " "or without their shapes"
sed -i s/8x1x1,8/8x2x1,16/ "$dir/rfold"
is "$(shaped)" "0.000000 done -1 refused 10.000000 done " "one that never fits does not wait for nodes first"
printf '0,0,CLOS,1+0.5,1.5,100\n1,5,CLOS,0.46,0.46,7\n' >"$dir/clos"
is "$(sim --trace "$dir/clos" --placements - 2>/dev/null | sed '/^$/,$d')" "0 0.000000 100.000000 n[0-1]
1 5.000000 12.000000 n2" "on a tree the sizes count"

# The same seed, the same result to the last digit; another seed, another.
generated() {
	sim --generate lublin --jobs 200 --load 0.9 --shake 10 --json "$@" | grep -v -e decision -e '"command"' -e '"date"'
}
is "$(generated --seed 7)" "$(generated --seed 7)" "the same seed, the same result"
[ "$(generated --seed 7)" != "$(generated --seed 8)" ]
ok $? "another seed, another result"
for model in lublin uniform exponential normal; do
	"$SMESH" workload -t "$conf" --generate $model --jobs 50 >"$dir/$model.swf"
	is "$(sim --trace "$dir/$model.swf" --json | grep -m1 '"jobs"')" '  "jobs": 50,' \
		"$model: written and read again"
done
fails 1 'job 2 of 20 would be submitted after 1e.10 s' "submissions that no clock has" \
	"$SMESH" workload -t "$conf" --generate uniform --jobs 20 --mean-run 1e9 --arrival-rate 1e-6
like "$(sim --trace "$dir/log" --load 0.5 --json)" '"offered_load": 0.[45]' "the load is set"

# Bad input: the line, no output, no crash.
bad() {
	local name=$1 pattern=$2
	shift 2
	fails 1 "$pattern" "$name" sim --trace "$dir/bad" "$@"
}
seq 1000 | while read -r i; do swf "$i" "$i" 100 10; done | gzip | head -c 2000 >"$dir/bad"
bad "truncated gz" "bad:[0-9]+: the compressed data ends too early"
printf '\xfd7zXZ\0\0\4' >"$dir/bad"
bad "xz" "bad: compressed by xz: xz -dc FILE \| smesh [.]{3} --trace=-$"
printf 'BZh91AY&SY\0' >"$dir/bad"
bad "bzip2" "bad: compressed by bzip2: bzip2 -dc"
printf '(\xb5/\xfd\4\0' >"$dir/bad"
bad "zstd" "bad: compressed by zstd: zstd -dc"
echo "1 0 -1 100" >"$dir/bad"
bad "missing fields" "bad:1: 4 fields of 18: the allocated processors is missing"
{ swf 1 0 100 10; swf 2 5 100 -7; } >"$dir/bad"
bad "negative size" "bad:2: field 5, the allocated processors, is -7"
echo "1 0 -1 x 1 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1" >"$dir/bad"
bad "not a number" "bad:1: field 4, the run time, is not a number"
while read -r line pattern; do
	echo "$line" >"$dir/bad"
	bad "RFold's line $line" "bad:1: $pattern"
done <<'END'
0,0,T2D,2x2,4 5 fields of 6: the duration is missing
0,0,T2D,2x2,4,1,2 more than 6 fields
0,-1,T2D,2x2,4,1 the arrival time is not from 0 to
0,0,T2D,2x2,4,nan the duration is not from 0 to
0,0,T2D,2x2,4x,1 the size is not a number: '4x'
0,0,T9D,2x2,4,1 no topology of RFold's: 'T9D'
0,0,T2D,2x2:torus,4,1 the shape is not AxB
0,0,T2D,2x99999,4,1 the shape is not AxB
0,0,T2D,2x2,5,1 the size is 5, the shape 2x2 has 4
END
: >"$dir/bad"
bad "empty" "bad: no jobs"
swf 1 0 100 17 >"$dir/bad"
bad "only too large jobs" "no job that can be run is left"
head -c 3000 /dev/urandom >"$dir/bad"
bad "garbage" "bad:([0-9]+:)? "
swf 1 0 100 4 >"$dir/bad"
swf 2 1 100 4 | tr '\n' '\r' >>"$dir/bad"
swf 3 2 100 4 | tr '\n' '\r' >>"$dir/bad"
bad "an old Mac's line ends" "bad:2: lines end with carriage returns alone"
printf '%s\0%s\n' "$(swf 1 0 100 4)" "$(swf 2 0 100 4)" >"$dir/bad"
bad "a NUL byte" "bad:1: a NUL byte"
fails 1 "No such file" "no such log" sim --trace "$dir/none"
fails 1 "one of --trace" "no workload" sim
fails 1 "unknown strategy 'best'" "unknown strategy" "$SMESH" sim -t "$conf" -s mm,best --generate lublin
fails 1 "fcfs\|easy" "unknown scheduler" sim --scheduler lifo --generate lublin
fails 1 "exponential" "unknown model" sim --generate poisson

{ swf 1 50 10 1; swf 2 0 10 20; swf 3 60 0 1; swf 4 70 5 -1; swf 5 80 5 3; } >"$dir/odd"
err=$(sim --trace "$dir/odd" --json 2>&1 >"$dir/out")
is $? 0 "odd but usable"
like "$err" "odd:2: submitted before the job above it: sorted \(1 in all\)" "out of order is reported"
like "$err" "odd:2: left out: larger than the machine \(1 in all\)" "too large is reported"
like "$err" "odd:3: left out: no run time above 0" "no run time is reported"
like "$err" "odd:4: left out: no size above 0" "no size is reported"
like "$(cat "$dir/out")" '"jobs": 2' "the others are simulated"
like "$(sim --trace "$dir/odd" --too-large cap --json 2>/dev/null)" '"jobs": 3' "a large one can be capped"
echo nonsense >>"$dir/odd"
like "$(sim --trace "$dir/odd" --skip-bad 2>&1)" "odd:6: left out: malformed line \(1 in all\)" \
	"malformed lines can be counted instead"

like "$("$SMESH" sim -t "$conf" -s linear,mm --generate uniform --jobs 100 --matrix --json)" \
	'"matrix": \{.*"linear": \{.*"mm": ' "the matrix"
like "$(sim --generate lublin --jobs 50 --repeat 3)" '3 runs.*\+-' "repeated runs have a confidence interval"
for i in 1 2 3; do swf "$i" 5 10 4; done >"$dir/three"
is "$(sim --trace "$dir/three" --kill-at-limit --matrix --csv --load 0.5 2>&1 >/dev/null)" \
	"smesh: --load has no effect on jobs that come at once
smesh: --kill-at-limit has no effect: no job has a limit (a user estimate; --overestimate gives one)
smesh: --matrix has no effect on --csv: the table and --json have the matrix" "options without an effect"
for i in {1..40}; do swf -1 "$i" 100 4; done >"$dir/nameless"
is "$(sim --trace "$dir/nameless" --contention mix --per-job - 2>/dev/null | cut -d, -f7 | sort -u | tr '\n' ' ')" \
	"all-to-all grid pattern random ring " "jobs without a number do not all draw the same pattern"
like "$(sim --generate lublin --jobs 50 --down 'n[0-7]')" '\(4x4, 8 nodes\)' "nodes can be down"

# Leung et al., table 1: free list without a curve is slowest, best fit along Hilbert fastest.
is "$("$SMESH" sim -t "$srcdir/etc/workloads/cplant.conf" --trace "$srcdir/etc/workloads/cplant.swf" --csv --scheduler=fcfs \
	-s hilbert-bf,linear,hilbert-sorted,row-bf --contention all-to-all --comm-share 100 |
	tail -n +2 | sort -t, -k8,8nr | cut -d, -f1 | tr '\n' ' ')" \
	"linear row-bf hilbert-sorted hilbert-bf " "contention orders the makespans as on Cplant"
fails 1 "contention=gossip: no such kind \(none, all-to-all, ring.*, halo-last, .*, mix, programs\)$" "unknown kind" \
	sim --generate lublin --contention gossip
fails 1 "contention=halo: no such kind, did you mean 'halo-.*'\? \(none, all-to-all" "half of a kind" sim --generate lublin --contention halo
fails 1 "gossip" "unknown pattern that strategies are told" sim --generate lublin --pattern gossip
told() {
	sim --generate lublin --jobs 200 -s snug --placements "$dir/told" "$@" >/dev/null && cksum <"$dir/told"
}
[ "$(told)" = "$(told --pattern mix)" ] && [ "$(told)" != "$(told --pattern none)" ]
ok $? "strategies are told what jobs send"
[ "$(told --pattern grid:2x4)" != "$(told --pattern grid)" ]
ok $? "and the sides of a grid"
fails 1 "a grid has 1 to 6 sides" "no grid" sim --generate lublin --pattern grid:4y4
fails 1 "belong to --mesh-ranks" "a grid of ranks" sim --generate lublin --pattern 'grid:4x4*2'
fails 1 "goes with --contention" "nothing to calibrate" sim --generate lublin --calibrate linear
echo 'MeshName=t Dims=8x8x4 Wrap=all Nodes=n[0-255]' >"$dir/t256"
like "$("$SMESH" sim -t "$dir/t256" -s linear --generate lublin --load 0.8 --jobs 80 --seed 2 --contention mix \
	--calibrate linear 2>&1 >/dev/null)" "^smesh: the model's mean run times under linear are up to [0-9.]+% from the log's: smaller changes of run times mean nothing\$" \
	"a calibration that stops early says what that means"

mean_stretch() { # OPTION...: of linear, by the lines of its jobs
	"$SMESH" sim -t "$conf" -s linear --generate lublin --jobs 400 --load 0.7 --per-job - "$@" 2>/dev/null |
		ran | awk '$5 > 1 { sum += $8; n++ } END { printf "%.2f\n", sum / n }'
}
is "$(mean_stretch)" 1.00 "without contention jobs take their time"
[ "$(mean_stretch --contention mix | tr -d .)" -gt 102 ]
ok $? "with contention they take longer"
spread() {
	"$SMESH" sim -t "$conf" -s linear --generate lublin --jobs 400 --load 0.7 --contention mix "$@" 2>/dev/null
}
is "$(spread --csv | awk -F, 'NR == 1 { while ($(++i) != "stretch_deviation"); next } { printf "%.4f", $i }')" \
	"$(spread --per-job - | ran | awk '$5 > 1 { sum += $8; squares += $8 * $8; n++ }
		END { printf "%.4f", sqrt(squares / n - sum * sum / n / n) }')" "how much run times vary is of their lines too"
is "$(mean_stretch --contention mix --calibrate linear)" 1.00 "the strategy that calibrates has stretch 1"
printf '%s\n' "1 ring 100" "2 none" >"$dir/patterns"
is "$("$SMESH" sim -t "$conf" -s linear --generate lublin --jobs 20 --contention grid --comm-file "$dir/patterns" \
	--per-job - 2>/dev/null | ran | awk '$1 == 1 || $1 == 2 || $1 == 3 { printf "%s ", $6 }')" "ring none grid " \
	"a file names the patterns of single jobs"
printf '%s\n' "1 Slabs" "2 none 50" >"$dir/patterns"
is "$("$SMESH" sim -t "$conf" -s linear --generate lublin --jobs 20 --contention pipeline --comm-file "$dir/patterns" \
	--per-job - 2>/dev/null | ran | awk '$1 < 4 { printf "%s ", $6 }')" "slabs none pipeline " "or their programs"
programs() {
	"$SMESH" sim -t "$conf" -s linear --generate lublin --jobs 400 --contention programs --per-job - "$@" 2>/dev/null | ran
}
is "$(programs | awk '$5 > 1 { print $6 }' | sort -u | grep -c .)" 13 "each job has one of the programs"
is "$(programs | awk '($6 ~ /gradients|data-tree/ && log($5 * 4 / 3) / log(2) % 1 > log(4 / 3) / log(2) + 1e-9) ||
	($6 == "multipartition" && $5 ~ /^([236-8]|1[2-5])$/)')" "" "that can use three quarters of its nodes"
[ "$(programs | cut -d' ' -f6)" = "$(programs --load 0.5 | cut -d' ' -f6)" ] &&
	[ "$(programs | cut -d' ' -f6)" != "$(programs --seed 2 | cut -d' ' -f6)" ]
ok $? "by its number and the seed"
like "$(mean_stretch --contention programs --calibrate linear)" '^(0.99|1.0[01])$' "programs are calibrated, too"
like "$("$SMESH" sim -t "$conf" -s linear --trace "$srcdir/etc/workloads/cplant.swf" --too-large cap --jobs 20 --repeat 2 \
	--contention slabs 2>&1)" 'the log is the same' "one program for all draws nothing"
swf 1 0 100 4 >"$dir/one"
told() { # PATTERN: where snug puts a job of 4 that is said to send this
	echo "1 $1" >"$dir/patterns"
	"$SMESH" sim -t "$conf" -s snug --trace "$dir/one" --pattern own --comm-file "$dir/patterns" \
		--placements - 2>/dev/null | tail -n 1
}
[ "$(told none)" != "$(told all-to-all)" ]
ok $? "strategies are told each job's own pattern"
printf '%s\n' "7 ring" "1 ring" >"$dir/patterns"
like "$("$SMESH" sim -t "$conf" -s snug --trace "$dir/one" --pattern own --comm-file "$dir/patterns" 2>&1 >/dev/null)" \
	'^smesh: [^ ]*/patterns:1: passed over: the workload has no job of that number \(1 in all\)$' \
	"a line about a job that the log has not is told"
printf '%s\n' "1 ring 100" "2 none" "1 grid" >"$dir/patterns"
comm() { "$SMESH" sim -t "$conf" -s linear --trace "$dir/two-jobs" --contention mix --comm-file "$dir/patterns" "$@"; }
{ swf 1 0 100 4; swf 2 0 100 4; } >"$dir/two-jobs"
like "$(comm 2>&1 >/dev/null)" '^smesh: [^ ]*/patterns:3: a line above is about the same job: of several the last one counts \(1 in all\)$' \
	"a job that has two lines is told"
comm --per-job - 2>/dev/null | ran >"$dir/twice"
printf '%s\n' "1 grid" "2 none" >"$dir/patterns"
is "$(cat "$dir/twice")" "$(comm --per-job - 2>/dev/null | ran)" "and nothing is left of the first"
[ -s "$dir/twice" ]
ok $? "of jobs that ran"
printf '%s\n' "1 grid:2x2" "2 grid:3x2" >"$dir/patterns"
is "$(comm 2>&1 >/dev/null)" "smesh: $dir/patterns: the 4 nodes of job 2 cannot share its grid's ranks evenly: a grid of its nodes, as cubic as possible, takes its place (1 in all)" \
	"a grid that does not fit its job is told"
fails 1 "goes with --comm-file or --contention" "but what" sim --generate lublin --pattern own
echo "1 gossip" >"$dir/patterns"
fails 1 "patterns:1: expected all-to-all, ring" "a pattern that there is not" \
	sim --generate lublin --contention grid --comm-file "$dir/patterns"
for bad in "1 ring abc" "1 ring 50x" "1 ring 50 60" "1 ring 101"; do
	echo "$bad" >"$dir/patterns"
	fails 1 "patterns:1: not ID PATTERN" "$bad" sim --generate lublin --contention grid --comm-file "$dir/patterns"
done

# 8x4 both ways around: 1 leaves a row of 8 until 100; 2, of 4, is a torus only across the rows.
echo 'MeshName=m Dims=8x4 Wrap=all Nodes=n[0-31]' >"$dir/torus.conf"
{ swf 1 0 100 24; swf 2 10 50 4; } >"$dir/two"
printf '%s\n' "1 8x3" "2 4x1:torus" >"$dir/shapes"
is "$("$SMESH" sim -t "$dir/torus.conf" -s bf --trace "$dir/two" --shape-file "$dir/shapes" --placements - --csv 2>/dev/null |
	awk '$1 == 2 { print $2 }')" 100.000000 "a job waits for its torus"
swf 1 0 100 8 >"$dir/turn"
echo "1 1x8" >"$dir/shapes"
turned() { "$SMESH" sim -t "$dir/torus.conf" -s bf --trace "$dir/turn" --shape-file "$dir/shapes" --placements - --csv "$@" 2>/dev/null |
	awk '$1 == 1 { print $4 }'; }
is "$(turned) $(turned --norotate)" "n[0-7] " "--norotate holds for these shapes"
like "$(turned --no-shape --norotate)" '^n' "and --no-shape"
printf '%s\n' "1 3x3:torus" "2 16x1" >"$dir/shapes"
like "$("$SMESH" sim -t "$dir/torus.conf" -s bf,linear --trace "$dir/two" --shape-file "$dir/shapes" --repeat 2 2>&1 >/dev/null |
	grep shape-file)" '^smesh: --shape-file: the mesh can never hold the shape of job 1: a box of 3x3, a torus itself, does not fit .* \(and 1 more\)$' \
	"shapes that never fit are told once"
printf '%s\n' "1 8x3" "7 2x2" "8 2x2" >"$dir/shapes"
like "$("$SMESH" sim -t "$dir/torus.conf" -s bf --trace "$dir/two" --shape-file "$dir/shapes" 2>&1 >/dev/null)" \
	'^smesh: [^ ]*/shapes:2: passed over: the workload has no job of that number \(2 in all\)$' \
	"so are lines about jobs that the log has not"
printf '%s\n' "1 8x3" "1 4x4" >"$dir/shapes"
like "$("$SMESH" sim -t "$dir/torus.conf" -s bf --trace "$dir/two" --shape-file "$dir/shapes" 2>&1 >/dev/null)" \
	'^smesh: [^ ]*/shapes:2: a line above is about the same job: of several the last one counts \(1 in all\)$' \
	"and two lines about one job"
echo 'a log' >"$dir/text"
fails 1 "text:1: .*: this is none of the logs that man smesh lists \(WORKLOAD OPTIONS\)$" "no log" sim --trace "$dir/text"

# A row of 8: when 1 and 3 have ended, 2 is in the middle of six free nodes, four of which are in a row.
echo 'MeshName=m Dims=8 Nodes=n[0-7]' >"$dir/row.conf"
{ swf 1 0 10 2; swf 2 0 1000 2; swf 3 0 10 2; swf 4 20 50 5; } >"$dir/four"
room() {
	"$SMESH" sim -t "$dir/row.conf" -s ff --trace "$dir/four" "$@" 2>/dev/null
}
is "$(room --placements - --csv | awk '$1 == 4 { print $2 }')" 1000.000000 "a job waits for its box"
like "$(room --free-box --json)" '"largest_free_box": [0-9.]*,' "the room that there is"
like "$(room --json)" '"largest_free_box": null' "is measured with --free-box alone"
room --free-box --html "$dir/room.html" >"$dir/out"
is "$(grep -c '"box":\[' "$dir/room.html")" 1 "the page has it over time"
is "$(sed -n 's/.*"kinds":\(\[[^]]*\]\),"boxes":\[\[\([0-9]*\),.*/\1 \2/p' "$dir/room.html")" '["2","4","8"] 1' \
	"and how many boxes there are room for"
room --html "$dir/room.html" >"$dir/out"
is "$(grep -c '"box":\[' "$dir/room.html")" 0 "where it was measured"

echo "2 9x4" >"$dir/shapes"
fails 1 "shapes:1: 9x4 is larger than the machine" "a box that is too large" \
	sim --trace "$dir/two" --shape-file "$dir/shapes"
echo '1 2x2' >"$dir/shapes"
like "$("$SMESH" sim -t "$dir/torus.conf" -s bf,linear,mm --trace "$dir/two" --shape-file "$dir/shapes" 2>&1 >/dev/null)" \
	'^smesh: linear, mm: no boxes for jobs with a shape, only as many nodes; slurmctld takes snug-box for such jobs$' "who gives no boxes"
echo "2 wide" >"$dir/shapes"
fails 1 "shapes:1: a shape has 1 to 6 sides" "a shape that is none" sim --trace "$dir/two" --shape-file "$dir/shapes"

# Jobs of whole cubes start, first come first served, as soon as there are nodes enough, like those that
# take any nodes; boxes on a static torus wait for the right ones.
echo 'MeshName=m Dims=16x16x8 Wrap=all Nodes=n[0-2047]' >"$dir/cube.conf"
awk -v jobs="$dir/slices" -v shapes="$dir/boxes" 'BEGIN {
	split("4x4x4 8x4x4 8x8x4 8x8x8 12x4x4", shape)
	split("64 128 256 512 192", nodes)
	for (i = 1; i <= 400; i++) {
		k = i * 7919 % 1009 % 5 + 1
		print i, i * 100, -1, 200 + i * 104729 % 1201, nodes[k], -1, -1, nodes[k], -1, -1, 1, 1, -1, -1, -1, -1, -1, -1 >jobs
		print i, shape[k] >shapes
	}
}'
# the figure of linear, snug-box and cubes
cubes() {
	"$SMESH" sim --scheduler=fcfs -t "$dir/cube.conf" --trace "$dir/slices" --shape-file "$dir/boxes" -s linear,snug-box \
		--cubes 4x4x4 --json "${@:2}" 2>/dev/null | sed -n "s/.*\"$1\": \([0-9.nul]*\).*/\1/p" | xargs
}
cubes mean_wait | {
	read -r linear boxes cubes
	[ "$linear" = "$cubes" ] && awk -v a="$cubes" -v b="$boxes" 'BEGIN { exit !(a > 0 && a < b) }'
}
ok $? "any cubes will do: jobs wait as for any nodes, and less than for boxes"
# A ring of s nodes, s even, has s/4 hops to a node in the mean, itself included.
is "$(cubes mean_hops | awk '{ printf "%.4f\n", $3 }') $(cubes cubes_lost)" "$(awk '{
	split($2, side, "x"); n = side[1] * side[2] * side[3]
	sum += (side[1] + side[2] + side[3]) / 4 * n / (n - 1)
} END { printf "%.4f", sum / NR }' "$dir/boxes") 0 0 0" "hops of cubes are those of their slices, none is lost"
is "$(cubes mean_wait --availability 0.998 --seed 4)" "$(cubes mean_wait --availability 0.998 --seed 4)" \
	"the nodes that fail are drawn from the seed"
fails 1 "--cubes=3x4x4: the mesh does not consist" "cubes that do not fit" \
	sim -t "$dir/cube.conf" --generate lublin --cubes 3x4x4
fails 1 "no node is left" "nodes that never work" sim --generate lublin --availability 0
fails 1 "exclude each other" "links of a machine that has others" sim --generate lublin --cubes 2x2 --contention ring
cat >"$dir/late" <<'SWF'
1 0 0 100 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
2 0 0 50 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
SWF
is "$("$SMESH" sim -t "$conf" -s linear --trace "$dir/late" --kill-at-limit --per-job - 2>/dev/null |
	ran | awk '{ printf "%d %s ", $4 - $3, $9 }')" "60 killed 50 done " "a job ends at its limit"

# In the formats of others: what they say is what --per-job says.
sim --generate lublin --jobs 300 --load 0.9 --scheduler easy --contention mix --kill-at-limit --per-job "$dir/ran" \
	--batsim "$dir/jobs.csv" --swf "$dir/ran.swf" --placements "$dir/placed" >/dev/null 2>&1
is "$(awk -F, 'NR > 1 { printf "%d %.6f %.6f %.6f %d\n", $1, $4, $9, $11, $5 }' "$dir/jobs.csv")" \
	"$(ran "$dir/ran" | awk '{ print $1, $2, $3, $4, $5 }')" "Batsim's columns: the same times and sizes"
is "$(awk -F, 'NR > 1 {
	n = 0
	for (i = split($15, part, " "); i > 0; i--)
		n += split(part[i], end, "-") > 1 ? end[2] - end[1] + 1 : 1
	if (n != $5 || ($12 - $9 + $4) ^ 2 > 1e-9 || ($10 + $9 - $11) ^ 2 > 1e-9 || ($13 - $10 - $12) ^ 2 > 1e-9 ||
		($14 * $10 - $13) ^ 2 > 1e-3 || ($8 == "COMPLETED_SUCCESSFULLY") != $7)
		print
}' "$dir/jobs.csv")" "" "and they agree with each other"
is "$(awk '!/^;/ { printf "%d %.6f %.6f\n", $1, $2 + $3, $2 + $3 + $4 }' "$dir/ran.swf")" \
	"$(ran "$dir/ran" | awk '{ print $1, $3, $4 }')" "Standard Workload Format: the same starts and ends"
is "$(sim --trace "$dir/ran.swf" --csv 2>/dev/null | wc -l)" 2 "which can be read again"
"$SMESH" sim -t "$conf" -s linear,mm --generate lublin --jobs 50 --per-job "$dir/both" --csv 2>/dev/null >"$dir/csv"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["nodes"] > 1 { hops[$1] += $at["hops"]; n[$1]++ } { wait[$1] += $at["start"] - $at["submit"]; jobs[$1]++ }
	END { printf "linear %.4f %.1f mm %.4f %.1f", hops["linear"] / n["linear"], wait["linear"] / jobs["linear"],
		hops["mm"] / n["mm"], wait["mm"] / jobs["mm"] }' "$dir/both")" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ printf "%s%s %.4f %.1f", (NR > 2 ? " " : ""), $1, $at["mean_hops"], $at["mean_wait"] }' "$dir/csv")" \
	"all jobs under all strategies in one table: the same means"
fails 1 "goes with one strategy" "two strategies in a file of one" sim -s linear,mm --generate lublin --batsim "$dir/two"

# The page: 1 runs 100 s on 8 nodes from 0; 2 (16 nodes, 20 s) waits behind it from 5 to 100.
{ swf 1 0 100 8; swf 2 5 20 16; } >"$dir/two"
sim --trace "$dir/two" --contention ring --comm-share 0 --html "$dir/page" >/dev/null
data=$(sed -n 's/.*id="machine-data">\(.*\)<.script>.*/\1/p' "$dir/page")
like "$data" '"job":\[0,1\],.*"start":\[0,100\],"end":\[100,120\]' "a page has each run"
is "$(sed 's/.*"step":\([0-9.]*\).*"waiting":\[\([0-9,]*\)\].*"busy":\[\([0-9,]*\)\].*/\1 \2 \3/' <<<"$data" | awk '{
	n = split($2, waiting, ","); split($3, busy, ",")
	for (i = 1; i <= n; i++) {
		t = (i - 1) * $1
		if (waiting[i] != (t >= 5 && t < 100) || busy[i] != (t < 100 ? 8 : t < 120 ? 16 : 0))
			print t, waiting[i], busy[i]
	}
	if (n < 10)
		print n
}')" "" "with who waits and what is busy at each moment"

# Stopped in the middle of a line: what was done is not done again, the result is the same.
repeated() {
	sim -s linear,mm --generate lublin --jobs 150 --repeat 6 --hops-only --csv "$@"
}
no_decisions() { # columns by name
	awk -F, 'NR == 1 { split($0, name, ",") } { for (i = 1; i <= NF; i++) if (name[i] !~ /^decision/) printf "%s,", $i; print "" }'
}
whole=$(repeated --resume "$dir/journal" 2>/dev/null | no_decisions)
is "$(wc -l <"$dir/journal")" 13 "a journal has a line for each run"
head -c "$(($(head -8 "$dir/journal" | wc -c) + 30))" "$dir/journal" >"$dir/half"
is "$(repeated --resume "$dir/half" 2>"$dir/said" | no_decisions)" "$whole" "the rest is run, with the same result"
like "$(cat "$dir/said")" "7 of 12 runs were done before" "of which a part was done"
is "$(grep -c '"run"' "$dir/half")" 13 "and the journal is whole"
like "$(repeated --resume "$dir/half" 2>&1 >/dev/null)" "12 of 12 runs were done before" "what is done is only told"
is "$(sim -s linear,mm --generate lublin --jobs 60 --contention mix --calibrate linear --resume "$dir/calibrated" >/dev/null 2>&1
	grep -c '"run"' "$dir/calibrated")" 2 "runs for --calibrate are not noted"
# One long simulation has a second thread's help on a large machine, and is the same.
echo 'MeshName=large Dims=26x26x26 Wrap=yes,yes,no Nodes=n[0-17575]' >"$dir/large.conf"
for threads in 1 2; do
	"$SMESH" sim -t "$dir/large.conf" -s snug --generate lublin --load 0.8 --jobs 60 --hops-only --threads $threads \
		--placements "$dir/large.$threads" >/dev/null
done
ok "$(cmp -s "$dir/large.1" "$dir/large.2" && [ -s "$dir/large.1" ]; echo $?)" "as many threads as there are decide alike"
# Killed for real, in the middle of a run.
long=("$SMESH" sim -t "$dir/cube.conf" -s "linear,mm" --generate lublin --jobs 300 --repeat 6 --threads 1 --csv)
"${long[@]}" --resume "$dir/killed" >/dev/null 2>&1 &
for ((i = 0; i < 300; i++)); do
	lines=$(grep -c "" "$dir/killed" 2>/dev/null)
	[ "${lines:-0}" -lt 3 ] || break
	sleep 0.02
done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
is "$("${long[@]}" --resume "$dir/killed" 2>"$dir/said" | no_decisions)" "$("${long[@]}" 2>/dev/null | no_decisions)" "after kill -9 the same table"
like "$(cat "$dir/said")" '[2-9] of 12 runs were done before|1[01] of 12 runs' "of which a part was done"
fails 1 "of another command" "a journal of something else" sim --generate lublin --jobs 50 --resume "$dir/half"

# What is saved can be had again, and what has changed is found.
sim -s linear,mm --trace "$dir/log" --scheduler easy --shake 5 --repeat 2 --html "$dir/page.html" --save "$dir/saved" >/dev/null
is "$(grep -A2 '"trace": {' "$dir/saved" | grep -o '[0-9a-f]\{64\}')" "$(sha256sum <"$dir/log" | cut -d' ' -f1)" \
	"the hash of the trace is sha256sum's"
for bytes in 119 120 127 128 183 184 65535 65536 65600; do
	swf 1 0 1 1 >"$dir/hashed"
	[ $bytes -lt 60000 ] || printf ';%*s\n' 40000 "" >>"$dir/hashed" # a line is shorter than that
	printf ';%*s\n' $((bytes - 2 - $(wc -c <"$dir/hashed"))) "" >>"$dir/hashed"
	sim --trace "$dir/hashed" --save - 2>/dev/null | grep -A2 '"trace": {' | grep -q "$(sha256sum <"$dir/hashed" | cut -d' ' -f1)" ||
		echo "$bytes"
done >"$dir/wrong"
is "$(cat "$dir/wrong")" "" "of files of any length"
rm "$dir/page.html"
like "$("$SMESH" sim --again "$dir/saved" --threads 1)" '^the same: [0-9]+ figures, digit by digit$' "what was saved comes again"
[ ! -e "$dir/page.html" ]
ok $? "without its outputs"
sed 's/\("makespan": [1-9][0-9]*\)/\11/' "$dir/saved" >"$dir/other"
like "$("$SMESH" sim --again "$dir/other" 2>&1)" 'strategies.linear.makespan: [0-9]+1 then, [0-9]+ now.*2 of [0-9]+ figures differ' \
	"a digit that differs is found"
"$SMESH" sim --again "$dir/other" >/dev/null 2>&1
is $? 2 "with an exit code"
# differs SED MESSAGE WHAT: one thing of the saved file is another
differs() {
	sed "$1" "$dir/saved" >"$dir/other"
	! cmp -s "$dir/saved" "$dir/other" && like "$("$SMESH" sim --again "$dir/other" 2>&1)" "$2" "$3"
}
differs 's/"--shake"/"--seed", "7", "--shake"/' 'seed: 1 then, 7 now.*figures differ' "another seed is found"
differs 's/^  "easy"/  "fcfs"/' 'scheduler: "easy" then, "fcfs" now.*figures differ' "the options of another run are found"
differs '/"max_wait"/d' 'max_wait: nothing then, [0-9.]+ now.* 4 of [0-9]+ figures differ' "a figure that is gone is found"
differs 's/^ "version": ".*"/ "version": "0.0.9"/' 'written by smesh 0.0.9, this is .*the same: [0-9]+ figures' "another version is told"
differs '0,/"sha256": "./s//"sha256": "x/' 'is not the file that it was' "another hash is found"
# Every figure by its last digit (of 15, which a number has for sure), one after the other.
figure=': [0-9.e+-]*[0-9],*$'
is "$(awk -v figure="$figure" '/"strategies"/ { from = 1 } from && !/"decision_/ && $0 ~ figure { print NR }' "$dir/saved" |
	while read -r line; do
		awk -v line="$line" 'NR == line {
			n = at = 0
			for (i = index($0, ": ") + 2; i <= length($0) && n < 15 && (c = substr($0, i, 1)) ~ /[0-9.-]/; i++)
				if (c ~ /[0-9]/) { at = i; n += n || c != "0" }
			$0 = substr($0, 1, at - 1) (substr($0, at, 1) + 1) % 10 substr($0, at + 1)
		} { print }' "$dir/saved" >"$dir/other"
		"$SMESH" sim --again "$dir/other" 2>&1
	done | grep -c ' 1 of [0-9]* figures differ')" \
	"$(sed -n '/"strategies"/,$p' "$dir/saved" | grep -v '"decision_' | grep -c "$figure")" "each figure's last digit counts"
fails 1 "leave out all but --threads" "options beside --again" "$SMESH" sim --again "$dir/saved" --seed 7
cp "$conf" "$dir/conf.kept"
echo '# moved' >>"$conf"
fails 1 "topology.conf is not the file that it was" "a topology that has changed" "$SMESH" sim --again "$dir/saved"
cp "$dir/conf.kept" "$conf"
echo '; more' >>"$dir/log"
fails 1 "log is not the file that it was" "a trace that has changed" "$SMESH" sim --again "$dir/saved"
fails 1 '^smesh: --again: unable to open nosuch: No such file' "no file" "$SMESH" sim --again nosuch
fails 1 "not written by --save" "another file" "$SMESH" sim --again <(echo '{}')
fails 1 "cannot be read again" "a trace that is gone" sim --trace - --save "$dir/nothing" <"$dir/log"

sim --generate lublin --jobs 100 --html "$dir/page.html" >/dev/null
is $? 0 "a page is written"
page=$(cat "$dir/page.html")
like "$page" '^<!DOCTYPE html>.*<h2>The machine over time.*Mean hops by job size.*Utilisation over time.*</html>$' \
	"with charts and a map"
! grep -q -e 'src=' -e 'href="http' -e '@import' -e 'url(' <<<"$page"
ok $? "that needs no network"
! sed '/<script/,$d' <<<"$page" | grep -q -e 'nan' -e 'inf[^o]'
ok $? "and has no odd numbers"

done_testing
