#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files that smesh writes: whole or not at all, `-` is standard output.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo 'MeshName=m Dims=16x16 Nodes=n[0-255]' >"$dir/topology.conf"
cd "$dir" || exit
sim() {
	"$SMESH" sim -t topology.conf -s linear "$@"
}

# stopped SIGNAL: a simulation of minutes, stopped when its file is there; its exit code
stopped() {
	local pid i
	(exec env --default-signal=INT,HUP,TERM "$SMESH" sim -t topology.conf -s mm --threads 1 --generate lublin --jobs 2000000 --html keep.html \
		>out 2>err) &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		compgen -G '.keep.html.*' >/dev/null && break
		sleep 0.1
	done
	kill -"$1" "$pid"
	wait "$pid"
}
for signal in TERM HUP INT; do
	echo 'the report of yesterday' >keep.html
	stopped $signal
	is $? $((128 + $(kill -l $signal))) "SIG$signal stops a simulation"
	is "$(cat keep.html)" 'the report of yesterday' "and leaves the report there was"
	is "$(ls -A)" 'err
keep.html
out
topology.conf' "and nothing half done"
done

# Without memory smesh ends as well, and leaves nothing half done. (A sanitizer needs more than this.)
if nm "$SMESH" 2>/dev/null | grep -q __asan_init; then
	skip "memory that is out" "a sanitizer"
else
	"$SMESH" workload -t topology.conf --generate lublin --jobs 200000 >../log.$$
	(ulimit -v 60000 && exec "$SMESH" verdict -t topology.conf --threads 1 --html keep.html ../log.$$) >out 2>err
	is $? 2 "memory that is out is a failure"
	like "$(cat err)" 'smesh: out of memory$' "with a message"
	is "$(cat keep.html) $(ls -A | tr '\n' ' ')" 'the report of yesterday err keep.html out topology.conf ' "and nothing is half done"
	rm -f ../log.$$
fi

sim --generate lublin --jobs 50 --html keep.html >/dev/null
like "$(cat keep.html)" '^<!DOCTYPE.*</html>$' "a report takes the place of the old one"
chmod 640 keep.html
ln -s keep.html link.html
sim --generate lublin --jobs 50 --html link.html >/dev/null
is "$(stat -c %a keep.html) $(readlink link.html)" "640 keep.html" "rights and links are kept"
fails 1 'none/page.html: No such file' "no such directory" sim --generate lublin --jobs 50 --html none/page.html
sim --generate lublin --jobs 50 --html /dev/null >/dev/null
is "$? $(stat -c %F /dev/null)" "0 character special file" "a device stays one"
if [ -w /dev/full ]; then
	fails 2 '/dev/full: cannot be written: No space left' "a full disk" sim --generate lublin --jobs 50 --placements /dev/full
else
	skip "a full disk" "no /dev/full"
fi

page=$(sim --generate lublin --jobs 50 --html - 2>err)
like "$page" '^<!DOCTYPE.*</html>$' "--html - is standard output"
like "$(cat err)" '50 jobs on m' "and the table is on standard error"
sim --generate lublin --jobs 50 --placements placed >/dev/null
is "$(sim --generate lublin --jobs 50 --placements - 2>/dev/null)" "$(cat placed)" "--placements - too"
is "$("$SMESH" curve -t topology.conf -o - | wc -l)" 259 "curve --output -"
is "$("$SMESH" curve -t topology.conf -o - --json 2>err | wc -l)" 259 "and with --json"
like "$(cat err)" '^\{"curve"' "whose JSON is on standard error"
like "$(echo 1 ann 'n[0-3]' | "$SMESH" map -t topology.conf --state - --svg -)" '^<svg.*</svg>$' "map --svg -"
is "$(ls -A ./-* 2>/dev/null)" "" "no file has the name -"

# Stopped runs: how to go on. Decisions on a machine of this size take seconds in all.
echo 'MeshName=large Dims=32x32x32 Nodes=n[0-32767]' >large.conf
stopped() { # OPTION...: what is said when it is stopped
	(exec "$SMESH" sim -t large.conf -s snug,mm --threads 1 --generate lublin --jobs 4000 "$@" 2>stopped >/dev/null) &
	sleep 2
	kill -TERM $!
	wait $! 2>/dev/null
	cat stopped
}
like "$(stopped --repeat 3)" '^smesh: stopped; with --resume=FILE the same command would go on$' "runs that are stopped: how to keep them"
like "$(stopped --repeat 3 --resume kept)" '^smesh: stopped; the same command goes on from kept$' "and from where"
done_testing
