#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A log as sacct prints it from a real database, with the commands of the documents: steps, jobs
# that wait, run, were cancelled or cut off, arrays, odd names, sizes above 1023. smesh reads it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_database

mesh_cluster nodes=16 cpus=128 dbd=yes topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	params=mesh_strategy=mm || exit
sacctmgr -iQ add account tests >/dev/null &&
	sacctmgr -iQ add user "$(id -un)" account=tests >/dev/null
export SBATCH_ACCOUNT=tests

over() { no_jobs; }
script() { sbatch --parsable -o /dev/null --exclusive "$@"; }

script -N4 --time=1 -J 'a,comma' --wrap 'srun true; sleep 2' >/dev/null
script -N8 -J 'two|bars|' --wrap 'srun sleep 2' >/dev/null
script -N16 --time=1-00:00:00 --wrap 'sleep 1' >/dev/null
script -N1 --array=0-2 --wrap 'exit 1' >/dev/null
script -N2 --time=UNLIMITED --wrap 'sleep 1' >/dev/null
script -N2 -J "it's \"so\"" --wrap 'srun true' >/dev/null
wait_for 120 over
ok $? "jobs of many kinds are over"
never=$(script -N3 -H --wrap true)
scancel "$never"
cut=$(script -N5 --wrap 'sleep 600')
started "$cut" >/dev/null
scancel "$cut"
wait_for 60 over
runs=$(script -N6 --time=10 --wrap 'sleep 600')
started "$runs" >/dev/null
waits=$(script -N16 --wrap true)
sleep 2
known() { [[ $(sacct -Xn -P -j "$waits" -o State) == PENDING && $(sacct -Xn -P -j "$runs" -o State) == RUNNING ]]; }
wait_for 30 known
ok $? "one runs, one waits"

# read_log NAME [OPTION]...: each job of the log is there, whatever its steps
read_log() {
	local jobs
	jobs=$("$SMESH" sim -t "$cluster_dir/topology.conf" -s linear,snug --trace log --json "${@:2}" 2>err |
		sed -n 's/^  "read": \([0-9]*\).*/\1/p')
	is "${jobs:-$(cat err)}" "$(grep -c '^[0-9_]*|' log)" "$1"
}

cd "$cluster_dir/work" || exit
columns=$(sed -n 's/.* -o \(JobID[^ ]*\).*/\1/p' "$srcdir/README.md" | head -n 1)
sacct -aP -S now-1days -o "$columns" >log
like "$(grep -c '^[0-9_]*|' log) $(grep -c '\.batch|.*|$' log)" '^1[0-9] 1[0-9]$' \
	"README's command prints jobs, and steps whose last field is empty"
read_log "it is read"
sacct -aXP -S now-1days -o "$columns" >log
read_log "without the steps as well"
sacct -ap -S now-1days -o "$columns" >log
read_log "--parsable, with a bar at the end"
sacct -aP -S now-1days -o JobID,Submit,Start,End,NCPUS,Timelimit,JobName,User,State >log
like "$(cat log)" '\|a,comma\|.*\|two\|bars\|\|.*\|Unknown\|' "names with commas and bars, an end that is not known"
read_log "are read, with processors for nodes and no ElapsedRaw" --procs-per-node=128
sacct -a -S now-1days -o "$columns" >log
fails 1 'ask sacct for --parsable2' "its table is refused with the reason" \
	"$SMESH" sim -t "$cluster_dir/topology.conf" --trace log
scancel "$runs" "$waits"
done_testing
