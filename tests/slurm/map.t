#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh map and smesh check on a running cluster (with the stock plugin: they ask slurmctld).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"

cluster_start nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' conf='Licenses=token:1
PartitionName=two Nodes=ALL MaxNodes=2
PartitionName=short Nodes=ALL MaxTime=1
PartitionName=closed Nodes=ALL State=DOWN
PartitionName=idle Nodes=ALL State=DOWN' || exit

one=$(submit 4 100 -t 30 -w 'n[0-1,4-5]')
two=$(submit 3 100 -w 'n[10-11,15]')
wait_for 10 job_is "$one" RUNNING
wait_for 10 job_is "$two" RUNNING
scontrol update NodeName=n3 State=DRAIN Reason=test
scontrol update NodeName=n12 State=DOWN Reason=test

map=$("$SMESH" map)
is $? 0 "a live map, topology.conf beside slurm.conf"
is "$(sed -n 3,6p <<<"$map")" "A A . %
A A . .
. . B B
# . . B" "jobs, drained and down nodes are where they are"
like "$map" "A $one +$(id -un) +4 +1.333" "the legend: job, user, nodes, mean hops"
like "$map" "B $two +$(id -un) +3 +1.333" "of each job"
like "$map" 'free 7 +% drained 1 +# down 1 +busy 7 of 16' "and the counts"
"$SMESH" map --svg "$cluster_dir/map.svg"
is "$(grep -c '<rect class="job"' "$cluster_dir/map.svg")" 7 "as SVG"

three=$(submit 12 100)
wait_for 10 job_is "$three" PENDING
like "$("$SMESH" top -n 1)" "A $one .* [0-9]+ (s|min).*waiting.*$three +$(id -un) +12 " "top: time left, and who waits"
like "$("$SMESH" why "$three")" "^job $three .$(id -un). waits.*12 nodes, reason .*free: 7 of 16" "why a job waits"
like "$("$SMESH" why "$one")" "^job $one .* runs: 4 nodes on m, 1.33 hops" "or where it runs"
like "$("$SMESH" metrics)" 'state="drained". 1.*state="waiting". 1' "metrics of a cluster"
scancel "$three"

out=$("$SMESH" check)
is $? 6 "check reads the cluster's files, where mesh_ keys lack their SelectType"
like "$out" 'mesh m: 4x4.*slurm.conf: 16 nodes, SelectType=select/cons_tres.*are not used' \
	"and sees that nothing uses the mesh"

# A job that ends leaves the map.
scancel "$one"
gone() { ! "$SMESH" map | grep -q "A $one "; }
wait_for 10 gone
ok $? "a job that ends leaves the map"

# ---- Why: a job for each kind of reason ----
scancel "$two"
export SBATCH_TIMELIMIT=60
scontrol create reservation ReservationName=later Nodes=n15 Users="$(id -un)" StartTime=now+1days Duration=10 >/dev/null
scontrol create reservation ReservationName=others Nodes='n[8-9]' Users=daemon StartTime=now Duration=UNLIMITED >/dev/null
declare -A kind=()
wants() { kind[$1]=$2; }
runs=$(submit 1 600 -w n0 -L token)
gone=$(submit 1 600 --hold)
wants JobHeldUser "$(submit 1 600 --hold)"
wants JobHeldAdmin "$(submit 1 600 --begin=now+1hour)"
scontrol hold "${kind[JobHeldAdmin]}"
wants BeginTime "$(submit 1 600 --begin=now+1hour)"
wants Dependency "$(submit 1 600 --dependency=afterok:"$runs")"
wants DependencyNeverSatisfied "$(submit 1 600 --dependency=afterok:"$gone")"
scancel "$gone"
wants Licenses "$(submit 1 600 -L token)"
wants PartitionNodeLimit "$(submit 3 600 -p two)"
wants PartitionTimeLimit "$(submit 1 600 -p short --time=5)"
wants PartitionDown "$(submit 1 600 -p closed)"
wants PartitionInactive "$(submit 1 600 -p idle)"
scontrol update PartitionName=idle State=INACTIVE
wants Reservation "$(submit 1 600 --reservation=later)"
wants ReqNodeNotAvail "$(submit 1 600 -w n3)"
tasks=$(submit 1 600 --array=1-3%1 -w n1)
wants JobArrayTaskLimit "${tasks}_2"
wants Resources "$(submit 12 600 --time=9)"
wants Priority "$(submit 12 600 --time=9)"
has_reason() { [[ $(squeue -h -r -j "$2" -o %r) == "$1"* ]]; }
for word in "${!kind[@]}"; do
	id=${kind[$word]}
	wait_for 40 has_reason "$word" "$id" || echo "# $id: $(squeue -h -r -j "$id" -o %r)"
	why=$("$SMESH" why "$id")
	case $word in
	Resources | Priority) like "$why" "reason .*free: .*room: " "why: $word: who is in the way" ;;
	*)
		like "$why" "reason $word.*means: .*helps: " "why: $word"
		is "$(grep -cE '^(room|free|in the way|cheapest)' <<<"$why")" 0 "$word: nothing about room ($(grep ^means <<<"$why"))"
		;;
	esac
done
like "$("$SMESH" why "${kind[Resources]}")" 'free: 12 of 16.*it may have 10 of them' "nodes that are reserved for others are none for it"
like "$("$SMESH" why "${kind[BeginTime]}")" 'expects it to start in (1.0 h|[56][0-9] min)' "and a time where slurmctld has one"
like "$("$SMESH" why "${tasks}_3")" "^job ${tasks}_.2-3%1. " "tasks of an array, as squeue prints them"
like "$("$SMESH" map)" " ${tasks}_1 " "on the map too"
# Others' jobs are shown to administrators alone.
if [ "$(id -u)" -ne 0 ]; then
	skip "a user is shown no jobs of others to requeue" "not root"
elif ! setpriv --reuid=nobody --clear-groups test -x "$SMESH"; then
	skip "a user is shown no jobs of others to requeue" "only root may enter this tree"
else
	like "$(setpriv --reuid=nobody --clear-groups env SLURM_CONF="$SLURM_CONF" "$SMESH" why -t "$cluster_dir/topology.conf" \
		"${kind[Resources]}" 2>&1)" 'place: none by jobs of your own alone' "a user is shown no jobs of others to requeue"
fi

done_testing
