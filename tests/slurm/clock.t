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

replay first --scheduler=backfill -s mm
replay second --scheduler=backfill -s mm
cmp "$out/first/mm.placements" "$out/second/mm.placements"
ok $? "two runs are the same to the microsecond"
is "$(awk '$1 == 21 { print int(($3 - $2) / 60) }' "$out/first/mm.placements")" 10 \
	"the job that runs too long is killed at its limit of ten minutes"
[ "$(start_of first 3 | cut -d. -f1)" -lt 3600 ]
ok $? "a small job overtakes the whole-machine job"
[ "$(start_of first 2 | cut -d. -f1)" -le 7290 ]
ok $? "which starts as soon as the first has ended"

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

# killed NAME COMMAND LINE: a long replay, in the middle of which COMMAND is killed
killed() {
	local name=$1
	mkdir "$out/$name.tmp"
	TMPDIR=$out/$name.tmp "$run" --clock --dims=4x4 --generate=lublin --first=20000 --scheduler=backfill -s mm \
		>"$out/$name.table" 2>"$out/$name.err" &
	local pid=$!
	wait_for 30 pid_of "$name" replay >/dev/null && sleep 1
	kill -KILL "$(pid_of "$name" "$2")"
	wait "$pid"
	is $? 1 "$2 is killed: exit code"
	like "$(cat "$out/$name.err")" "^replay clock: $3[^"$'\n'"]*\$" "one line says so"
	wait_for 10 none_left "$name"
	ok $? "nothing is left running"
	sed 's/^/# /' "$out/$name.err"
}

killed controller slurmctld 'slurmctld [(]process [0-9]*[)] was killed or crashed at 2030-'
killed keeper keeper 'its keeper was killed'

if nm -D --undefined-only "$builddir"/plugin/.libs/*.so | grep -i mesh_clock; then false; else true; fi
ok $? "nothing of the clock is in the plugins"
fails 1 "goes with --clock" "backfill with the clock of events" "$run" --dims=2x2 --generate=lublin --scheduler=backfill
done_testing
