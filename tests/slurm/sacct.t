#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A log as sacct prints it from a real database, with the commands of the documents: steps, jobs
# that wait, run, were cancelled or cut off, arrays, odd names, sizes above 1023. smesh reads it.
# Two clusters of that database are a federation.
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
wait_for 60 over

# ---- Federation: a job goes to both clusters, and starts in the first that has a box for it ----

# runs_on ID: the node list in which the job of the federation runs; empty while it runs nowhere
runs_on() { squeue --federation --sibling -h -t R -j "$1" -o %N; }
runs_somewhere() { [ -n "$(runs_on "$1")" ]; }
joined() { [ "$(sinfo --federation -h -o %D | paste -sd+)" = 16+16 ]; }
waits_for_box() { squeue --federation -h -t PD -j "$1" -o %r | grep -q '^Waits for a box of 4x2'; }

# The shell of the second cluster; a subshell stops its own only.
federation() (
	mesh_cluster nodes=16 name=w joins="$cluster_dir" topology='MeshName=w Dims=4x4 Nodes=w[0-15]' \
		params=mesh_strategy=snug || exit 1
	sacctmgr -iQ add account tests cluster=two >/dev/null &&
		sacctmgr -iQ add user "$(id -un)" account=tests cluster=two >/dev/null
	sacctmgr -iQ add federation both clusters=mesh,two >/dev/null
	wait_for 60 joined
	ok $? "two clusters are a federation"
	shapes=()
	for i in 1 2 3 4 5; do shapes+=("$(script -N8 --mesh-shape=4x2 --wrap 'sleep 600')"); done
	for i in 0 1 2 3; do wait_for 60 runs_somewhere "${shapes[i]}"; done
	is "$(for i in 0 1 2 3; do runs_on "${shapes[i]}"; done | sort | paste -sd' ')" "n[0-7] n[8-15] w[0-7] w[8-15]" \
		"four boxes, two in each cluster, and no job in both"
	wait_for 60 waits_for_box "${shapes[4]}"
	ok $? "the fifth waits for a box in both"
	scancel "${shapes[2]}"
	wait_for 90 runs_somewhere "${shapes[4]}"
	ok $? "and starts where one is free"
	scancel "${shapes[@]}"
)
retell < <(federation)

# ---- A host of another cluster asks this one (-M) ----

# asked PLUGINDIR COMMAND...: what the command says on such a host
asked() {
	sed -e s,^ClusterName=.*,ClusterName=other, -e s,^SelectType=.*,SelectType=select/cons_tres, \
		-e '/^PlugStackConfig=/d' -e "s,^PluginDir=.*,PluginDir=$1," "$cluster_dir/slurm.conf" >"$cluster_dir/other.conf"
	SLURM_CONF=$cluster_dir/other.conf "${@:2}" 2>&1
}
slurms=$(slurm_plugin_dir)
held=$(script -N16 -H --wrap true)
like "$(asked "$builddir/plugins:$slurms" squeue -M mesh -h)" " $held " "with our plugins in its PluginDir, whatever its SelectType"
like "$(asked "$builddir/plugins:$slurms" sinfo -M mesh -h -o %N)" 'n\[0-15\]' "nodes, too"
if slurm_is -lt 23.11; then
	like "$(asked "$slurms" squeue -M mesh)" "Cluster 'mesh' has an unknown select plugin_id" "without them it cannot"
else
	like "$(asked "$slurms" squeue -M mesh -h)" " $held " "jobs also without them"
fi
scancel "$held"
done_testing
