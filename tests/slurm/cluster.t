#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The harness itself, with stock Slurm: clusters come up, do not see each other, leave nothing.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons

cluster_start nodes=8
ok $? "a cluster of 8 nodes comes up"
id=$(submit 8 4)
ok $? "a job is submitted"
wait_for 20 job_is "$id" RUNNING
is "$(job_nodes "$id")" "n[0-7]" "it gets its nodes"
is "$(idle_nodes)" "" "no node is idle then"
wait_for 20 job_is "$id" COMPLETED
ok $? "it completes"
wait_for 10 cluster_all_idle
is "$(idle_nodes)" "n[0-7]" "all nodes are idle again"
like "$(job_record "$id")" "JobState=COMPLETED.*NodeList=n\[0-7\]" "its record is written"

# A second cluster beside the first, in a shell of its own that is interrupted half-way. (What a shell
# starts in the background ignores SIGINT.)
env --default-signal=INT bash -c '. "$srcdir/tests/slurm/cluster.sh"
	cluster_start nodes=4 name=other || exit 1
	sinfo -h -o %N
	submit 4 100 >/dev/null
	wait_for 20 job_is 1 RUNNING
	echo "$cluster_dir"
	kill -INT $$
	sleep 10' >"$cluster_dir/other"
is "$?" 130 "another cluster beside it is interrupted"
is "$(head -1 "$cluster_dir/other")" "other[0-3]" "it had its own nodes"
other=$(tail -1 "$cluster_dir/other")
[ -n "$other" ] && [ ! -e "$other" ]
ok $? "its directory is gone"
is "$(grep -lsz "$other" /proc/[0-9]*/environ)" "" "and so are its processes and its job"
is "$(sinfo -h -o '%N %t')" "n[0-7] idle" "the first one is as it was"

id=$(submit 4 300)
wait_for 20 job_is "$id" RUNNING
save_state "$id"
slurmctld_stop KILL
slurmctld_start
is "$(job_state "$id")" RUNNING "a job survives kill -9 of slurmctld"
scancel "$id"
slurmd_stop KILL n7
slurmd_start n7
cluster_set debug=Priority
scontrol reconfigure
wait_for 10 grep -q Priority <(scontrol show config)
like "$(scontrol show config)" "DebugFlags *= Priority" "a changed slurm.conf counts after reconfigure"

# contrib/sweep.sbatch on four nodes: a sweep by a job array is that of one machine, also after a task was lost.
runs=${SWEEP_RUNS:-10}
cd "$cluster_dir/work" || exit
PATH=$(dirname "$(realpath "$SMESH")"):$PATH
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >topology.conf
for i in {1..20}; do
	echo "$i $((30 * i)) -1 $((400 + i * 37 % 1200)) $((2 + i * 7 % 9)) -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1"
done >"$PWD/jobs"
sed -e "s/^loads=.*/loads=(0.7 0.9) strategies=(linear mm) runs=$runs/" -e "s/array=0-89/array=0-$((4 * runs - 1))/" \
	"$srcdir/contrib/sweep.sbatch" >sweep.sbatch
sweep() { sbatch --parsable -o /dev/null -x 'n[4-7]' "$@" sweep.sbatch; }
begin=$SECONDS
id=$(sweep)
scancel "${id}_$((2 * runs + 6))"
wait_for 600 no_jobs
echo "# $((4 * runs)) tasks in $((SECONDS - begin)) s"
is "$(smesh gather sweep/0.9/* 2>&1 >/dev/null)" "smesh: linear: of $runs runs these are missing: 7" "a task that was killed: gather says which"
is "$(smesh gather sweep/0.7/* 2>&1 >/dev/null)" "" "all others are there"
touch mark
sleep 1
sweep --wait >/dev/null
is "$(find sweep -type f -newer mark)" "sweep/0.9/linear.7" "the array again makes only that"
for load in 0.7 0.9; do
	plain() { sed -e '/"decision_/d' -e '/"date"/d' -e '/"command"/d'; }
	is "$(smesh gather --json sweep/$load/linear* sweep/$load/mm* | plain)" \
		"$(smesh sim -t topology.conf --trace jobs --shake 300 --load $load -s linear,mm --repeat "$runs" --json | plain)" \
		"load $load: the sweep is one smesh sim, digit by digit"
done
if /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
	is "$(PYTHONPATH=$srcdir/contrib/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import pandas, smesh
options = dict(trace="jobs", shake=300, repeat=4)
one = smesh.sweep("topology.conf", "linear,mm", {"load": [0.7, 0.9]}, **options)
many = smesh.sweep("topology.conf", "linear,mm", {"load": [0.7, 0.9, -1]}, folder="folder", executor="slurm", runs=2, **options)
names = [name for name in one.columns if not name.startswith("decision")]
pandas.testing.assert_frame_equal(many[names], one[names])
print(len(many), many.attrs["failed"])' 2>/dev/null)" "4 {'load=-1': 'smesh: --load=-1: not a number from 1e-06 to 1000'}" "and so is one from Python"
else
	skip "and so is one from Python" "no pandas"
fi
cd / || exit
unset OLDPWD # it is in the environment of each command

dir=$cluster_dir
cluster_stop
[ ! -e "$dir" ]
ok $? "nothing is left of the directory"
# A slurmstepd that was told to end may take a moment.
for _ in {1..50}; do
	left=$(grep -lsz "$dir" /proc/[0-9]*/environ) || break
	sleep 0.2
done
is "$left" "" "nor of the processes"
done_testing
