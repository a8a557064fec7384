#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SelectType changed in every order, with jobs that run and have a step in them, that wait, that are
# suspended, and that were put back into the queue. doc/way-back.md has what is promised.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

# Every change from one of four to another, once.
walk=(linear cons_tres mesh cons_tres cons_tres_mesh linear mesh linear cons_tres_mesh mesh cons_tres_mesh cons_tres)
# Whole nodes, which select/linear knows only.
cluster_start nodes=8 cpus=2 partition=OverSubscribe=EXCLUSIVE loglevel=verbose plugins="$builddir/plugins" \
	plugstack="$spank_plugin" topology='MeshName=m Dims=4x2 Nodes=n[0-7]' select_params=CR_CPU || exit

# change SELECT: and a restart of all daemons
change() {
	local params=CR_CPU
	[ "$1" != linear ] || params=CR_ONE_TASK_PER_CORE
	slurmctld_stop
	slurmd_stop TERM "${cluster_names[@]}"
	cluster_set select="select/$1" select_params="$params"
	slurmctld_start && slurmd_start "${cluster_names[@]}" && wait_for 60 cluster_all_known
}

# What must be the same after a change: STATE NODES RESTARTS of each job, and the steps
picture() {
	local id
	for id in "$running" "$suspended" "$waiting" "$requeued" $shape; do
		echo "$(job_state "$id") $(job_nodes "$id") $(job_field "$id" NumNodes | cut -d- -f1) $(job_field "$id" Restarts)"
	done
	squeue -h -s -o '%i %N' | sort
}

step_runs() {
	squeue -h -s -j "$1" -o %i | grep -q '\.0$'
}

running=$(sbatch --parsable -o "$cluster_dir/work/step" --chdir="$cluster_dir/work" -N3 <<'SCRIPT'
#!/bin/sh
srun sh -c 'while [ ! -e end ]; do sleep 0.2; done; echo done'
SCRIPT
)
started "$running" >/dev/null
suspended=$(submit 2 600)
started "$suspended" >/dev/null
scontrol suspend "$suspended"
requeued=$(submit 3 600 --requeue)
started "$requeued" >/dev/null
scontrol requeue "$requeued"
scontrol hold "$requeued"
waiting=$(submit 7 1 --hold)
wait_for 20 step_runs "$running"
wait_for 30 job_is "$requeued" PENDING
before=$(picture)
like "$before" "^RUNNING n.*SUSPENDED n.*PENDING .*PENDING .* 1.*$running\.0 n" "a job that runs with a step, one suspended, one waiting, one requeued"
from=cons_tres shape=
for to in "${walk[@]}"; do
	change "$to"
	ok $? "from $from to $to: daemons start"
	is "$(picture)" "$before" "from $from to $to: jobs, their nodes and steps are as they were"
	id=$(submit 1 600)
	started "$id" >/dev/null
	is "$(job_state "$id")" RUNNING "from $from to $to: a new job runs"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
	from=$to
	[ "$to,$shape" = mesh, ] || continue
	shape=$(sbatch --parsable -o /dev/null --mesh-shape=2x2 --hold --wrap 'sleep 1')
	before=$(picture)
	like "$before" "PENDING  4 0" "a job of a shape is added, of four nodes"
done
touch "$cluster_dir/work/end"
wait_for 30 job_is "$running" COMPLETED
is "$(job_state "$running"), $(xargs <"$cluster_dir/work/step")" "COMPLETED, done done done" "the step ends as it should"
scontrol resume "$suspended"
wait_for 20 job_is "$suspended" RUNNING
is "$(job_state "$suspended")" RUNNING "what was suspended goes on"
scontrol release "$requeued"
scontrol update JobId="$requeued" StartTime=now
wait_for 150 job_is "$requeued" RUNNING
is "$(job_state "$requeued") $(job_field "$requeued" NumNodes)" "RUNNING 3" "what was requeued runs again"
scancel "$suspended" "$requeued"
scontrol release "$waiting,$shape"
wait_for 60 job_is "$waiting" COMPLETED
wait_for 60 job_is "$shape" COMPLETED
is "$(job_state "$shape") $(job_field "$shape" NumNodes)" "COMPLETED 4" "the shape has had its four nodes"
is "$(job_state "$waiting") $(job_field "$waiting" NumNodes)" "COMPLETED 7" "what waited has run"
wait_for 30 cluster_all_idle
ok $? "all nodes are idle at the end"
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
