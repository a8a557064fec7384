#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The judge of MPI programs: a message takes what it must, programs are traced, and tables come out.
. "${srcdir:-.}/tests/tap.sh"
lab=$(cd "$srcdir/tests/lab/smpi" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
options=(--cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:0
	--cfg=smpi/simulate-computation:no --log=root.thresh:error)

if ! command -v smpirun >/dev/null || ! command -v g++ >/dev/null || ! command -v python3 >/dev/null; then
	skip "MPI programs as SimGrid has them" "no libsimgrid-dev, g++ or python3"
	done_testing
fi
# Debian 13's 4.0 ends with a segmentation fault; doc/lab has what 3.32 says.
if ! g++ -x c++ -include simgrid/version.h -dM -E /dev/null | grep -q 'SIMGRID_VERSION_MAJOR 3$'; then
	skip "MPI programs as SimGrid has them" "SimGrid is not 3.x"
	done_testing
fi
g++ -O1 -std=c++17 -o "$dir/replay" "$lab/replay.cpp" -lsimgrid
ok $? "the replayer compiles"

# replay DIMS LINE...: the seconds of each job, in microseconds
replay() {
	local dims=$1
	shift
	printf '%s\n' "$@" >"$dir/jobs"
	"$dir/replay" "$dims" "$dir/jobs" "${options[@]}" | awk '{ printf "%s%.1f", s, $4 * 1e6; s = " " }'
}
# 5 MB, 1 ms a link; each rank sends.
printf '2\nS1,5000000,0 R1,5000000,0 W\nS0,5000000,0 R0,5000000,0 W\n' >"$dir/pair"
is "$(replay 8 "a $dir/pair 1 1 0 1")" 1001.1 "one message takes its bytes, and the time of a hop"
is "$(replay 8 "a $dir/pair 1 1 0 2")" 1001.2 "two hops"
is "$(replay 8 "a $dir/pair 1 1 0 7")" 1001.1 "the short way round a ring"
is "$(replay 8/mesh "a $dir/pair 1 1 0 7")" 1001.7 "there is none on a mesh"
is "$(replay 8 "a $dir/pair 1 1 0 2" "b $dir/pair 1 1 1 3")" "2001.2 2001.2" "two jobs share a link"
is "$(replay 4x4 "a $dir/pair 1 1 0 1" "b $dir/pair 1 1 4 5")" "1001.1 1001.1" "and in rows of their own do not"
printf '1\nc1000000\n' >"$dir/alone"
is "$(replay 4x4 "a $dir/alone 3 2 5")" 6000.0 "computation, scaled and repeated"
fails 1 'no such vertex' "a vertex that is not there" "$dir/replay" 4x4 <(echo "a $dir/alone 1 1 16")
printf '2\nx\n' >"$dir/broken"
fails 1 'not an operation: x' "a trace without numbers" "$dir/replay" 4x4 <(echo "a $dir/broken 1 1 0 1")

# All programs, on few ranks, and moments of a small machine.
out=$(SMPI_RANKS=2,4 JOBS=300 srcdir=$(cd "$srcdir" && pwd) builddir=$PWD SMESH=${SMESH:-$PWD/smesh/smesh} \
	python3 "$lab/run" -d "$dir/smpi" -s linear,snug -m 3 --alone lublin:4x4 2>"$dir/err")
ok $? "the judge runs"
is "$(cat "$dir/err")" "" "without complaints"
is "$(find "$dir/smpi/traces" -name '*.4' | wc -l)" 13 "every program is traced on 4 ranks"
like "$out" 'lublin:4x4: 3 moments.*against alone +[0-9.]+.*snug against linear: [-+][0-9.]+%' "its tables"
done_testing
