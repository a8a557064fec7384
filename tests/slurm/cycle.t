#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mesh_max_cycle: jobs that are hard to place take a part of slurmctld's time and no more, one user's
# jobs half of that, and those of others are placed as well as ever. One line a minute and smesh metrics
# tell.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin

# A box on an idle torus of six dimensions: snug-box finds no end of bases, and takes all its time.
limit=50000
mesh_cluster nodes=2048 standin="$standin" debug= topology='MeshName=m Dims=4x4x4x4x4x2 Wrap=all Nodes=n[0-2047]' \
	params=mesh_strategy=snug,mesh_log=yes,mesh_max_time=25000,mesh_max_cycle=$limit || exit

# decisions: "uid strategy usec" of each decision about a box since the mark
decisions() {
	ctld_log "$mark" "select/mesh: JobId=[0-9]+ mode=[a-z_]+ strategy=(snug-box|ff) " |
		sed 's/.* JobId=\([0-9]*\) .* strategy=\([a-z-]*\) .* usec=\([0-9]*\).*/\1 \2 \3/'
}
# first_of JOB: the strategy of the first decision about it; fails while there is none
first_of() { decisions | awk -v id="$1" '$1 == id { print $2; found = 1; exit } END { exit !found }'; }
box() { MESH_RUNTIME=600 submit 32 600 --export=MESH_RUNTIME --contiguous --exclusive "$@"; }
count() { decisions | awk -v name="$1" '$2 == name { n++ } END { print n + 0 }'; }

mark=$(ctld_log_lines)
box >/dev/null
is "$(decisions | head -n 1 | cut -d' ' -f2)" snug-box "the first box is snug-box's"
mark=$(ctld_log_lines)
began=$(date +%s)
ids=()
for ((i = 0; i < 30; i++)); do ids+=("$(box)"); done
seconds=$(($(date +%s) - began + 1))
full=$(count snug-box) quick=$(count ff)
# Each takes 25 ms, half of what all get in two seconds: one for one user, and some that are begun.
[ "$full" -le $((seconds + 3)) ] && [ "$quick" -gt 0 ]
ok $? "30 more in $seconds s: $full decisions in full, $quick in a hurry"
for id in "${ids[@]}"; do started "$id" >/dev/null; done
is "$(states "${ids[@]}")" "30 RUNNING" "and all of them run, each in a box"
like "$(ctld_log 0 'select/mesh: budgets: ')" \
	"budgets: [0-9]+ decisions took [0-9]+ ms; [1-9][0-9]* came to the end of mesh_max_time" "the log tells"
lines=$(ctld_log 0 'select/mesh: budgets: ' | wc -l)
[ "$lines" -le $((($(date +%s) - began) / 60 + 2)) ]
ok $? "once a minute ($lines)"

# ---- Counters ----
# counter NAME: of slurmctld's, as smesh metrics tells it; they are written once a second at most
counter() { "$SMESH" metrics | grep -v '^#' | grep -F "$1 " | cut -d' ' -f2; }
# at_least NAME NUMBER
at_least() { awk -v is="$(counter "$1")" -v least="$2" 'BEGIN { exit !(is >= least && is != "") }'; }
uid="{uid=\"$(id -u)\"}"
wait_for 20 at_least "smesh_user_quick_total$uid" "$quick"
ok $? "smesh metrics: tests of jobs in a hurry, of this user ($(counter "smesh_user_quick_total$uid"))"
at_least "smesh_user_cycles_spent_total$uid" 1 && at_least smesh_cycles_total "$(counter "smesh_user_cycles_spent_total$uid")"
ok $? "... cycles in which his part was used up ($(counter "smesh_user_cycles_spent_total$uid") of $(counter smesh_cycles_total))"
at_least smesh_decisions_cut_short_total 1 && at_least smesh_decisions_total "$(counter smesh_decisions_cut_short_total)" &&
	at_least smesh_decision_cpu_seconds_total 0.005
ok $? "... decisions cut short ($(counter smesh_decisions_cut_short_total) of $(counter smesh_decisions_total))"

# ---- Somebody else ----
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$cluster_dir" "$cluster_dir/work"
	mark=$(ctld_log_lines)
	for ((i = 0; i < 6; i++)); do box >/dev/null; done
	[ "$(count ff)" -gt 0 ]
	ok $? "a user who has used up his part of the cycle ..."
	mark=$(ctld_log_lines)
	other=$(box --uid=1 --chdir=/)
	# Jobs of the first user that still wait are looked at in between.
	wait_for 20 first_of "$other" >/dev/null
	is "$(first_of "$other")" snug-box "... and one who has not"
	wait_for 20 at_least 'smesh_user_decision_cpu_seconds_total{uid="1"}' 0.005
	ok $? "each has a count of his own"
	scancel "$other"
fi

# ---- A flood does not keep others out ----
# slowest: of ten that ask when a job could start, how long it takes (ms)
slowest() {
	local i began took most=0
	for i in {1..10}; do
		began=$(date +%s%N)
		sbatch --test-only -N1 --wrap true 2>/dev/null
		took=$((($(date +%s%N) - began) / 1000000))
		[ "$took" -le "$most" ] || most=$took
	done
	echo "$most"
}
cancel_all
before=$(slowest)
cluster_set params=mesh_strategy=snug,mesh_log=yes && reconfigure
for ((i = 0; i < 40; i++)); do box --nodes=48 >/dev/null & done
wait
most=$(slowest)
# Where others have the processors all takes longer, with nobody in the queue too.
[ "$most" -lt 5000 ] || [ "$most" -lt $((50 * before)) ]
ok $? "while 40 jobs are placed others are answered ($most ms at most; $before before)"

# ---- A disk that does not answer ----
# The counters' file is not opened before somebody reads it: nobody waits for that but its writer.
cancel_all
rm -f "$cluster_dir/state/mesh_budgets.prom.new"
mkfifo "$cluster_dir/state/mesh_budgets.prom.new"
mark=$(ctld_log_lines)
box >/dev/null
sleep 1.1
timeout 20 sinfo >/dev/null && timeout 20 sinfo >/dev/null
ok $? "slurmctld answers while its counters cannot be written"
wait_for 20 first_of "$(box)" >/dev/null
ok $? "and places jobs"
timeout 20 cat "$cluster_dir/state/mesh_budgets.prom.new" | grep -q '^smesh_decisions_total [1-9]'
ok $? "they are written when they can be"
rm -f "$cluster_dir/state/mesh_budgets.prom.new"
mkfifo "$cluster_dir/state/mesh_budgets.prom.new"
box >/dev/null
wait_for 20 first_of "$(box)" >/dev/null
kill "${cluster_pid[slurmctld]}"
timeout 20 tail --pid="${cluster_pid[slurmctld]}" -f /dev/null
! alive "${cluster_pid[slurmctld]}"
ok $? "slurmctld ends by itself while a write goes on"
rm -f "$cluster_dir/state/mesh_budgets.prom.new"
slurmctld_start
# Nor for the line about the map, which is written at a reconfiguration.
wait_for 20 test -s "$cluster_dir/state/mesh_map"
line=$(cat "$cluster_dir/state/mesh_map")
rm "$cluster_dir/state/mesh_map"
mkfifo "$cluster_dir/state/mesh_map.new"
timeout 20 scontrol reconfigure && timeout 20 sinfo >/dev/null
ok $? "slurmctld is reconfigured while its map's line cannot be written"
is "$(timeout 20 cat "$cluster_dir/state/mesh_map.new")" "$line" "it is written when it can be"
rm -f "$cluster_dir/state/mesh_map.new" "$cluster_dir/state/mesh_map"
reconfigure
wait_for 20 test -s "$cluster_dir/state/mesh_map"
is "$(cat "$cluster_dir/state/mesh_map")" "$line" "and after the next reconfiguration it is there"

# ---- What all use up ----
if [ "$(id -u)" -eq 0 ]; then
	cancel_all
	cluster_set params=mesh_strategy=snug,mesh_log=yes,mesh_max_cycle=20000 && reconfigure
	for ((i = 0; i < 8; i++)); do box --uid=$((1 + i % 2)) --chdir=/ >/dev/null & done
	wait
	wait_for 20 at_least smesh_cycles_spent_total 1
	ok $? "smesh metrics: cycles in which all was used up ($(counter smesh_cycles_spent_total))"

	# Each of them has had less than his share when all is used up.
	mapfile -t users < <(getent passwd | cut -d: -f3 | awk '$1 > 0 && $1 < 1000' | head -n 16)
	cancel_all
	cluster_set params=mesh_strategy=snug,mesh_log=yes,mesh_max_cycle=$limit && reconfigure
	sleep 2
	spent=$(counter smesh_decision_cpu_seconds_total) cycles=$(counter smesh_cycles_total)
	for ((i = 0; i < 4 * ${#users[@]}; i++)); do
		box --uid="${users[i % ${#users[@]}]}" --chdir=/ >/dev/null &
	done
	wait
	sleep 2
	each=$(awk -v a="$spent" -v b="$(counter smesh_decision_cpu_seconds_total)" -v c="$cycles" \
		-v d="$(counter smesh_cycles_total)" 'BEGIN { print (b - a) / (d > c ? d - c : 1) }')
	# One and a half times the limit, and the decision that is begun.
	awk -v each="$each" -v limit="$limit" 'BEGIN { exit !(each > 0 && each < 1.5 * limit / 1e6 + 0.15) }'
	ok $? "${#users[@]} users take $each s of a cycle"
fi
done_testing
