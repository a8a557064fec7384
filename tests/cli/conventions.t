#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What people expect of a command: -h and -V, help, names without regard to case, hints at slips,
# plain terminals, and sentences that are true.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=8x8 Nodes=n[0-63]' >topology.conf
sim() {
	"$SMESH" sim -t topology.conf -s linear "$@"
}

# --- help and version
is "$(for command in $("$SMESH" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do "$SMESH" "$command" --help; done |
	grep -E -c '.{101}')" 0 "help has lines of at most 100 columns"
like "$("$SMESH" sim --help)" $'\nexample: smesh sim -t ' "and an example"
help=$("$SMESH" sim --help)
like "$help" '--generate=lublin\|uniform\|exponential\|normal'$'\n' "help has all values of an option"
is "$(grep -c '^[A-Z].*:$' <<<"$help") $(sed -n '/^Output:$/,$p' <<<"$help" | grep -c -e --html -e --csv)" "6 2" \
	"the options of smesh sim are in groups"
fails 1 'unknown option --x \(see' "a heading is no option" "$SMESH" sim --x
fails 1 'unknown option --measurements=2 \(see' "nor is it suggested" "$SMESH" sim --measurements=2
is "$("$SMESH" -h)" "$("$SMESH" --help)" "-h is --help"
is "$("$SMESH" -V)" "$("$SMESH" --version)" "-V is --version"
is "$("$SMESH" help)" "$("$SMESH" --help)" "smesh help"
is "$("$SMESH" help sim)" "$("$SMESH" sim --help)" "smesh help sim"
for command in $("$SMESH" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
	is "$("$SMESH" "$command" -h | head -1)$("$SMESH" "$command" -V)" \
		"$("$SMESH" help "$command" | head -1)$("$SMESH" --version)" "smesh $command -h and -V"
done

# --- slips
fails 1 "sim: unexpected argument 'x', did you mean '--trace=x'\? \(see smesh sim --help\)" "a log without --trace" "$SMESH" sim x
fails 1 "verdict: unknown option --trace=x: the log stands without it" "and with one" "$SMESH" verdict --trace=x
fails 1 "map: unexpected argument 'x' \(see" "one word too many" "$SMESH" map x
fails 1 "alloc: unexpected argument 'x' \(see" "of another command" "$SMESH" alloc -n 3 x
fails 1 "'trace', did you mean '--trace'\?" "an option without its dashes" "$SMESH" sim trace x
SLURM_CONF=$dir/none/slurm.conf fails 1 'SLURM_CONF=.*/none/slurm.conf: No such .*; or name a file by --state' "no Slurm" \
	"$SMESH" top -t topology.conf
fails 1 "unknown command 'simm', did you mean 'sim'\?" "a slip in a command" "$SMESH" simm
fails 1 "unknown command 'strat', did you mean 'strategies'\?" "a beginning of a command" "$SMESH" strat
fails 1 "unknown command 'xyzzy' \(see" "nothing near" "$SMESH" xyzzy
fails 1 "unknown option '-t': options of a command stand behind it" "an option before the command" \
	"$SMESH" -t topology.conf alloc -n 3
fails 1 "^smesh: --strategies wants a file: --strategies=FILE, before the command$" "no file" "$SMESH" --strategies
like "$("$SMESH" --help)" '^usage: smesh \[--strategies=FILE\]\.\.\. COMMAND' "the one option before the command"
fails 1 "did you mean 'sim'\?" "and of smesh help" "$SMESH" help smi
fails 1 "unknown option --stategy=mm, did you mean 'strategy'\?" "an option" sim --stategy=mm
fails 1 "unknown option -x \(see" "a letter that is none" sim -x
fails 1 "unknown option -x \(see" "the first of two, behind an option" sim --json -xq
fails 1 '^smesh: sim: --json takes no value$' "a value too many" sim --json=yes
fails 1 '--jobs=1.5: not a whole number from 1 to' "half a job" sim --jobs 1.5
fails 1 "unknown strategy 'sung', did you mean 'snug'\?" "a strategy" "$SMESH" sim -t topology.conf -s sung --generate lublin
fails 1 "unknown strategy 'hilbrt-bf', did you mean 'hilbert-bf'\?" "of alloc" "$SMESH" alloc -t topology.conf -s hilbrt-bf -n 3
fails 1 "did you mean 'snug'\?" "of map" "$SMESH" map -t topology.conf -s snugg --at 3 --generate lublin
fails 1 '--scheduler=lifo: one of fcfs\|easy' "a value" sim --scheduler lifo

# --- without regard to case
is "$("$SMESH" ALLOC -t topology.conf -s SNUG -n 4 --json | sed 's/,"time_ns.*//')" \
	"$("$SMESH" alloc -t topology.conf -s snug -n 4 --json | sed 's/,"time_ns.*//')" "commands and strategies"
is "$(sim --generate Lublin --jobs 20 --scheduler EASY --json >/dev/null; echo $?)" 0 "models and schedulers"
is "$("$SMESH" curve -t topology.conf --curve Snake | head -3)" \
	"$("$SMESH" curve -t topology.conf --curve snake | head -3)" "curves"

# --- -t is alike everywhere
export SLURM_CONF=$dir/slurm.conf
is "$("$SMESH" sim -s linear --generate lublin --jobs 20 --csv | cut -d, -f1-8)" \
	"$(sim --generate lublin --jobs 20 --csv | cut -d, -f1-8)" "sim: topology.conf beside slurm.conf"
like "$("$SMESH" alloc -s mm -n 3 --json)" '"mesh":"m"' "alloc"
like "$("$SMESH" curve)" 'mesh m' "curve"
like "$("$SMESH" workload --generate lublin --jobs 3)" 'MaxJobs: 3' "workload"
like "$("$SMESH" ranks -w 'n[0-3]' --grid 2x2 --json)" '^\{' "ranks"
like "$("$SMESH" check)" 'mesh m' "check"
SLURM_CONF=$dir/none/slurm.conf fails 1 "no topology.conf: $dir/none/topology.conf: No such file or directory \(name one with -t FILE\)" "none there" \
	"$SMESH" alloc -n 3
unset SLURM_CONF

# --- terminals
if command -v script >/dev/null; then
	on_terminal() {
		env -u NO_COLOR TERM=xterm "$@" script -qec "$SMESH map -t topology.conf --state state" /dev/null </dev/null
	}
	echo '1 ann n[0-3]' >state
	like "$(on_terminal env)" $'\033' "a terminal gets colours"
	[[ $(on_terminal env NO_COLOR=1) != *$'\033'* ]]
	ok $? "not with NO_COLOR"
	[[ $(on_terminal env TERM=dumb) != *$'\033'* ]]
	ok $? "not with TERM=dumb"
else
	skip "colours" "no script"
fi

# --- tables
printf '%s\n' '17 ann n[0-3] 7200 600 short' '18 - n8' 'waiting 20 cleo 4 Resources 720 shape=2x2' 'waiting 21 dan 64 Priority 5' >state
job='1 0 -1 10 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1'
echo "$job" >log
of() {
	local command=$1
	shift
	case $command in strategies) "$SMESH" strategies "$@" ;;
	verdict) "$SMESH" verdict -t topology.conf --repeat 2 "$@" log 2>/dev/null ;;
	why*) "$SMESH" why -t topology.conf --state state "$@" "${command#why }" ;;
	*) "$SMESH" "$command" -t topology.conf --state state "$@" ;; esac
}
is "$(of map -o job,USER,count,nodes,mean_hops,seconds_left,shape)" "job user count nodes  mean_hops seconds_left shape
17  ann      4 n[0-3]     1.667         7200 -
18  -        1 n8             -            - -
20  cleo     4 -              -            - 2x2
21  dan     64 -              -            - -" "map --format"
is "$(of top -o job,nodes)" "$(of map -o job,nodes)" "top, once"
is "$(of "why 17" -o job,nodes --noheader)/$(of "why 20" -o job,reason --noheader)" "17 n[0-3]/20 Resources" "why, of one job"
is "$(of defrag -o job,box,requeue)" "job box requeue
20  2x2 -
21  -   -" "defrag, of those that wait"
is "$(of defrag -o requeue --noheader --shape 8x1 --within 'n[0-7]')" 17 "or of a box"
like "$(of defrag --json)" '"requeue": ' "defrag --json"
is "$(of strategies -o name --noheader)" "$(of strategies | sed -n 's/^\([a-z][^ ]*\) .*/\1/p')" "strategies"
is "$(of verdict -o communication_percent,mean_hops_change_percent)" "communication_percent mean_hops_change_percent
                   10                      -20
                   50                      -20" "verdict"
for command in map top "why 17" defrag strategies verdict; do
	said=$(of "$command" -o nosuch 2>&1)
	[ "$command" != verdict ] || said=$("$SMESH" verdict -o nosuch log 2>&1)
	of "$command" --json >json
	is "$(/usr/bin/python3 - "${said##* of }" <<-'PY'
		import json, sys
		rows = json.load(open("json"))
		if isinstance(rows, dict):
		    rows = [{**case, **case["report"]["changes"]["snug"]} for case in rows["cases"]] if "cases" in rows else rows["jobs"] + rows["waiting"] if "jobs" in rows else [rows]
		keys = {key for row in rows for key in row} - {"report"}
		names = sys.argv[1].split("|")
		print(sorted(keys - set(names))[: 99 * ("state" in names)], [] if "state" in names and len(rows) == 1 else sorted(set(names) - keys))
		PY
	)" "[] []" "$command: the columns are the keys of JSON"
	is "$(of "$command" --noheader | wc -l)" "$(($(of "$command" --noheader -o "${said##*|}" | wc -l)))" "$command --noheader: the usual columns"
done
fails 1 '--json and --format exclude each other' "JSON or a table" of map --json -o job
fails 1 '--svg and a table exclude each other' "a picture or a table" of map --svg - --noheader
fails 1 '--format=: one of name\|' "no column" of strategies -o ''

# --- options without effect are told
is "$("$SMESH" sim -t topology.conf -s mm -s snug --generate uniform --jobs 5 2>&1 >"$dir/out")" \
	"smesh: --strategy=mm has no effect: --strategy=snug comes after it" "two -s are no list"
is "$(cut -d: -f1 "$dir/out" | head -n 1)" snug "the last one counts"
is "$("$SMESH" sim -t topology.conf -s mm -s mm --generate uniform --jobs 5 2>&1 >/dev/null)" "" "the same again needs no word"
is "$("$SMESH" sim -t topology.conf -s mm --generate lublin --jobs 5 --mean-run=60 --redraw 2>&1 >/dev/null)" \
	"$(printf 'smesh: --mean-run has no effect on Lublin'"'"'s model\nsmesh: --redraw has no effect on Lublin'"'"'s model')" \
	"options of other models"
is "$("$SMESH" sim -t topology.conf -s mm --trace log --arrival-rate=2 2>&1 >/dev/null | grep -c 'arrival-rate has no effect on the jobs of a log')" 1 \
	"options of models on a log"
said=$("$SMESH" sim -t topology.conf -s mm --trace log --no-shape --norotate --fold --host-speed=1 2>&1 >/dev/null | sed -n 's/ has no effect on/:/p')
is "$said" "$(printf 'smesh: --%s: %s\n' no-shape 'jobs without a shape' norotate 'jobs without a shape' fold 'jobs without a shape' \
	host-speed 'jobs whose run times are known')" "options of shapes where there are none"
is "$("$SMESH" sim -t topology.conf -s snug-box --generate uniform --jobs 5 --fold --norotate 2>&1 >/dev/null)" \
	"smesh: --norotate has no effect on shapes that are folded" "a shape that is folded may be turned"
awk '{ $9 = $4; print }' log >limits
is "$("$SMESH" sim -t topology.conf -s mm --trace limits --overestimate=2 2>&1 >/dev/null | grep over)" \
	"smesh: --overestimate has no effect on jobs that have a limit" "limits stay as they are"
is "$("$SMESH" sim -t topology.conf -s mm --generate lublin --jobs 5 --overestimate=2 2>&1 >/dev/null)" "" "not where there are none"

# --- true sentences about logs
fails 1 '--trace and --generate exclude each other' "two workloads" sim --trace log --generate lublin
fails 1 "^smesh: $dir: is a directory$" "a directory" sim --trace "$dir"
echo '<html>404 not found' >page.swf.gz
fails 1 'page.swf.gz: not compressed by gzip, though its name says so' "gz that is none" sim --trace page.swf.gz
printf 'JobID,Submit,ElapsedRaw,NNodes\n1,2024-01-01T00:00:00,100,4\n' >commas
is "$(sim --trace commas --json 2>&1 | grep -c '"jobs": 1')" 2 "commas for bars"
printf 'JobID        Submit    Elapsed\n------- ------\n' >blanks
fails 1 "blanks:1: this looks like sacct's output, .* --parsable2" "sacct's table" sim --trace blanks
sim --trace /dev/stdin --json < <(cat log) >/dev/null
is $? 0 "a pipe is read"
is "$(sim --trace <(cat log) --json | grep -c '"jobs": 1')" 2 "and one by name"

done_testing
