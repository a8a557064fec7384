# SPDX-License-Identifier: GPL-2.0-or-later
# A private Slurm cluster on this machine, for tests and demos. Source it in bash.
# shellcheck shell=bash
#
#   cluster_start nodes=64 select=select/mesh plugins=$builddir/plugins \
#           topology='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]'
#   id=$(submit 16 30)                # 16 nodes for 30 seconds
#   wait_for 10 job_is "$id" RUNNING
#   job_nodes "$id"                   # n[0-3,8-11,...]
#
# munged, slurmctld and one real slurmd per node, on 127.0.0.1, with their own directory, key,
# socket and ports: other clusters on the machine (a real one, or more of these) are neither
# seen nor touched. Only processes that this shell started, or that carry this cluster's
# directory in their environment, are ever signalled. All ends with the shell, also when it is
# interrupted. Root, or one ordinary user for everything.
#
# KEEP_CLUSTER=1 in the environment keeps the directory (logs, state) for inspection.

# shellcheck source=tests/wait.sh
. "${BASH_SOURCE[0]%/*}/../wait.sh"

# What cluster_start takes, with the defaults. A value may have several lines.
declare -A cluster_default=(
	[nodes]=16            # how many
	[name]=n              # n0, n1, ...; or a Slurm host list of that many, for other names
	[cpus]=1              # of each node
	[memory]=1000         # of each node, MB
	[node]=               # more for the NodeName= line: Gres=gpu:2 Feature=a
	[nodelines]=          # NodeName= lines of one's own in place of all that: @PORT@ and
	                      # @HOST@ are filled in (no Port= or NodeAddr= needed otherwise)
	[partition]=          # more for the line PartitionName=all
	[auth]=               # more for AuthInfo=, e.g. cred_expire=20: requeued jobs start so soon
	[conf]=               # more lines of slurm.conf (partitions, PreemptType, ...)
	[select]=select/cons_tres
	[select_params]=CR_CPU
	[params]=             # SchedulerParameters; those of the harness follow (the first counts)
	[strategy]=mm         # mesh_strategy= where params has none: its answers follow from the
	                      # free nodes alone; empty: the plugin's own default
	[scheduler]=sched/backfill
	[debug]=SelectType    # DebugFlags
	[loglevel]=info       # SlurmctldDebug
	[plugins]=            # directories for PluginDir before Slurm's own, colon-separated
	[topology_plugin]=    # TopologyPlugin
	[topology]=           # topology.conf
	[gres]=               # gres.conf
	[plugstack]=          # plugstack.conf
	[wrap]=               # command before each daemon: valgrind, faketime
	[dbd]=                # yes: a slurmdbd and a mariadbd of its own, for sacctmgr and sacct
	[joins]=              # the directory of another cluster with dbd=yes: this one, named two, has its
	                      # accounting there, for federations
	[standin]=            # tests/replay's standin with its options: one process in the place of
	                      # all slurmd; jobs are timers there
	[network]=            # torus: each slurmd in its node of the network that this shell runs in
	                      # (contrib/torus run, or exec ctl), whose map is the topology
	[one_port]=           # yes: its nodes share a port, as those of large clusters do
)
declare -A cluster=()     # the same keys, of the running cluster
declare -A cluster_pid=() # munged, slurmctld, NODE, mariadbd, slurmdbd: process id
declare -a cluster_names=() # node names in order
cluster_dir=              # logs, state, configuration: $cluster_dir/slurm.conf ...
cluster_port=             # slurmctld's; the nodes' follow it, then slurmdbd's
cluster_port_lock=        # file descriptor that keeps them reserved
cluster_lines=            # what became of the nodelines= below
cluster_lines_of=
cluster_plugin_dir=       # Slurm's own
cluster_version=          # Slurm's: 22.05
cluster_user=             # who runs it

PATH=$PATH:/usr/sbin:/sbin
# slurm.conf takes no relative PluginDir.
[ -z "$builddir" ] || builddir=$(cd "$builddir" && pwd)

cluster_torus=$(realpath "${BASH_SOURCE[0]%/*}/../../contrib/torus")

# ---- Starting and stopping ----

# cluster_start KEY=VALUE...: returns when every node is idle
cluster_start() {
	cluster_prepare "$@" && cluster_boot
}

# The directory, the ports and the configuration, but no daemon yet.
cluster_prepare() {
	local key
	cluster_ask_slurm
	cluster=()
	for key in "${!cluster_default[@]}"; do
		cluster[$key]=${cluster_default[$key]}
	done
	cluster_options "$@" || return
	cluster_dir=$(mktemp -d "${TMPDIR:-/tmp}/mesh-cluster.XXXXXX") || return
	chmod 755 "$cluster_dir"
	trap 'cluster_exit' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	mkdir "$cluster_dir"/{log,run,spool,state,work} || return
	chmod 777 "$cluster_dir/work"
	printf 'ClusterName=plain\nSlurmctldHost=localhost\n' >"$cluster_dir/plain.conf"
	export SLURM_CONF=$cluster_dir/slurm.conf
	mapfile -t cluster_names < <(cluster_node_names)
	[ "${#cluster_names[@]}" -eq "${cluster[nodes]}" ] || {
		cluster_error "${cluster[nodes]} nodes, but ${#cluster_names[@]} names"
		return 1
	}
	[ -z "${cluster[network]}" ] || mkdir -m 1777 "$cluster_dir/tmp" "${cluster_names[@]/#/$cluster_dir/tmp/}"
	cluster_find_ports $(($(cluster_node_ports) + 2)) || return
	cluster_write
}

# The daemons of a prepared cluster. On failure their last words are shown.
cluster_boot() {
	munged_start && slurmdbd_start && cluster_boot_nodes &&
		wait_for $((120 + cluster[nodes] / 100)) cluster_all_idle && return
	cluster_error "the cluster did not come up"
	cluster_show_logs
	return 1
}

# slurmctld asks all nodes whether they are there; where ten thousand do not answer it runs out of threads.
cluster_boot_nodes() {
	if [ -z "${cluster[network]}" ] && [ "$(cluster_node_ports)" -lt "${cluster[nodes]}" ]; then
		slurmd_start && wait_for 300 grep -q 'nodes at' "$cluster_dir/log/standin.out" && slurmctld_start
	else
		slurmctld_start && slurmd_start "${cluster_names[@]}"
	fi
}

# Change values and rewrite the files; `scontrol reconfigure` or a restart makes them count.
cluster_set() {
	cluster_options "$@" && cluster_write
}

# Cancel what runs, stop the daemons, remove the directory.
cluster_stop() {
	[ -n "$cluster_dir" ] || return 0
	if alive "${cluster_pid[slurmctld]}"; then
		timeout 20 scancel --quiet --user="$cluster_user" --state=PENDING 2>/dev/null
		timeout 20 scancel --quiet --user="$cluster_user" 2>/dev/null
		wait_for 5 no_jobs
	fi
	slurmctld_stop
	slurmd_stop TERM "${cluster_names[@]}"
	slurmdbd_stop
	cluster_kill_strays
	stop_pids TERM "${cluster_pid[munged]}"
	[ -z "$cluster_port" ] || rm -f "$(cluster_port_dir)/$cluster_port"
	if [ "${KEEP_CLUSTER:-0}" = 1 ]; then
		echo "# kept: $cluster_dir" >&2
	else
		rm -rf "$cluster_dir"
	fi
	unset SLURM_CONF
	cluster_pid=()
	cluster_dir=
}

# Job steps and jobs outlive their slurmd.
cluster_kill_strays() {
	local pid strays
	mapfile -t strays < <(cluster_processes)
	for pid in "${strays[@]}"; do
		[ "$pid" = "${cluster_pid[munged]}" ] || kill -s KILL "$pid" 2>/dev/null
	done
}

# At the end of the shell, whatever ended it. A function at_exit of the caller runs first.
cluster_exit() {
	local status=$?
	trap '' INT TERM HUP
	if declare -F at_exit >/dev/null; then at_exit; fi
	[ "$status" -eq 0 ] || [ "$status" -gt 128 ] || cluster_show_logs
	cluster_stop
	exit "$status"
}

cluster_error() {
	echo "cluster: $*" >&2
}

# What slurmctld complained about, as TAP comments.
cluster_show_logs() {
	[ -n "$cluster_dir" ] || return 0
	local log
	for log in munged.log mariadbd.log slurmdbd.log slurmctld.log slurmctld.out; do
		[ -s "$cluster_dir/log/$log" ] || continue
		grep -E 'error:|fatal:|Assert|signal' "$cluster_dir/log/$log" | grep -v job_signal: | tail -n 15 | sed "s/^/# $log: /"
	done >&2
}

# ---- Single daemons ----

# launch NAME LOG COMMAND...: in the background, out of reach of the terminal's Ctrl-C
launch() {
	local name=$1 log=$2
	shift 2
	# shellcheck disable=SC2086
	MESH_CLUSTER=$cluster_dir setsid ${cluster[wrap]} "$@" </dev/null >>"$log" 2>&1 &
	cluster_pid[$name]=$!
	disown "$!" # no word from bash when it is killed
}

munged_start() {
	local run=$cluster_dir/run key=/dev/urandom
	[ -z "${cluster[joins]}" ] || key=${cluster[joins]}/run/munge.key
	(umask 077 && head -c 1024 "$key" >"$run/munge.key")
	launch munged "$cluster_dir/log/munged.log" munged --foreground --force \
		--key-file="$run/munge.key" --socket="$run/munge.socket" \
		--pid-file="$run/munged.pid" --seed-file="$run/munged.seed"
	wait_for 20 test -S "$run/munge.socket"
}

# With dbd=yes the database first, in a directory of its own that nobody else can enter: its only
# way in is a socket there. slurmdbd knows it by MYSQL_UNIX_PORT, and adds the cluster by itself.
slurmdbd_start() {
	[ -n "${cluster[dbd]}" ] || return 0
	mariadbd_start || return
	launch slurmdbd "$cluster_dir/log/slurmdbd.out" env MYSQL_UNIX_PORT="$cluster_dir/db/socket" slurmdbd -D
	wait_for 60 sacctmgr -n show cluster >/dev/null 2>&1
}

# mariadbd_start [OPTION]...: with slurmdbd's database. Where slurmdbd has to make it, it connects once
# in vain, after which MariaDB's client library of 11.8 reads no answer of any column (error 5027).
# Temporary tables are in a directory of its own: mariadbd removes those of others when it starts.
mariadbd_start() {
	local dir=$cluster_dir/db
	if [ ! -d "$dir" ]; then
		mkdir -m 700 "$dir" && mariadb-install-db --no-defaults --user="$cluster_user" --datadir="$dir" \
			--tmpdir="$cluster_dir/run" --auth-root-authentication-method=normal --skip-test-db \
			>"$cluster_dir/log/mariadbd.log" 2>&1 || return
	fi
	echo 'create database if not exists slurm_acct_db;' >"$cluster_dir/run/database.sql"
	launch mariadbd "$cluster_dir/log/mariadbd.log" mariadbd --no-defaults --user="$cluster_user" \
		--datadir="$dir" --socket="$dir/socket" --skip-networking --innodb-log-file-size=16M \
		--init-file="$cluster_dir/run/database.sql" --tmpdir="$cluster_dir/run" "$@"
	wait_for 120 test -S "$dir/socket"
}

slurmdbd_stop() {
	stop_pids TERM "${cluster_pid[slurmdbd]}"
	stop_pids TERM "${cluster_pid[mariadbd]}"
}

# Start slurmctld and wait until it answers; 1 if it gives up. Options go to slurmctld.
slurmctld_start() {
	launch slurmctld "$cluster_dir/log/slurmctld.out" slurmctld -D -f "$SLURM_CONF" "$@"
	wait_for $((60 + cluster[nodes] / 200)) slurmctld_ready && alive "${cluster_pid[slurmctld]}"
}

slurmctld_ready() {
	! alive "${cluster_pid[slurmctld]}" ||
		[[ $(scontrol ping 2>/dev/null) == *'is UP'* ]]
}

# In the background, as a service. From 23.11 on a reconfiguration puts a new process in its
# place; slurmctld_adopt notes which.
slurmctld_start_service() {
	MESH_CLUSTER=$cluster_dir setsid slurmctld -f "$SLURM_CONF" </dev/null \
		>>"$cluster_dir/log/slurmctld.out" 2>&1 || return
	wait_for 60 slurmctld_ready && wait_for 20 slurmctld_adopt
}

# 1 while there are two. The old one may take the pid file with it; slurmscriptd, a helper, is of
# the same program, which on Debian calls itself slurmctld-wlm once it has been replaced.
slurmctld_adopt() {
	local pid found=()
	for pid in $(cluster_processes); do
		[[ $(cat "/proc/$pid/comm" 2>/dev/null) == slurmctld* ]] &&
			! grep -qsz ^SLURMSCRIPTD_MODE= "/proc/$pid/environ" && found+=("$pid")
	done
	[ "${#found[@]}" -eq 1 ] && cluster_pid[slurmctld]=${found[0]}
}

# scontrol reconfigure, until every node's state is known again: from 23.11 on that is a new
# slurmctld, which learns them from slurmd.
reconfigure() {
	scontrol reconfigure && wait_for 60 cluster_all_known
}

# save_state ID: wait until slurmctld has written all that happened until now. It does so some
# seconds late, and kill -9 takes back what was not written. A change to a job makes it write.
save_state() {
	touch "$cluster_dir/run/mark"
	scontrol update "JobId=$1" "Comment=saved at $SECONDS.$RANDOM" &&
		wait_for 60 test "$cluster_dir/state/job_state" -nt "$cluster_dir/run/mark"
}

# slurmctld_stop [SIGNAL]
slurmctld_stop() {
	stop_pids "${1:-TERM}" "${cluster_pid[slurmctld]}"
}

# slurmd_start NODE...
slurmd_start() {
	local node on_node
	if [ -n "${cluster[standin]}" ]; then
		# shellcheck disable=SC2086
		launch standin "$cluster_dir/log/standin.out" ${cluster[standin]} -f "$SLURM_CONF"
		return
	fi
	for node; do
		on_node=()
		[ -z "${cluster[network]}" ] || on_node=("$cluster_torus" exec "$node")
		launch "$node" "$cluster_dir/log/$node.out" "${on_node[@]}" slurmd -D -N "$node" -f "$SLURM_CONF"
	done
}

# slurmd_stop SIGNAL NODE...
slurmd_stop() {
	local signal=$1 node pids=()
	shift
	if [ -n "${cluster[standin]}" ]; then
		stop_pids "$signal" "${cluster_pid[standin]}"
		return
	fi
	for node; do
		pids+=("${cluster_pid[$node]}")
	done
	stop_pids "$signal" "${pids[@]}"
}

alive() {
	[ -n "$1" ] && kill -0 "$1" 2>/dev/null
}

# stop_pids SIGNAL PID...: and wait until they are gone; after 15 s they are killed
stop_pids() {
	local signal=$1
	shift
	signal_pids "$signal" "$@"
	wait_for 15 all_gone "$@" && return
	signal_pids KILL "$@"
	wait_for 5 all_gone "$@"
}

signal_pids() {
	local signal=$1 pid
	shift
	for pid; do
		! ours "$pid" || kill -s "$signal" "$pid" 2>/dev/null
	done
}

all_gone() {
	local pid stat
	for pid; do
		[ -n "$pid" ] && { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
		# A zombie is gone: it only waits for us to look.
		[[ $stat == *") Z "* ]] || return 1
	done
}

# Process ids of this cluster: daemons, job steps, jobs. The first two inherit MESH_CLUSTER; a
# job's environment is its user's, in which a program such as squeue has SLURM_CONF too.
cluster_processes() {
	{
		grep -lszx "MESH_CLUSTER=$cluster_dir" /proc/[0-9]*/environ
		grep -lszx "SLURM_CONF=$cluster_dir/[a-z]*\.conf" /proc/[0-9]*/environ |
			xargs -r grep -lsz '^SLURM_JOB_ID='
	} | sed 's,/proc/,,; s,/environ,,' | sort -u | grep -vx "$$"
}

# ours PID: not another process that got the same number later
ours() {
	local environ IFS=$'\n'
	[ -n "$1" ] && { mapfile -d '' -t environ <"/proc/$1/environ"; } 2>/dev/null &&
		[[ $IFS${environ[*]}$IFS == *"${IFS}MESH_CLUSTER=$cluster_dir$IFS"* ]]
}

# ---- Configuration ----

cluster_options() {
	local option key
	for option; do
		key=${option%%=*}
		[[ $option == *=* && -v cluster_default[$key] ]] || {
			cluster_error "unknown option '$option'"
			return 1
		}
		cluster[$key]=${option#*=}
	done
}

# The host list: n[0-63], or what the caller gave.
cluster_hosts() {
	case ${cluster[name]} in
	*[][,]*) echo "${cluster[name]}" ;;
	*) echo "${cluster[name]}[0-$((cluster[nodes] - 1))]" ;;
	esac
}

cluster_node_names() {
	host_list hostnames "$(cluster_hosts)"
}

# host_list hostnames|hostlist|hostlistsorted LIST: Slurm's own conversion, no daemon asked
host_list() {
	[ -z "$2" ] || SLURM_CONF=$cluster_dir/plain.conf scontrol show "$1" "$2"
}

# The directory with Slurm's own plugins: libslurmfull lives there.
slurm_plugin_dir() {
	[ -n "$cluster_plugin_dir" ] || cluster_ask_slurm
	echo "$cluster_plugin_dir"
}

# 22.05, 24.11 ...
slurm_version() {
	[ -n "$cluster_version" ] || cluster_ask_slurm
	echo "$cluster_version"
}

# slurm_is -lt|-ge|... VERSION: by test's operators
slurm_is() {
	[ -n "$cluster_version" ] || cluster_ask_slurm
	test "${cluster_version/./}" "$1" "${2/./}"
}

# Once in a script: what does not change.
cluster_ask_slurm() {
	cluster_user=$(id -un)
	cluster_plugin_dir=$(ldd "$(command -v slurmctld)" | awk '/libslurmfull/ { sub("/[^/]*$", "", $3); print $3 }')
	cluster_version=$(slurmctld -V | sed -n 's/^[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
}

cluster_write() {
	cluster_slurm_conf >"$cluster_dir/slurm.conf.new" || return
	mv "$cluster_dir/slurm.conf.new" "$cluster_dir/slurm.conf"
	cluster_side_file topology "${cluster[topology]}"
	cluster_side_file gres "${cluster[gres]}"
	cluster_side_file plugstack "${cluster[plugstack]}"
	(umask 077 && cluster_side_file slurmdbd "${cluster[dbd]:+$(cluster_slurmdbd_conf)}")
	# slurmd looks for control groups even if nothing uses them; from 24.05 on one can say so.
	if slurm_is -ge 24.05; then
		cluster_side_file cgroup CgroupPlugin=disabled
	fi
}

cluster_params() {
	[ -z "${cluster[params]}" ] || echo -n "${cluster[params]},"
	[[ ,${cluster[params]} == *,mesh_strategy=* ]] || echo -n "${cluster[strategy]:+mesh_strategy=${cluster[strategy]},}"
}

# A scheduler looks at all jobs before it ends: left alone backfill ends after bf_interval in whole seconds
# of the clock, that is, at any time, and on a busy machine the last jobs of the queue wait.
cluster_patience() { echo bf_max_time=60,max_sched_time=15,sched_min_interval=100000; }

cluster_side_file() {
	[ ! -e "$cluster_dir/$1.conf" ] || rm "$cluster_dir/$1.conf"
	[ -z "$2" ] || printf '%s\n' "$2" >"$cluster_dir/$1.conf"
}

cluster_accounting() {
	if [ -n "${cluster[joins]}" ]; then
		grep ^AccountingStorage "${cluster[joins]}/slurm.conf" | sed "s,${cluster[joins]},$cluster_dir,"
		return
	fi
	[ -n "${cluster[dbd]}" ] || { echo AccountingStorageType=accounting_storage/none; return; }
	echo "AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=$HOSTNAME
AccountingStoragePort=$(cluster_dbd_port)
AccountingStoragePass=$cluster_dir/run/munge.socket
AccountingStorageEnforce=limits,qos"
}

cluster_slurmdbd_conf() {
	cat <<CONF
DbdHost=$HOSTNAME
DbdPort=$(cluster_dbd_port)
CommunicationParameters=NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$cluster_dir/run/munge.socket
SlurmUser=$cluster_user
PidFile=$cluster_dir/run/slurmdbd.pid
LogFile=$cluster_dir/log/slurmdbd.log
PluginDir=$(slurm_plugin_dir)
StorageType=accounting_storage/mysql
StorageUser=root
CONF
}

cluster_dbd_port() {
	echo $((cluster_port + 1 + $(cluster_node_ports)))
}

cluster_slurm_conf() {
	local dir=$cluster_dir user=$cluster_user
	cat <<CONF
ClusterName=$([ -n "${cluster[joins]}" ] && echo two || echo mesh)
$(cluster_where "${HOSTNAME%%.*}")
SlurmctldPort=$cluster_port
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket${cluster[auth]:+,${cluster[auth]}}
CredType=cred/munge
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/%n.log
SlurmctldDebug=${cluster[loglevel]}
SlurmdDebug=info
${cluster[debug]:+DebugFlags=${cluster[debug]}}
LogTimeFormat=iso8601_ms
PluginDir=${cluster[plugins]:+${cluster[plugins]}:}$(slurm_plugin_dir)
PlugStackConfig=$dir/plugstack.conf
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/log/jobs
$(cluster_accounting)
JobAcctGatherType=jobacct_gather/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=1
SlurmdTimeout=60
MessageTimeout=30
KillWait=2
InactiveLimit=0
MaxJobCount=50000
SchedulerType=${cluster[scheduler]}
SchedulerParameters=$(cluster_params)bf_interval=2,$(cluster_patience),batch_sched_delay=0
SelectType=${cluster[select]}
SelectTypeParameters=${cluster[select_params]}
${cluster[topology_plugin]:+TopologyPlugin=${cluster[topology_plugin]}}
${cluster[gres]:+GresTypes=$(cluster_gres_types)}
CONF
	cluster_node_lines
	echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP ${cluster[partition]}"
	printf '%s\n' "${cluster[conf]}"
}

# Where all is on one machine nobody else gets in; a network of namespaces is for itself, and Open MPI has
# a directory of each step in TmpFS.
cluster_where() {
	if [ -n "${cluster[network]}" ]; then
		echo "SlurmctldHost=$1($("$cluster_torus" address))
TmpFS=$cluster_dir/tmp/%n"
	else
		echo "SlurmctldHost=$1(127.0.0.1)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
	fi
}

cluster_gres_types() {
	local word types=
	for word in ${cluster[gres]}; do
		[[ $word != Name=* || ,$types, == *,${word#Name=},* ]] || types+=${types:+,}${word#Name=}
	done
	echo "$types"
}

cluster_node_lines() {
	local first=$((cluster_port + 1)) place="NodeHostname=localhost NodeAddr=127.0.0.1" ports
	ports="Port=[$first-$((first + cluster[nodes] - 1))]"
	if [ "$(cluster_node_ports)" -eq 1 ]; then
		ports=Port=$first
		# Host names of their own: slurmctld goes through all nodes of one host for each.
		[ "${cluster[nodes]}" -eq 1 ] || place=NodeAddr=$(cluster_addresses "${cluster[nodes]}")
		[ -z "${cluster[network]}" ] || place=NodeAddr=$(cluster_torus_addresses)
	fi
	if [ -n "${cluster[nodelines]}" ]; then
		if [ "$cluster_lines_of" != "$first ${cluster[nodelines]}" ]; then
			cluster_lines_of="$first ${cluster[nodelines]}"
			cluster_lines=$(cluster_own_node_lines "$first" <<<"${cluster[nodelines]}")
		fi
		echo "$cluster_lines"
		return
	fi
	echo "NodeName=$(cluster_hosts) $place $ports" \
		"CPUs=${cluster[cpus]} RealMemory=${cluster[memory]} State=UNKNOWN ${cluster[node]}"
}

# Those by which slurmctld sees the nodes, in their order.
cluster_torus_addresses() {
	printf '%s\n' "${cluster_names[@]}" |
		awk 'FNR == NR { at[$1] = $3; next } { print at[$1] }' <("$cluster_torus" nodes) - | paste -sd,
}

# How many ports the nodes have. The stand-in can tell many nodes at one port by their addresses,
# and ports are too few for more.
cluster_node_ports() {
	if [ -n "${cluster[network]}" ]; then
		echo 1
	elif [ -n "${cluster[standin]}" ] && { [ -n "${cluster[one_port]}" ] || [ "${cluster[nodes]}" -gt 8192 ]; }; then
		echo 1
	else
		echo "${cluster[nodes]}"
	fi
}

# cluster_addresses COUNT: so many addresses of this machine, as a host list
cluster_addresses() {
	awk -v left="$1" 'BEGIN {
		for (b = 1; left >= 65536; left -= 65536) list = list ",127." b++ ".[0-255].[0-255]"
		if (left >= 256) list = list ",127." b ".[0-" int(left / 256) - 1 "].[0-255]"
		if (left % 256) list = list ",127." b "." int(left / 256) ".[0-" left % 256 - 1 "]"
		print substr(list, 2)
	}'
}

# Each line NodeName=HOSTS ... gets the next ports.
cluster_own_node_lines() {
	local port=$1 line hosts count
	while read -r line; do
		[ -n "$line" ] || continue
		hosts=${line#NodeName=}
		count=$(host_list hostnames "${hosts%% *}" | wc -l)
		if [ "$count" -gt 1 ]; then
			echo "$line NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$port-$((port + count - 1))]"
		else
			echo "$line NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port"
		fi
		port=$((port + count))
	done
}

# ---- Ports ----

# Reservations of ports by clusters on this machine, in its chroots too: a file FIRST with the count, which
# the cluster's shell keeps locked. (Process ids say nothing in another name space.)
cluster_port_dir() {
	if [ "$(id -u)" -eq 0 ]; then
		echo /run/slurm-mesh-ports
	else
		echo "${XDG_RUNTIME_DIR:-/tmp}/slurm-mesh-ports.$(id -u)"
	fi
}

# cluster_find_ports COUNT: cluster_port is the first of so many free consecutive ports, reserved.
# Clusters come and go on a crowded machine: for two minutes it looks again.
cluster_find_ports() {
	local try
	for try in {1..12}; do
		cluster_reserve_ports "$1" && return
		[ "$try" -eq 12 ] || sleep 10
	done
	cluster_error "no $1 free ports in a row"
	return 1
}

cluster_reserve_ports() {
	local dir all
	dir=$(cluster_port_dir)
	mkdir -p -m 700 "$dir" && exec {all}>"$dir/.lock" && flock "$all" || return
	if cluster_port=$(cluster_pick_ports "$1" "$dir"); then
		exec {cluster_port_lock}>"$dir/$cluster_port"
		flock "$cluster_port_lock"
		echo "$1" >&"$cluster_port_lock"
	fi
	exec {all}>&-
	[ -n "$cluster_port" ]
}

# Below the ports that the kernel hands out to clients (32768 and up). Small clusters keep to the
# lower ones, so as to leave large ones room in one piece.
cluster_pick_ports() {
	local count=$1 dir=$2 first try room=22000
	declare -A used=()
	[ "$count" -gt 1000 ] || room=8000
	cluster_note_used_ports "$dir"
	for ((try = 0; try < 200; try++)); do
		first=$((10000 + (RANDOM * 32768 + RANDOM) % (room - count)))
		cluster_ports_free "$first" "$count" && echo "$first" && return
	done
	# A crowded machine: every place there is.
	for ((first = 10000; first < 32000 - count; first += 16)); do
		cluster_ports_free "$first" "$count" && echo "$first" && return
	done
	return 1
}

# Connections that are over (state 06, TIME_WAIT) keep nobody from listening at their port.
cluster_note_used_ports() {
	local file port count i
	while read -r port; do
		used[$((16#$port))]=1
	done < <(awk 'FNR > 1 && $4 != "06" { sub(".*:", "", $2); print $2 }' \
		/proc/net/tcp /proc/net/tcp6 2>/dev/null)
	for file in "$1"/[0-9]*; do
		[ -f "$file" ] && read -r count _ <"$file" || continue
		! flock -n "$file" true || { rm -f "$file"; continue; }
		for ((i = 0; i < count; i++)); do
			used[$((${file##*/} + i))]=1
		done
	done
}

cluster_ports_free() {
	local i
	for ((i = $1; i < $1 + $2; i++)); do
		[ -z "${used[$i]}" ] || return 1
	done
}

# ---- Asking and waiting ----

cluster_all_idle() {
	local count state idle=0 lines
	lines=$(sinfo -h -p all -o '%D %T' 2>/dev/null)
	while read -r count state; do
		[[ $state != @(idle|reserved|planned) ]] || idle=$((idle + count))
	done <<<"$lines"
	[ "$idle" -eq "${cluster[nodes]}" ]
}

# Nodes with nothing on them, one a line. (sinfo -t idle has those too that a job is just leaving,
# which slurmctld does not give to another yet.)
idle_names() {
	sinfo -h -N -p all -o '%N %T' 2>/dev/null |
		awk '$2 ~ /^(idle|reserved|planned)$/ { print $1 }' | sort -u
}

cluster_all_known() {
	local states
	states=$(sinfo -h -N -p all -o %T 2>/dev/null) && [ -n "$states" ] && [[ $states != *unknown* ]]
}

# submit NODES SECONDS [SBATCH OPTION]...: prints the job's id; whole nodes unless told otherwise
submit() {
	local nodes=$1 seconds=$2
	shift 2
	sbatch --parsable --output=/dev/null --chdir="$cluster_dir/work" --nodes="$nodes" "$@" <<SCRIPT
#!/bin/sh
exec sleep $seconds
SCRIPT
}

# One field of a job's record, as in `scontrol show job`: job_field ID JobState
job_field() {
	local value
	job_read "$@" && echo "$value"
}

# job_read ID FIELD: into $value, empty where there is none. (Of the programs that a script starts most
# are started by what it waits for.)
job_read() {
	local record
	value=
	record=" $(scontrol show job -o "$1" 2>/dev/null)"
	[[ $record =~ [[:space:]]"$2"=([^[:space:]]*) ]] && value=${BASH_REMATCH[1]}
}

job_state() {
	job_field "$1" JobState
}

# job_is ID STATE
job_is() {
	job_has "$1" JobState "$2"
}

# Nodes of a job in Slurm's short form, running or done.
job_nodes() {
	job_field "$1" NodeList
}

no_jobs() {
	[ -z "$(squeue -h -o %i 2>/dev/null)" ]
}

# The job's line in jobcomp's file, once it is complete: all KEY=VALUE.
job_record() {
	grep -m 1 "^JobId=$1 " "$cluster_dir/log/jobs"
}

# job_has ID FIELD VALUE
job_has() {
	local value
	job_read "$1" "$2" && [ "$value" = "$3" ]
}

# go_round: both schedulers look at all jobs that wait, from now on. What waits then does so for a reason.
go_round() {
	local main backfill
	read_cycles
	scontrol update PartitionName=all State=UP
	read -rt 0.5 -u "$wait_pipe"
	wait_for 60 more_cycles "$main" "$backfill"
}

# Of the main scheduler and of backfill, how many have ended: into $main and $backfill. (Where no job
# waits backfill has none. At midnight slurmctld counts from 0.)
read_cycles() {
	local total='Total cycles: *([0-9]+)'
	[[ $(sdiag) =~ $total.*$total ]]
	main=${BASH_REMATCH[1]} backfill=${BASH_REMATCH[2]}
}

more_cycles() {
	local main backfill
	read_cycles
	[ "${main:-$1}" -ne "$1" ] && [ "${backfill:-$2}" -ne "$2" ]
}

# The same as one host list; empty when there are none.
idle_nodes() {
	host_list hostlistsorted "$(idle_names | paste -sd,)"
}

# hosts_sorted HOSTLIST: the same in sorted short form, to compare lists with
hosts_sorted() {
	host_list hostlistsorted "$1"
}

# Lines of slurmctld's log after line N (0 = all): ctld_log N PATTERN
ctld_log() {
	tail -n "+$(($1 + 1))" "$cluster_dir/log/slurmctld.log" | grep -E "$2"
}

# ctld_complaints N PATTERN: the errors' texts alone. 23.02's slurmscriptd loads select plugins, and says of
# the map what slurmctld says.
ctld_complaints() {
	ctld_log "$1" "$2" | grep -v ' slurmscriptd: ' | sed 's/.*\(error\|fatal\): //'
}

ctld_log_lines() {
	wc -l <"$cluster_dir/log/slurmctld.log"
}

# need_daemons: leaves a test script as skipped where Slurm is not installed
need_daemons() {
	local program
	for program in munged slurmctld slurmd sbatch scontrol; do
		command -v "$program" >/dev/null || {
			echo "1..0 # SKIP $program is not installed"
			exit 0
		}
	done
}

# need_standin: sets $standin, or leaves a test script as skipped where it has not been built
need_standin() {
	standin=$builddir/tests/replay/standin
	[ -x "$standin" ] || {
		echo "1..0 # SKIP standin is not built (configure --with-slurm-src)"
		exit 0
	}
}
