#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A replay under a clock of our own: two runs are the same, limits kill, and when a part of it is
# killed all ends with one line.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons
need_standin
run=$srcdir/tests/replay/run
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# A log in which what backfill does matters: 4 nodes of 16 for long, the whole machine, small ones
# that fit before it, and one that runs into its limit.
log() {
	local i
	echo "1 0 -1 7200 4 -1 -1 4 7200 -1 1 1 1 -1 1 -1 -1 -1"
	echo "2 60 -1 3600 16 -1 -1 16 3600 -1 1 2 1 -1 1 -1 -1 -1"
	for i in {3..20}; do
		echo "$i $((i * 60)) -1 $((i * 97 % 1500 + 60)) $((i % 5 + 1)) -1 -1 $((i % 5 + 1)) 1800 -1 1 $((i % 3 + 1)) 1 -1 1 -1 -1 -1"
	done
	echo "21 1300 -1 9000 2 -1 -1 2 600 -1 1 2 1 -1 1 -1 -1 -1"
}
log >"$out/log.swf"

# replay NAME OPTION...
replay() {
	local name=$1
	shift
	"$run" --clock --dims=4x4 --trace="$out/log.swf" "$@" --out="$out/$name" >"$out/$name.table" 2>"$out/$name.err"
	ok $? "$name: runs to its end"
	sed 's/^/# /' "$out/$name.table" "$out/$name.err"
}

# start NAME JOB: from the list of placements
start_of() {
	awk -v job="$2" '$1 == job { print $2 }' "$out/$1"/mm*.placements
}

replay first --scheduler=backfill -s mm --agree
like "$(cat "$out/first.err")" "mm: ([0-9]+) of \\1 jobs as the strategy says .*; [0-3] were offered fewer" \
	"all that were offered every free node are where the strategy puts them"
replay second --scheduler=backfill -s mm
cmp "$out/first/mm.placements" "$out/second/mm.placements"
ok $? "two runs are the same to the microsecond"
is "$(awk '$1 == 21 { print int(($3 - $2) / 60) }' "$out/first/mm.placements")" 10 \
	"the job that runs too long is killed at its limit of ten minutes"
[ "$(start_of first 3 | cut -d. -f1)" -lt 3600 ]
ok $? "a small job overtakes the whole-machine job"
[ "$(start_of first 2 | cut -d. -f1)" -le 7290 ]
ok $? "which starts as soon as the first has ended"

replay shared --scheduler=backfill -s mm --share=50
replay again --scheduler=backfill -s mm --share=50
cmp "$out/shared/mm.placements" "$out/again/mm.placements"
ok $? "with messages over shared links two runs are the same too"
[ "$(paste "$out/first/mm.placements" "$out/shared/mm.placements" |
	awk '$7 - $6 > 1.1 * ($3 - $2) { n++ } END { print n + 0 }')" -gt 3 ]
ok $? "and some jobs run longer than without"
mkdir "$out/build" && ln -s "$builddir" "$out/build/demo"
like "$(MESH_BUILD=$out/build "$srcdir/contrib/demo" --no-build --model -n 30 2>&1)" \
	"select/mesh, against select/cons_tres: jobs are done .* hops"$'\n.*\n'"hops in a job +[1-9].*in 4 workloads" "contrib/demo shows it"

# Accounts, QOS, a partition of the log's; nodes that fail and a reservation, with priorities.
cat >"$out/map" <<'MAP'
user=u2 -> account=physics qos=high
user=u3 -> account=chemistry partition=small
*       -> account=%group
MAP
echo "PartitionName=small Nodes=n[00-03,10-13] OverSubscribe=EXCLUSIVE" >"$out/conf"
echo "modify qos high set priority=1000" >"$out/sacctmgr"
cat >"$out/happenings" <<'HAPPENINGS'
00:10:00  down     n[00-01]
00:40:00  up       n[00-01]
0         reserve  ALL       name=maint start=04:00:00 duration=01:00:00 flags=maint
HAPPENINGS
if command -v mariadbd slurmdbd >/dev/null; then
	replay priorities --scheduler=multifactor -s mm --map="$out/map" --conf="$out/conf" \
		--sacctmgr="$out/sacctmgr" --happenings="$out/happenings"
	is "$(sed -n 's/.*"restarts": \([0-9]*\).*/\1/p' "$out/priorities/mm.json")" 1 \
		"the job whose nodes fail is put back into the queue"
	is "$(awk '$2 > 14400 - 7200 && $2 < 18000 && $3 > 14400 { print $1 }' "$out/priorities/mm.placements")" "" \
		"no job runs into the maintenance"
	is "$(awk '$1 > 2 && $1 < 21 && $1 % 3 == 2 { print $4 }' "$out/priorities/mm.placements" |
		grep -oE '[0-9]{2}' | grep -cE '^[01]')" 16 "jobs of the small partition have nodes"
	is "$(awk '$1 > 2 && $1 < 21 && $1 % 3 == 2 { print $4 }' "$out/priorities/mm.placements" |
		grep -oE '[0-9]{2}' | grep -E '^[23]')" "" "none of them outside it"

	# The whole-machine job is of a partition that preempts: the one that ran comes again after it.
	printf '%s\n' 'user=u2 -> partition=high' '* -> partition=low' >"$out/map"
	printf '%s\n' PreemptType=preempt/partition_prio PreemptMode=REQUEUE \
		'PartitionName=low Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=1 PreemptMode=REQUEUE' \
		'PartitionName=high Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=9 PreemptMode=OFF' >"$out/conf"
	replay preempted --scheduler=backfill -s mm --map="$out/map" --conf="$out/conf"
	[ "$(sed -n 's/.*"restarts": \([0-9]*\).*/\1/p' "$out/preempted/mm.json")" -ge 1 ]
	ok $? "a running job is put back for one of a partition of more priority"
	[ "$(start_of preempted 2 | cut -d. -f1)" -lt 300 ] &&
		[ "$(start_of preempted 1 | cut -d. -f1)" -gt 3600 ]
	ok $? "which starts within five minutes, and the first after it"
else
	skip "priorities" "no slurmdbd and MariaDB"
fi

# processes NAME: of the replay that keeps its clusters in $out/NAME.tmp
processes() {
	grep -lsz "^MESH_CLUSTER=$out/$1.tmp/" /proc/[0-9]*/environ | sed 's,/proc/,,; s,/environ,,'
}

# pid_of NAME COMMAND
pid_of() {
	local pid
	for pid in $(processes "$1"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] && echo "$pid" && return
	done
	return 1
}

none_left() {
	[ -z "$(processes "$1")" ]
}

# long_replay NAME: begin one; its process in `pid`
long_replay() {
	local name=$1
	mkdir "$out/$name.tmp"
	TMPDIR=$out/$name.tmp timeout 120 "$run" --clock --dims=4x4 --generate=lublin --first=20000 --scheduler=backfill -s mm \
		>"$out/$name.table" 2>"$out/$name.err" &
	pid=$!
	wait_for 30 pid_of "$name" replay >/dev/null && sleep 1
}

# killed NAME COMMAND LINE: in the middle of a long replay COMMAND is killed
killed() {
	local name=$1 pid
	long_replay "$name"
	kill -KILL "$(pid_of "$name" "$2")"
	wait "$pid"
	is $? 1 "$2 is killed: exit code"
	# The driver may see its connection end before the keeper sees the process end.
	like "$(cat "$out/$name.err")" "^(replay clock: $3[^"$'\n'"]*|replay: [^"$'\n'"]*Connection reset by peer"$'\n'"[^"$'\n'"]*)\$" \
		"one line says so"
	wait_for 10 none_left "$name"
	ok $? "nothing is left running"
	sed 's/^/# /' "$out/$name.err"
}

killed controller slurmctld 'slurmctld [(]process [0-9]*[)] was killed or crashed at 2030-'
killed keeper keeper 'its keeper was killed'

long_replay ended
kill -TERM "$pid"
wait "$pid"
is $? 143 "a replay that is told to end does so: exit code"
wait_for 10 none_left ended
ok $? "and leaves nothing running"
# The keeper removes the folder, a moment later.
wait_for 10 rmdir "$out/ended.tmp" 2>/dev/null
ok $? "nor any file"

if nm -D --undefined-only "$builddir"/plugins/*.so | grep -i mesh_clock; then false; else true; fi
ok $? "nothing of the clock is in the plugins"
fails 1 "goes with --clock" "backfill with the clock of events" "$run" --dims=2x2 --generate=lublin --scheduler=backfill
done_testing
