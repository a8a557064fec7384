#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that want a box: --contiguous and --mesh-shape. Now, or at the first time at which the
# running jobs' ends leave one; the backfill scheduler keeps that promise. Over select/cons_tres;
# with BASE=linear over select/linear.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

BASE=${BASE:-cons_tres}
select_params=CR_CPU
[ "$BASE" = cons_tres ] || select_params=CR_Memory
mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' params=mesh_base="$BASE" \
	select_params="$select_params" || exit
like "$(ctld_log 0 'loaded over')" "select/mesh loaded over select/$BASE" "over select/$BASE"

# ---- Now ----
id=$(submit 6 100 --contiguous)
like "$(sides "4 4" "$(started "$id")")" "^(3x2|2x3)$" "--contiguous -N6 is a box"
scancel "$id"
id=$(submit 8 100 --mesh-shape=4x2:norotate)
is "$(sides "4 4" "$(started "$id")")" "4x2" "--mesh-shape=4x2:norotate with -N8"
scancel "$id"
id=$(sbatch --parsable -o /dev/null --mesh-shape=2x4:norotate --wrap 'sleep 100')
is "$(sides "4 4" "$(started "$id")")" "2x4" "a shape without -N means all of its nodes"
scancel "$id"
id=$(submit 3 100 --mesh-shape=2x2)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes)" 3 "fewer nodes than the shape has: as many as -N says"
scancel "$id"
fails 1 'mesh-shape: it can never fit: a box of 5x1 does not fit into the machine, which is 4x4' \
	"a shape larger than the machine is refused where it is typed" sbatch --mesh-shape=5x1 --wrap true
# With nodes that must be in it. (--test-only with -w knows those nodes alone, in Slurm too.)
# Slurm itself adds what lies between the nodes of -w, in its own order.
id=$(submit 4 100 --contiguous -w n0,n3)
nodes=$(started "$id")
like "$(sides "4 4" "$nodes"),$(nodes_in n0 "$nodes" && echo n0)" '^(4x1|1x4),n0$' "--contiguous -w n0,n3: a box with it"
b=$(submit 4 100 --mesh-shape=2x2 -w n6)
nodes=$(started "$b")
is "$(sides "4 4" "$nodes"),$(nodes_in n6 "$nodes" && echo n6)" "2x2,n6" "a square with n6"
scancel "$id" "$b"
fails 1 'Requested node configuration is not available' "a square with two corners of the machine" \
	sbatch -N4 --mesh-shape=2x2 -w n0,n3 --wrap true
fails 1 'Requested node configuration is not available' "all nodes but one are no box" \
	sbatch -N15 --contiguous -x n5 --wrap true
wait_for 20 cluster_all_idle

ids=()
for i in 3 6 9 12; do ids+=("$(submit 1 100 -w "n$i")"); done
for id in "${ids[@]}"; do started "$id" >/dev/null; done
for wish in --contiguous --mesh-hint=isolated --mesh-strategy=snug-box; do
	id=$(submit 2-6 100 --exclusive "$wish")
	is "$(sides "4 4" "$(started "$id")")" 2x2 "$wish -N2-6, no box of five or six: one of four"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
done
cancel_all

# qtree looks at quarters and at pairs of them: not across all four.
id=$(submit 12 100 -w 'n[0-4,7,8,11-15]')
started "$id" >/dev/null
id=$(submit 4 100 --contiguous --mesh-strategy=qtree)
is "$(sides "4 4" "$(started "$id")")" 2x2 "where qtree overlooks a box, first fit takes it"
cancel_all

# ---- Later: a checkerboard of jobs with known ends ----
declare -A busy promise
minutes=0
for i in 0 2 5 7 8 10 13 15; do
	minutes=$((minutes + 10))
	busy[$i]=$(submit 1 1000 --time="$minutes" -w "n$i")
done
for i in "${!busy[@]}"; do started "${busy[$i]}" >/dev/null; done
ends() { job_field "${busy[$1]}" EndTime; }
# will_start OPTION...: "TIME on NODES" of sbatch --test-only
will_start() {
	sbatch --test-only --time=100 "$@" --wrap true 2>&1 |
		sed -n 's/.*to start at \([^ ]*\) .*using .* on nodes \([^ ]*\) in.*/\1 on \2/p'
}
is "$(will_start -N4 --contiguous)" "$(ends 2) on n[0-3]" "--test-only: a row when the second job of it ends"
square=$(will_start -N4 --mesh-shape=2x2)
is "${square% on *}" "$(ends 5)" "a square somewhat later"
is "$(sides "4 4" "${square#* on }")" 2x2 "and it is one"
is "$(will_start -N2 --mesh-shape=2x2 | sed 's/ on .*//')" "$(ends 5)" "two nodes of a square: when all of it is free"
is "$(will_start -N16 --contiguous)" "$(ends 15) on n[0-15]" "the whole machine when the last one ends"
like "$(will_start -N8)" " on " "scattered nodes can be had"
exact=0
for i in 0 2 5 7 8 10 13 15; do # the next to end makes room for one more
	[ "$(sed 's/ on .*//' <<<"$(will_start -N$((9 + exact)) --exclusive)")" = "$(ends "$i")" ] || break
	exact=$((exact + 1))
done
is "$exact" 8 "whole nodes: --test-only says which end makes room, for 9 to 16 nodes"
like "$(will_start -N4 --contiguous --mesh-max-wait=0 2>&1)" " on " "a wish without patience is relaxed"
for wish in --mesh-max-wait=0 "--mesh-max-wait=0 --exclusive"; do
	# shellcheck disable=SC2086
	is "$(will_start --mesh-shape=4x3 $wish | sed 's/ on .*//')" "$(ends 7)" \
		"a shape without -N, relaxed ($wish): when so many nodes are free, not all"
done
# A reservation in an hour, before the job of 100 minutes would have ended.
scontrol create reservation=r StartTime=now+60minutes Duration=60 Users="$(id -un)" Nodes="n[0-3]" >/dev/null
is "$(will_start -N4 --contiguous)" "$(ends 7) on n[4-7]" "with a reservation of that row to come: the next row"
is "$(will_start -N4 --contiguous --time=30)" "$(ends 2) on n[0-3]" "a job that is over before it begins: the row"
is "$(will_start -N13 --exclusive)" "" "13 of 12 nodes: not within sight"
scontrol delete reservation=r

is "$(will_start -N4 --mesh-hint=isolated)" "$(ends 2) on n[0-3]" "--mesh-hint=isolated: the row, too"
# Inside a reservation of two rows only its own jobs count.
scontrol create reservation=r Flags=IGNORE_JOBS StartTime=now Duration=600 Users="$(id -un)" Nodes="n[4-11]" >/dev/null
is "$(will_start -N4 --contiguous --reservation=r)" "$(ends 7) on n[4-7]" "--reservation: a row of it"
is "$(will_start -N8 --contiguous --reservation=r)" "$(ends 10) on n[4-11]" "or all of it"
is "$(will_start -N4 --contiguous)" "$(ends 2) on n[0-3]" "others wait for a row outside"
scontrol delete reservation=r

# ---- Backfill keeps the promise ----
box=$(submit 4 1 --contiguous --time=100)
pending "$box"
ok $? "the box job waits, though 8 nodes are free"
promised() { [ "$(job_field "$box" StartTime)" = "$(ends 2)" ]; }
wait_for 15 promised
is "$(job_field "$box" StartTime)" "$(ends 2)" "backfill reserves the box for when the row is free"
is "$(squeue -h --start -j "$box" -o '%S %Y')" "$(ends 2) n[0-3]" "squeue --start says so, and where"
long=()
for _ in 1 2 3 4 5 6 7; do long+=("$(submit 1 1000 --time=60)"); done
short=$(submit 1 1000 --time=10)
wait_for 20 has_started "$short"
ok $? "a short job is backfilled"
running=0
for id in "${long[@]}"; do ! job_is "$id" RUNNING || running=$((running + 1)); done
is "$running" 6 "six long ones are, beside the box; the seventh would delay it"
like "$(job_nodes "$short")" '^n(1|3)$' "the short one is inside the box"
promised
ok $? "the promise still stands"
scancel "$short" "${busy[0]}" "${busy[2]}"
is "$(started "$box")" "n[0-3]" "the box job starts there"
[ "$(epoch "$(job_field "$box" StartTime)")" -le "$(epoch "$(ends 5)")" ]
ok $? "no later than promised"
cancel_all

# ---- And while jobs come and go ----
# They end before their limits, which are set afterwards to the second.
busy=()
for i in 0 2 5 7 8 10 13 15; do busy[$i]=$(submit 1 1000 --time=10 -w "n$i"); done
for i in "${!busy[@]}"; do started "${busy[$i]}" >/dev/null; done
began=$(date +%s)
for i in "${!busy[@]}"; do
	scontrol update JobId="${busy[$i]}" EndTime="$(date -d "@$((began + i + 90))" +%Y-%m-%dT%H:%M:%S)"
done
boxes=("$(submit 4 2 --contiguous --time=1)" "$(submit 4 2 --mesh-shape=4x1:norotate --time=1)")
known() { [ "$(job_field "$1" StartTime)" != Unknown ]; }
for id in "${boxes[@]}"; do
	wait_for 20 known "$id"
	promise[$id]=$(job_field "$id" StartTime)
done
# Small ones, longer than the boxes can wait: on any of their nodes they would keep one waiting.
small=()
boxes_started() { has_started "${boxes[0]}" && has_started "${boxes[1]}"; }
running() { states "${small[@]}" | grep -o '[0-9]* RUNNING' | cut -d' ' -f1; }
some_run() { [ "0$(running)" -ge 4 ]; }
for _ in {1..6}; do small+=("$(submit 1 100 --time=2)"); done
wait_for 30 some_run
for i in "${!busy[@]}" {100..220}; do
	! boxes_started || break
	[ -z "${busy[$i]}" ] || scancel "${busy[$i]}"
	small+=("$(submit 1 100 --time=2)")
	sleep 0.5
done
for id in "${boxes[@]}"; do
	late=$(($(epoch "$(job_field "$id" StartTime)") - $(epoch "${promise[$id]}")))
	# On a busy machine it is the next cycle of backfill that starts it; a small job on one of its
	# nodes would take 100 s.
	[ "$late" -le 30 ]
	ok $? "with small jobs coming all the time a box starts $((-late)) s before it was promised"
done
some_run
ok $? "though $(running) of ${#small[@]} small ones were started meanwhile"
cancel_all
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
