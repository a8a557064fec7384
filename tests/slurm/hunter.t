#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A hunter for jobs that starve, or are changed, because of us: random mixes of requests
# (hunter/mix.awk), the same for the stock plugin and for ours, on 36 nodes in two meshes and out
# of them. A seed is one private cluster with a process in the place of its slurmd:
#
#   stock   the jobs of mixes A and B, until all that can start has run
#   ours    1. mix A: the same jobs must be refused, in the same words, and the records of the
#              others be the same
#           2. when nothing starts any more: all that runs has the sizes that it asked for, and
#              of what waits the stock plugin, started anew with the same state, starts nothing
#           3. mix B among faults: other maps, nodes drained and down, jobs requeued, suspended,
#              cancelled and (those that wait) updated, slurmctld stopped and killed -9; when all is mended, as in 2.
#           4. running jobs end until nothing starts on an empty machine: the same jobs are left as
#              under the stock plugin
#
# Of some seeds the last nodes of the second mesh are dynamic, from 25.05 on: slurmctld is told of them
# when it runs, and they say where they are, which is not where the map has their names. (Before that
# slurmctld asks those of `scontrol create` at SlurmdPort, whatever their own: on one host they do not
# answer, keep their jobs completing, and are DOWN after SlurmdTimeout.)
#
# Backfill looks but a minute ahead and jobs run for ever, so that no job may wait in favour of
# another: what fits has to start. Jobs that want a box may be refused, and are left out of 2. and 4.
#
# SEEDS=100 in the environment: so many seeds (10); FIRST=N: from that one on (15); JOBS_A=N,
# JOBS_B=N: of each mix (30, 20); FAULTS=N (8); PARALLEL=N: clusters side by side (10, as
# a seed mostly waits for backfill, which comes once a second); KEEP=DIR:
# what was asked and found stays there; REAL=1: real slurmd, for versions that the stand-in does not
# speak; HUNTER_WRAP: see cluster.sh's wrap.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
[ -n "$REAL" ] || need_standin
hunter=$srcdir/tests/slurm/hunter
out=${KEEP:-$(mktemp -d)}
mkdir -p "$out"
[ -n "$KEEP" ] || trap 'rm -rf "$out"' EXIT

# With plugins of `configure --enable-sanitizers` their libraries come first in all that loads one.
asan=$(ldd "$builddir/plugins/select_mesh.so" | awk '/libasan/ { print $3 }')
if [ -n "$asan" ]; then
	HUNTER_WRAP="env LD_PRELOAD=$asan ASAN_OPTIONS=detect_leaks=0:log_path=$out/asan UBSAN_OPTIONS=log_path=$out/ubsan:print_stacktrace=1"
	for program in sbatch squeue scontrol scancel sinfo sdiag; do
		eval "$program() { ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$asan command $program \"\$@\"; }"
	done
fi

# ---- The machine of a seed ----

. "$hunter/machine.sh"
kinds=(CR_Core_Memory CR_CPU_Memory CR_Core CR_Socket_Memory CR_CPU)
strategies=('' mm hilbert-bf mc1x1 linear)

# plan SEED: stock, ours, cr, strategy and gang of a seed: are preempted jobs suspended, not requeued? From 25.05 Slurm goes by the id of our plugin,
# cons_tres's, and leaves it to us to refuse --gpus over select/linear: when nodes are looked at.
plan() {
	late=
	stock=select/cons_tres ours=select/mesh cr=${kinds[$1 % 5]} strategy=${strategies[$1 / 2 % 5]} base=
	[ $(($1 % 4)) -ne 1 ] || ours=select/cons_tres_mesh
	[ $(($1 % 4)) -ne 1 ] || slurm_is -lt 25.05 || late=yes
	[ $(($1 % 6)) -ne 5 ] || stock=select/linear cr=CR_Memory ours=select/mesh base=mesh_base=linear, late=
	gang=
	[ -n "$base" ] || [ $(($1 % 7)) -ne 3 ] || gang=GANG
	node_gres=0
	[ -z "$base" ] || slurm_is -lt 25.05 || node_gres=1
}

# select_by SELECT: where nodes tell their places topology/mesh hears them; stock is without ours
select_by() {
	local topology=
	[ -z "$late" ] || [ "$1" = "$stock" ] || topology=topology/mesh
	cluster_set select="$1" topology_plugin="$topology"
	sed -i "s,^SelectType=.*,SelectType=$1," "$cluster_dir/nodes.conf"
}

# Their configuration has all nodes, those of $late too.
nodes_start() {
	SLURM_CONF=$cluster_dir/nodes.conf slurmd_start "${cluster_names[@]}"
}

# The nodes of $late, which are in a file of the nodes' own, are made while slurmctld runs.
create_late() {
	local line
	grep 'Feature=.*,late' "$cluster_dir/nodes.conf" | while read -r line; do
		# shellcheck disable=SC2086
		scontrol create $line State=FUTURE || return
	done
}

# boot SELECT: all daemons, with no job known
boot() {
	rm -rf "$cluster_dir/state"
	mkdir "$cluster_dir/state"
	select_by "$1"
	slurmctld_start && create_late && nodes_start && wait_for 60 all_idle || return
	scontrol create reservation ReservationName=kept Nodes=n[4-7] Users=root,daemon StartTime=now \
		Duration=UNLIMITED >/dev/null
	[ "$stock" = select/linear ] || "$builddir/test-programs/core_reservation" cores root n20 n21 >/dev/null
	# Where nothing waits backfill has no cycles to count: this one waits for ever, for n36.
	ask watch -J watch -w n36 >&2
}

all_idle() {
	[ "$(idle_names | wc -l)" -eq 36 ]
}

halt() {
	slurmctld_stop "$@"
	slurmd_stop TERM "${cluster_names[@]}"
}

# again SELECT: slurmctld, with what it has saved; and slurmd, which does not understand the messages of
# another plugin's slurmctld. The stand-in does.
again() {
	slurmctld_stop
	[ -z "$REAL" ] || slurmd_stop TERM "${cluster_names[@]}"
	select_by "$1"
	[ -z "$REAL" ] || nodes_start
	slurmctld_start && all_known || found "slurmctld does not start again with $1"
}

# A new slurmctld asks for the nodes' states some seconds later; the stand-in says them at once.
all_known() {
	[ -z "${cluster[standin]}" ] || signal_pids HUP "${cluster_pid[standin]}"
	wait_for 60 cluster_all_known
}

# found TEXT: what should not be
found() {
	echo "seed $seed: $*" >>"$here/found"
}

# ---- Jobs ----

open_partitions() {
	printf "update PartitionName=%s State=$1\n" "${partitions[@]}" | scontrol >/dev/null
}

# ask NUMBER OPTION...: its line of answers
ask() {
	local number=$1 answer
	shift
	answer=$(sbatch --parsable -o /dev/null --chdir="$cluster_dir/work" "$@" "$here/script" 2>&1) ||
		answer="refused: $answer"
	echo "$number ${answer//$'\n'/ }"
}

# Lines of a mix: jobs to answers, faults as they come
submit_mix() {
	local number most least tasks cpus box options
	while read -r number least most tasks cpus box options; do
		if [ "$number" = '!' ]; then
			fault "$least" "$most" >&2
			continue
		fi
		read -ra options <<<"$options"
		ask "$number" "${options[@]}"
		alive "${cluster_pid[slurmctld]}" || { found "slurmctld is gone after job $number: ${options[*]}"; return 1; }
	done
}

# queue PROGRAM: awk's, on squeue's view of all jobs and tasks, but for boot()'s: ID|NAME|STATE|PRIORITY|REASON
queue() {
	squeue -h -a -r -t all -S i -o '%i|%j|%T|%p|%r' | awk -F'|' "\$2 == \"watch\" { next } ${1:-1}"
}

# in_state STATE[|STATE]: ID|NAME of jobs in one of them
in_state() {
	queue "\$3 ~ /^($1)\$/ { print \$1 FS \$2 }"
}

# Ids of what holds nodes, in one line
started() {
	queue '$3 ~ /^(RUNNING|SUSPENDED)$/ { printf "%s ", $1 }'
}

# What waits for Slurm's sake only: requeued jobs until their credential has expired
hurry() {
	local id why
	while read -r id why; do
		[ "$why" != BeginTime ] || scontrol update JobId="$id" StartTime=now
	done < <(squeue -h -a -t PD -o '%i %r')
}

# Until nothing starts any more, and all that has ended has left its nodes
settle() {
	local before now=
	for _ in {1..20}; do
		before=$now
		hurry
		wait_for 60 none_completing || found "jobs complete for three minutes: $(squeue -h -a -t CG -o '%i %N' | xargs)"
		go_round || found "no cycle within three minutes"
		now=$(queue '{ print $1, $3 }')
		[ "$now" != "$before" ] || return 0
	done
	found "no rest after 20 rounds"
}

# The first job for which nodes are kept
first_in_line() {
	queue '$3 == "PENDING" && $4 > 0 && $5 ~ /^Resources|[Tt]opolog|box/ && !n++ { sub(/\+.*/, "", $1); print $1 }'
}

# Jobs of which the stock plugin has told backfill, by ours, that they start now, and which do not: it
# does not look who shares which nodes with whom, and select_nodes() leaves those out. It may have said so
# of nodes that our strategy chose, and refuses all nodes then. Backfill may ask again in the same cycle,
# and be told of later; the nodes of the first answer are kept all the same.
stuck() {
	awk 'match($0, /JobId=[0-9]+/) {
			id = substr($0, RSTART + 6, RLENGTH - 6)
			second = substr($1, 1, 20)
		}
		/ mode=will_run / {
			says = / chosen=[1-9]/ && !/ later$/
			now[id] = says && / strategy=stock /
			ours[id] = says && !now[id]
			asked[id] = second
		}
		/ mode=run_now strategy=stock .* chosen=0 / && ours[id] { now[id] = 1 }
		/ mode=run_now .* chosen=0 / && now[id] { refused[id] = second }
		END { for (id in now) if (now[id] || refused[id] == asked[id]) print id }' \
		"$cluster_dir/log/slurmctld.log" | sort >"$here/says_now"
	queue '$3 == "PENDING" && $4 > 0 { sub(/[+_].*/, "", $1); print $1 }' | sort -u |
		comm -12 - "$here/says_now" | paste -sd,
}

# empty PHASE: running jobs end until none starts; what is left, as ID NAME REASON. Some
# never start on an empty machine, under no plugin ([a*2&b*2] with tasks) or for want of a box, and
# backfill keeps nodes for them: which others lack them depends on the order. So they are held for the
# others' sake, one after the other.
empty() {
	local ids line aside=()
	for _ in {1..40}; do
		ids=$(started)
		if [ -z "$ids" ]; then # nothing is left when nothing starts in two rounds either
			settle
			ids=$(started)
			line=$(first_in_line)
			[ -n "$ids$line" ] || break
		fi
		if [ -n "$ids" ]; then
			# shellcheck disable=SC2086
			scancel --quiet $ids
			wait_for 20 none_completing
		else
			scontrol hold "$line"
			aside+=("$line")
		fi
		hurry
		go_round || found "no cycle within three minutes"
	done
	[ -z "$ids" ] || found "jobs start after 40 rounds"
	[ ${#aside[@]} -eq 0 ] || scontrol release "${aside[@]}"
	queue '$3 == "PENDING" { print $1, $2, $5 }' >"$here/left.$1"
}

none_completing() {
	[ -z "$(squeue -h -a -t CG -o %i)" ]
}

# ---- Judges ----

# Jobs that both took: among faults one is taken that is refused where all nodes are up.
taken_by_both() {
	awk '/refused/ { refused[$1] } { asked[$1] } END { for (n in asked) if (!(n in refused)) print n }' \
		"$here"/answers.*
}

# What of a job's record must be the same, whoever is asked: all but numbers of jobs, times, paths,
# what is ours, OverSubscribe (26.05: Exclusive) of the partition looked at last, and nodes where they
# are a guess.
moments='SubmitTime|EligibleTime|AccrueTime|StartTime|EndTime|SuspendTime|PreemptEligibleTime|LastSchedEval|RunTime'
others='ArrayJobId|HetJobId|HetJobIdSet|Command|WorkDir|StdErr|StdIn|StdOut|Reason|Priority|BatchHost|AllocNode:Sid|Scheduler'
records() {
	scontrol show job -o | tr -s ' ' | but_boxes |
		sed -E "s/^JobId=[0-9]+//; s/ ($moments|$others)=[^ ]*//g
			s/ SystemComment=mesh:( [a-z-]+(=[^ ]*)?)*//
			/ Partition=[^ ]*,/s/ (OverSubscribe|Exclusive)=[^ ]*//g
			s/ NumNodes=[0-9]+ / /; s/ NumNodes=[0-9]+-/ NumNodes=-/; s/,node=[0-9]+,/,/"
}

# What is wrong with the sizes of jobs that run, a line each: job NAME ...
wrong_sizes() {
	scontrol show job -o | awk -f "$hunter/judge.awk" "$here/mix" - | while read -r job name rest; do
		updated "$name" || echo "$job $name $rest"
	done
}

# sizes PHASE: but for jobs with which the stock plugin, on its own, did the same
sizes() {
	wrong_sizes | awk 'FILENAME != "-" { known[$2]; next } !($2 in known)' "$here/sizes.stock" - | while read -r line; do
		found "$1: $line"
	done
}

# What is asked of each job: its least nodes, whether in a box, its options
declare -A mix_least mix_box mix_options
read_mix() {
	local name least most tasks cpus box options
	while read -r name least most tasks cpus box options; do
		mix_least[$name]=$least mix_box[$name]=$box mix_options[$name]=$options
	done <"$here/mix"
}

# asked NAME: its options
asked() {
	echo "${1%+*} ${mix_box[${1%+*}]} ${mix_options[${1%+*}]}"
}

wants_box() {
	[ "${mix_box[${1%+*}]}" = 1 ]
}

nodes_of() {
	case $1 in
	share) echo 'n[0-3,8-11]' ;;
	maybe) echo 'n[16-35]' ;;
	whole) echo 'n[8-27]' ;;
	user) echo 'n[8-35]' ;;
	high) echo 'n[0-3,8-31]' ;;
	*) echo 'n[0-3,8-35]' ;;
	esac
}

# of_both LIST LIST: nodes in both
of_both() {
	host_list hostlist "$(comm -12 <(host_list hostnames "$1" | sort) <(host_list hostnames "$2" | sort) | paste -sd,)"
}

# room OPTIONS LEAST: a box of idle nodes, by smesh; the nodes of the reservation are left out, and
# dynamic ones, which are elsewhere than their names
room() {
	local mesh name nodes shape partition
	partition=$(sed -n 's/.* -p\([a-z]*\) .*/\1/p' <<<"$1 ")
	shape=$(sed -n 's/.*--mesh-shape=\([^ ]*\).*/\1/p' <<<"$1")
	while read -r mesh; do
		name=$(sed -n 's/^MeshName=\([^ ]*\).*/\1/p' <<<"$mesh")
		nodes=$(of_both "$(idle_nodes)" "$(of_both "$(nodes_of "$partition")" "${mesh#*Nodes=}")")
		[ -z "$late" ] || nodes=$(of_both "$nodes" 'n[0-27,32-35]')
		[ -n "$nodes" ] || continue
		"$SMESH" alloc -t "$cluster_dir/topology.conf" --mesh "$name" -s bf ${shape:+--shape "$shape"} \
			-n "$2" --free "$nodes" 2>/dev/null && return
	done <"$cluster_dir/topology.conf"
	return 1
}

# Of the boxes that are waited for, is one free? Where a job asks for nothing else of its nodes. To
# free_boxes: ID, the box, what was asked.
boxes() {
	local id name least options nodes
	: >"$here/free_boxes"
	while IFS='|' read -r id name; do
		wants_box "$name" && ! updated "$name" || continue
		options=$(asked "$name")
		least=${mix_least[$name]}
		[[ $options =~ \ -[wxCLB]|-n|-c|--(gres|gpus|mem|sock|core|thre|hint|minc|mesh-hint|res)|%|' -N'.*' -N'|,|small ]] && continue
		nodes=$(room "$options" "$least" | xargs)
		[ -z "$nodes" ] || echo "$id ${nodes%% *} $options" >>"$here/free_boxes"
	done < <(queue '$3 == "PENDING" && $4 > 0 { print $1 FS $2 }')
}

# Does the stock plugin, too, leave a job waiting that would fit on these idle nodes, whatever for?
waits_anyway() {
	[ "$(squeue -h -a -j "$1" -o %t)" = PD ] && [ "$(of_both "$2" "$(idle_nodes)")" = "$(of_both "$2" "$2")" ]
}

# Does one that wants nodes to itself run where others do? The stock plugin forgets, when a partition is
# changed, whole nodes of jobs in several partitions.
takes_others_nodes() {
	local nodes others
	[[ " $(asked "$2") " == *' --exclusive '* ]] || return
	nodes=$(squeue -h -a -t R -j "$1" -o %N)
	others=$(squeue -h -a -t R -o '%i %N' | awk -v id="$1" '$1 != id { print $2 }' | paste -sd,)
	[ -n "$(of_both "$nodes" "$others")" ]
}

# Nodes of jobs that the stock plugin has sent away, since that line of the log, for one that wants a box:
# any nodes would do for it, and what it leaves of theirs is room that there is not without it.
left_by_boxes() {
	local gone winner
	ctld_log "$1" 'preempted JobId=.* to reclaim resources for JobId=' |
		sed -E 's/.*preempted JobId=([0-9_+]+).* for JobId=([0-9_+]+).*/\1 \2/' |
		while read -r gone winner; do
			! wants_box "$(awk -F'|' -v id="$winner" '$1 == id { print $2 }' "$here/ran")" ||
				awk -F'|' -v id="$gone" '$1 == id { print $3 }' "$here/ran"
		done | paste -sd,
}

# What slurmctld knows, for back(). It has ended then.
keep_state() {
	slurmctld_stop
	rm -rf "$cluster_dir/state.kept"
	cp -a "$cluster_dir/state" "$cluster_dir/state.kept"
}

back() {
	slurmctld_stop
	rm -rf "$cluster_dir/state"
	mv "$cluster_dir/state.kept" "$cluster_dir/state"
}

# starts ID STUCK: is the job started? Those that are stuck may lack nodes that backfill keeps for one
# another, and each plugin keeps other nodes: the others are held then.
starts() {
	local others waits
	[ "$(squeue -h -a -j "$1" -o %t)" = PD ] || return 0
	others=$(tr , '\n' <<<"$2" | grep -vx "$1" | paste -sd,)
	[[ ,$2, == *",$1,"* && -n $others ]] || return
	scontrol hold "$others" # some may have started
	settle
	waits=$(squeue -h -a -j "$1" -t PD -o %i)
	scontrol release "$others"
	[ -z "$waits" ]
}

# Of what waits, does the stock plugin start any, which ours, started again with that state, does not?
# And is all still there?
oracle() {
	local phase=$1 before after started id name aside more stuck= nodes mark left
	# Backfill keeps the nodes of a component that could start for one that cannot, and those of a job
	# with [a*2&b*2], or b*2 of three nodes, whose start fails each time: any nodes, which others lack then;
	# and nodes for a job that gives up its box within backfill's minute.
	aside=$(queue | awk -F'|' 'FNR == NR { split($0, word, " "); if (/ -C(\[[^]|]*&|[a-z]+\*)| --mesh-max-wait=1/) keeps[word[1]]; next }
		$3 == "PENDING" && $4 > 0 && ($1 ~ /\+0$/ || $2 in keeps) { sub(/[+_].*/, "", $1); print $1 }' "$here/mix" - |
		sort -u | paste -sd,)
	if [ -n "$aside" ]; then
		scontrol hold "$aside" && settle
	fi
	# Whether those start is asked last, when what they keep from others has been seen.
	for _ in {1..6}; do
		more=$(stuck)
		[ -n "$more" ] || break
		scontrol hold "$more" && settle
		stuck+=${stuck:+,}$more
	done
	sizes "$phase"
	boxes
	before=$(queue)
	squeue -h -a -r -o '%i|%j|%N' >"$here/ran"
	mark=$(ctld_log_lines)
	keep_state
	again "$stock"
	settle
	if [ -n "$stuck" ]; then
		scontrol release "$stuck" && settle
	fi
	# It knows no boxes: what it gives jobs that want one is as if it had done so from the start.
	wrong_sizes | while read -r _ name _; do
		! wants_box "$name" || echo "job $name"
	done >>"$here/sizes.stock"
	sizes "$phase, by the stock plugin"
	after=$(queue)
	while read -r id nodes name; do
		waits_anyway "$id" "$nodes" || found "$phase: a box is free for job $id: $nodes $name"
	done <"$here/free_boxes"
	left=$(left_by_boxes "$mark")
	started=$(comm -12 <(waiting_of "$before") <(running_of "$after") | while IFS='|' read -r id name _; do
		wants_box "$name" || takes_others_nodes "$id" "$name" ||
			[ -n "$(of_both "$left" "$(squeue -h -a -j "$id" -o %N)")" ] || echo "$id|$name"
	done)
	while IFS='|' read -r id name _; do
		# select/linear, at its start; it says 25+0(25) of a heterogeneous job, 12_* of an array
		! ctld_log 0 "Aborting JobId=(${id/+/[+]}|${id%_*}_[*])(\([0-9]+\))? due to use of unsupported GRES" >/dev/null || continue
		found "$phase: job $id is not there any more: $(asked "$name")"
	done < <(comm -23 <(ids_of "$before") <(ids_of "$after"))
	if [ -n "$started" ]; then
		back
		again "$ours"
		[ -z "$stuck" ] || scontrol release "$stuck" # as under the stock plugin
		settle
	else
		again "$ours"
	fi
	while IFS='|' read -r id name; do
		starts "$id" "$stuck" || found "$phase: the stock plugin starts job $id with the same state:" \
				"$(asked "$name") ($(grep "^$id|" <<<"$before"))"
	done < <(printf '%s' "${started:+$started$'\n'}")
	[ -z "$aside" ] || scontrol release "$aside"
}

running_of() {
	awk -F'|' '$3 == "RUNNING" { print $1 "|" $2 }' <<<"$1" | sort
}

waiting_of() {
	awk -F'|' '$3 == "PENDING" { print $1 "|" $2 }' <<<"$1" | sort
}

# Finished ones are forgotten after a while.
ids_of() {
	awk -F'|' '$3 ~ /^(RUNNING|PENDING|SUSPENDED)$/ { print $1 "|" $2 }' <<<"$1" | sort
}

# same WHAT TEXT: files WHAT.stock and WHAT.ours
same() {
	diff "$here/$1.stock" "$here/$1.ours" | grep '^[<>]' | head -n 20 | while read -r line; do
		found "$2: $line"
	done
}

# but_boxes [N]: lines of jobs that want no box, by JobName or their first (Nth) word
but_boxes() {
	awk -v word="${1:-1}" 'FNR == NR { if ($6 == 1) box[$1]; next }
		{ name = match($0, / JobName=[0-9]+/) ? substr($0, RSTART + 9, RLENGTH - 9) : $word }
		!(name in box)' "$here/mix" -
}

# left PHASE: what never starts, but for boxes. Whether it is held depends on who looked at it last, the
# main scheduler or backfill.
left() {
	local name both
	both=" $(taken_by_both | xargs) "
	while read -r _ name _; do
		[[ $both != *" ${name%+*} "* ]] || wants_box "$name" || updated "$name" || forgets "$name" || echo "$name: $(asked "$name")"
	done <"$here/left.$1" | sort -u
}

# With the stock plugin alone slurmctld 24.11.5, started again, never starts such a job that waited.
forgets() { slurm_is -eq 24.11 && [[ $(asked "$1") == *--ntasks-per-gpu* ]]; }

# starts_alone NAME: with nobody beside it on the machine. It was in line behind one that never starts,
# if so, and the stock plugin had another order.
starts_alone() {
	local id starts
	id=$(queue "\$2 == \"$1\" && !n++"' { sub(/[+_].*/, "", $1); print $1 }')
	# Of a heterogeneous job, requeued after a component of it has ended, the other never starts.
	[[ $(asked "$1") != *' : '* ]] || [ "$(squeue -h -a -t PD -j "$id" -o %i | wc -l)" -gt 1 ] || return 0
	scontrol hold "$(queue '$3 == "PENDING" && $4 > 0 { sub(/[+_].*/, "", $1); print $1 }' | sort -u | paste -sd,)"
	scontrol release "$id"
	settle
	[ -n "$(queue "\$2 == \"$1\""' && $3 == "RUNNING"')" ]
	starts=$?
	if [ "$starts" -eq 0 ]; then
		scancel --quiet "$id"
		wait_for 20 none_completing
	fi
	return "$starts"
}

# With CR_Socket the main scheduler has given a job nodes on which cores are reserved, which it refuses at
# all other times.
starts_by_stock() {
	local starts
	again "$stock"
	starts_alone "$1"
	starts=$?
	again "$ours"
	return "$starts"
}

# ---- Faults ----

# fault WHAT NUMBER
# update_waiting N: one of the jobs that wait becomes another, if slurmctld takes that. What was asked is then
# no measure of it: its size and what is left are not judged, but that it starts where the stock plugin starts it.
updates=(NumNodes=1 NumNodes=3-3 NumNodes=2-6 NumNodes=12-12 Partition=all Partition=whole Partition=maybe
	'Partition=share,all' TimeLimit=30 Features=a Features=b ReqNodeList=n9 'ExcNodeList=n[8-19]' MinCPUsNode=2
	MinMemoryNode=100 OverSubscribe=NO Contiguous=YES Priority=5000)
update_waiting() {
	local job what=${updates[RANDOM % ${#updates[@]}]}
	job=$(in_state PENDING | sed -n "$(($1 * 2 + 1))p")
	[ -n "$job" ] && scontrol update JobId="${job%%|*}" "$what" || return 0
	echo "${job#*|} $what" >>"$here/updated"
	[ "$what" = Contiguous=YES ] || return 0
	mix_box[${job#*|}]=1
	sed -i -E "s/^(${job#*|}( [^ ]*){4}) 0 /\\1 1 /" "$here/mix"
}

# updated NAME: another job than was submitted? Components of a heterogeneous job start together.
updated() {
	local all=
	[ ! -e "$here/updated" ] || read -rd '' all <"$here/updated"
	[[ $'\n'$all == *$'\n'"${1%+*}"[\ +]* ]]
}

fault() {
	local id node=n$((($2 * 11 + RANDOM % 7) % 36))
	echo "$(date +%T) $1 $2"
	id=$(in_state RUNNING | sed -n "$(($2 + 1))s/|.*//p")
	case $1 in
	map)
		cluster_set topology="${maps[$2]}"
		reconfigure ;;
	drain | down) scontrol update NodeName="$node" State="$1" Reason=hunter ;;
	resume) mend_nodes ;;
	requeue) [ -z "$id" ] || scontrol requeue "$id" ;;
	update) update_waiting "$2" ;;
	suspend) [ -z "$id" ] || scontrol suspend "$id" ;;
	go) wake_jobs ;;
	cancel) [ -z "$id" ] || scancel --quiet "$id" ;;
	kill | stop)
		# What it has not saved is lost: that is Slurm's. (1 is the job that waits for n36.)
		[ "$1" = stop ] || save_state 1
		slurmctld_stop "$([ "$1" = kill ] && echo KILL)"
		slurmctld_start || found "slurmctld does not start after $1" ;;
	esac
}

# Jobs that real slurmd still have, and slurmctld has taken from them: where such a job starts again on the
# same node Slurm drains that ("Duplicate jobid") and holds the job.
no_strays() {
	[ -z "$REAL" ] || [ -z "$(comm -23 <(for pid in $(cluster_processes); do
		tr '\0' ' ' <"/proc/$pid/cmdline" | sed -n 's/^slurmstepd: \[\([0-9]*\)\..*/\1/p'
	done 2>/dev/null | sort -u) <(squeue -h -a -r -t R,S -o %A | sort -u))" ]
}

mend_nodes() {
	local nodes
	wait_for 60 no_strays
	nodes=$(sinfo -h -N -o '%N %t' | awk '$1 != "n36" && $2 !~ /^(idle|mix|alloc|resv|comp|plnd|unk)/ { print $1 }' | sort -u | paste -sd,)
	[ -z "$nodes" ] || scontrol update NodeName="$nodes" State=RESUME
}

wake_jobs() {
	local id
	for id in $(queue '$3 == "SUSPENDED" { print $1 }'); do
		scontrol resume "$id"
	done
}

mend() {
	local id
	alive "${cluster_pid[slurmctld]}" || slurmctld_start
	all_known
	mend_nodes
	wake_jobs
	# One that is requeued while suspended is held: that is Slurm's.
	for id in $(queue '$3 == "PENDING" && $4 == 0 && $5 != "BadConstraints" { print $1 }'); do
		scontrol release "$id"
	done
} >&2

# ---- A seed ----

of_stock() {
	boot "$stock" || return
	open_partitions DOWN
	submit_mix <"$here/mix.a" >"$here/answers.stock" || return
	records >"$here/records.stock"
	open_partitions UP
	grep -v '^!' "$here/mix.b" | submit_mix >"$here/answers.b.stock"
	settle
	wrong_sizes | but_boxes 2 >"$here/sizes.stock"
	in_state RUNNING >"$here/runs.stock"
	empty stock
	halt
}

of_ours() {
	boot "$ours" || return
	open_partitions DOWN
	submit_mix <"$here/mix.a" >"$here/answers.ours" || return
	records >"$here/records.ours"
	for phase in stock ours; do
		but_boxes <"$here/answers.$phase" | sed 's/ [0-9]*$/ is taken/' >"$here/taken.$phase"
	done
	same taken "refused or not (< stock)"
	same records "records (< stock)"
	open_partitions UP
	settle
	in_state RUNNING >"$here/runs.ours"
	oracle "first mix"
	RANDOM=$seed
	submit_mix <"$here/mix.b" >"$here/answers.b.ours" 2>"$here/faults"
	mend
	settle
	oracle "after faults"
	empty ours
	for phase in stock ours; do left $phase >"$here/never.$phase"; done
	while read -r line; do
		starts_alone "${line%%:*}" || ! starts_by_stock "${line%%:*}" ||
			found "left on an empty machine, not by the stock plugin: $line"
	done < <(comm -13 "$here/never.stock" "$here/never.ours")
	alive "${cluster_pid[slurmctld]}" || found "slurmctld is gone"
	ctld_log 0 'fatal:|Assertion|error: select/[a-z_]*mesh|Sanitizer' | but_places | while read -r line; do found "$line"; done
	ctld_log 0 'not responding, setting DOWN' | while read -r line; do found "slurmctld lost nodes: $line"; done
	[ -z "$KEEP" ] || cp "$cluster_dir/log/slurmctld.log" "$here/"
	slurmctld_stop # with users' jobs in it: those of its own are all that cluster_stop waits for
}

# With other maps there are no such places as the dynamic nodes have told.
but_places() { grep -v ": node n[0-9]*: Topology="; }

# What ends slurmctld 24.05.8 and 24.11.5 with the stock plugin alone: a division by the tasks of a node
# that has none, and GPUs with --spread-job.
deadly='--ntasks-per-node.*--gpus-per-task.*-C\[a\*1&|--gpus.*--spread-job'

# nodes.conf has all nodes, for slurmd; slurm.conf all but those of $late.
nodes_conf() {
	cp "$cluster_dir/slurm.conf" "$cluster_dir/nodes.conf"
	cluster_set nodelines="$(grep -v ,late <<<"$nodelines")"
}

hunt() {
	seed=$1 here=$out/$1
	mkdir -p "$here"
	: >"$here/found"
	local stock ours cr strategy base node_gres gang late gpus
	plan "$seed"
	awk -v node_gres="$node_gres" -v seed="$seed" -v jobs="${JOBS_A:-30}" -f "$hunter/mix.awk" >"$here/mix.a"
	awk -v node_gres="$node_gres" -v seed="$((seed + 5000))" -v from="${JOBS_A:-30}" -v jobs="${JOBS_B:-20}" -v faults="${FAULTS:-8}" \
		-f "$hunter/mix.awk" >"$here/mix.b"
	slurm_is -lt 24.05 || slurm_is -ge 25.05 || sed -i -E "/$deadly/d" "$here/mix.a" "$here/mix.b"
	cat "$here/mix.a" "$here/mix.b" >"$here/mix"
	read_mix
	# Real jobs have steps that share their nodes.
	printf '#!/bin/sh\n%ssleep 100000\n' "${REAL:+srun -Q --exact -N1 -n1 sleep 100000 & srun -Q --exact -N1 -n1 sleep 100000 & }" >"$here/script"

	[ -z "$gang" ] || conf=${conf//PreemptMode=REQUEUE/PreemptMode=SUSPEND,GANG}
	conf=${conf/PriorityTier=1 PreemptMode=SUSPEND,GANG/PriorityTier=1 PreemptMode=SUSPEND}
	[ -z "$late" ] || late_nodes
	gpus=Count=2
	[ -z "$REAL" ] || gpus=File=/dev/null,/dev/zero
	cluster_prepare nodes=37 standin="$standin" select="$stock" select_params="$cr" plugins="$builddir/plugins" \
		plugstack="$spank_plugin" topology="${maps[0]}" nodelines="$nodelines" conf="$conf" strategy="$strategy" \
		partition='PriorityTier=5 PreemptMode=OFF' gres="NodeName=n[0-15] Name=gpu $gpus" debug= wrap="$HUNTER_WRAP" \
		params="${base}mesh_log=yes,bf_window=1,bf_interval=1,bf_continue,bf_max_job_test=1000,default_queue_depth=1000" &&
		nodes_conf && munged_start && of_stock && of_ours || found "the cluster does not come up"
}

seeds=${SEEDS:-10} first=${FIRST:-15} # 22 once left a job waiting
for ((i = first; i < first + seeds; i++)); do
	while [ "$(jobs -rp | wc -l)" -ge "${PARALLEL:-10}" ]; do wait -n; done
	(hunt "$i") >"$out/$i.log" 2>&1 &
done
wait
for ((i = first; i < first + seeds; i++)); do
	plan "$i"
	[ -e "$out/$i/left.ours" ] && [ ! -s "$out/$i/found" ]
	ok $? "seed $i: $ours beside $stock, $cr, strategy ${strategy:-snug}${gang:+, $gang}"
	sed 's/^/# /' "$out/$i/found" 2>/dev/null
done
if [ -n "$asan" ]; then
	is "$(cat "$out"/*asan.* "$out"/ubsan.* 2>/dev/null | head -n 60)" "" "the sanitizers say nothing"
fi
done_testing
