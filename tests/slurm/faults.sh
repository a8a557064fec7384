# SPDX-License-Identifier: GPL-2.0-or-later
# What must hold after faults under load: source it after mesh.sh.
# shellcheck shell=bash

doubled=0 # how often a node was seen with two jobs

# Nodes with more than one running job, if any, as TAP comments; 1 if there are.
one_job_a_node() {
	local twice
	twice=$(host_list hostnames "$(squeue -h -t RUNNING -o %N | grep . | paste -sd,)" | sort | uniq -d)
	[ -z "$twice" ] || {
		echo "# two jobs on $(xargs <<<"$twice")"
		squeue -h -t RUNNING -o '# %i %N'
		return 1
	}
}

# waiting REASON: jobs that wait for it. Reasons are of one word or more.
waiting() {
	squeue -h -t PENDING -o '%i %r' | sed -n "s/ $1\$//p"
}

# What jobs wait for for Slurm's sake, not for ours. One that was requeued waits until its old
# credential has expired. A start that slurmctld had not saved when it was killed is made again;
# where that hits the same node, slurmd refuses the second copy ("Duplicate jobid"), and Slurm
# holds the job and drains the node until an administrator has looked.
hurry() {
	local id nodes
	for id in $(waiting BeginTime); do
		scontrol update "JobId=$id" StartTime=now
	done
	for id in $(waiting "launch failed requeued held"); do
		echo "# JobId=$id was held by Slurm: a second copy of it on $(drained)"
		scontrol release "$id"
	done
	nodes=$(drained)
	[ -z "$nodes" ] || scontrol update NodeName="$nodes" State=RESUME
}

drained() {
	sinfo -h -R -o '%E|%N' | sed -n 's/^Duplicate jobid|//p' | paste -sd,
}

nothing_left() {
	hurry
	one_job_a_node || doubled=$((doubled + 1))
	no_jobs
}

# failed_by_slurm ID: a start that slurmctld had not saved when it was killed is ended by the next one
# and made again. Where both fall into one second on the same node, slurmd takes the new credential
# for the old one and refuses it, and slurmctld fails the job (the stock plugin's as ours).
failed_by_slurm() {
	[ -n "$(ctld_log 0 "Killing non-startable batch JobId=$1( .*)?: Job credential revoked")" ] &&
		echo "# JobId=$1 was failed by Slurm: started again within the second in which its first start was ended"
}

# aftermath NAME ID...: the promises of this file
aftermath() {
	local name=$1 id lost=0
	shift
	wait_for 300 nothing_left
	ok $? "$name: all jobs end"
	for id; do
		grep -q "^JobId=$id .* JobState=COMPLETED " "$cluster_dir/log/jobs" || failed_by_slurm "$id" || {
			lost=$((lost + 1))
			echo "# lost: $(grep "^JobId=$id " "$cluster_dir/log/jobs" || echo "JobId=$id")"
			ctld_log 0 "JobId=$id( |:|$)" | tail -n 8 | sed 's/^/#   /'
		}
	done
	is "$lost" 0 "$name: none of $# jobs is lost"
	is "$doubled" 0 "$name: no node had two jobs"
	wait_for 60 cluster_all_idle
	ok $? "$name: all nodes are idle in the end"
	alive "${cluster_pid[slurmctld]}"
	ok $? "$name: slurmctld is alive"
	is "$(ctld_log 0 'fatal:|Assertion|select/mesh.*stock choice is used$')" "" "$name: nothing bad in its log"
	doubled=0
}
