# SPDX-License-Identifier: GPL-2.0-or-later
# What the benches with real daemons share. Source it in bash.
# shellcheck shell=bash

# dims NODES: a mesh of so many, as cubic as powers of two allow
dims() {
	local n=$1 side=(1 1 1) i=0
	while [ "$n" -gt 1 ]; do
		side[i % 3]=$((side[i % 3] * 2))
		n=$((n / 2)) i=$((i + 1))
	done
	echo "${side[0]}x${side[1]}x${side[2]}"
}

# legal_boxes NODES: all boxes of that mesh whose sides are powers of two, in any place, for Shapes=
legal_boxes() {
	dims "$1" | awk -F x '{
		for (a = 1; a <= $1; a *= 2) for (b = 1; b <= $2; b *= 2) for (c = 1; c <= $3; c *= 2)
			list = list "," a "x" b "x" c "@1"
		print substr(list, 2)
	}'
}

# torus3d_machine NODES: give the cluster that is prepared topology/torus3d with these boxes
torus3d_machine() {
	rm -f "$cluster_dir/topology.conf"
	torus3d_yaml "$(dims "$1")" "$1" "$(legal_boxes "$1")" >"$cluster_dir/topology.yaml"
}

# median_of COLUMN PATTERN FILE: of that column of the lines that begin with the pattern's words
median_of() {
	awk -v column="$1" -v line="$2 " 'index($0 " ", line) == 1 { print $column }' "$3" | sort -n |
		awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# read_words WORD...: KEY=VALUE goes into opt[], which has every key with its default; others into
# who[]. The script's usage() is for --help and for keys that are none.
read_words() {
	local word
	who=()
	for word; do
		case $word in
		-h | --help) usage; exit ;;
		*=*)
			[ -v "opt[${word%%=*}]" ] || { usage >&2; exit 1; }
			opt[${word%%=*}]=${word#*=}
			;;
		*) who+=("$word") ;;
		esac
	done
}

# thread_cpu NAME: microseconds of CPU of slurmctld's thread of that name so far
thread_cpu() {
	local task name ns=0
	for task in "/proc/${cluster_pid[slurmctld]}/task"/*; do
		read -r name <"$task/comm" && [ "$name" = "$1" ] || continue
		read -r ns _ <"$task/schedstat"
		echo $((ns / 1000))
		return
	done
	echo 0
}

# hosts COUNT: their names; Slurm takes at most 65,536 of one prefix
hosts() {
	local first=0 prefix list=
	for prefix in n o p q; do
		[ $(($1 - first)) -gt 65536 ] || break
		list+="${prefix}[0-65535]," first=$((first + 65536))
	done
	echo "$list${prefix}[0-$(($1 - first - 1))]"
}

# keys WHO: what the cluster is started with
keys() {
	case $1 in
	cons_tres) keys=(select=select/cons_tres select_params=CR_CPU strategy=) ;;
	linear) keys=(select=select/linear select_params=CR_ONE_TASK_PER_CORE strategy=) ;;
	*) keys=(select=select/mesh select_params=CR_CPU plugins="$builddir/plugins" strategy="$1"
		topology="MeshName=m Dims=$(dims "${opt[nodes]}") Wrap=all Nodes=$(hosts "${opt[nodes]}")") ;;
	esac
}

# ticks: CPU time of slurmctld so far
ticks() {
	awk '{ print $14 + $15 }' "/proc/${cluster_pid[slurmctld]}/stat"
}

# in_turns: measure WHO, opt[runs] times for each of who[]; lines WHO FIGURE... go to $results and are told
in_turns() {
	local turn name line
	for ((turn = 0; turn < opt[runs]; turn++)); do
		for name in "${who[@]}"; do
			line=$(measure "$name") || exit
			echo "$name $line" | tee -a "$results" >&2
		done
	done
}
