#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # parts are called by name
# What smesh check says and what slurmctld does. A list of all that ends slurmctld because of us, or
# seems to; and 60 configurations put together at random from good and broken parts. slurmctld alone
# is started with each, up to where it takes control. smesh check is to exit with 1 (a file is wrong)
# or 8 (slurmctld will not start) where slurmctld ends, and only there.
#
# CHECK_SEED=N draws other configurations.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

RANDOM=${CHECK_SEED:-1}
draws=60
workers=4
ours=$builddir/plugins
mesh='MeshName=m Dims=4x4 Wrap=all Nodes=n[0-15]'
cluster_prepare nodes=16 plugins="$ours" select=select/mesh strategy= loglevel=verbose topology="$mesh" || exit
munged_start || exit
slurms=$(slurm_plugin_dir)
ulimit -c 0

# ---- Parts: each changes the configuration in the directory at hand ----

# put KEY VALUE: in slurm.conf, in place of what is there; without VALUE no line
put() {
	sed -i "/^$1=/d" slurm.conf
	[ -z "$2" ] || echo "$1=$2" >>slurm.conf
}

# param TEXT: first in SchedulerParameters
param() { sed -i "s|^SchedulerParameters=|&$1,|" slurm.conf; }

# more LINE...: in slurm.conf
more() { printf '%s\n' "$@" >>slurm.conf; }

# map LINE...: is topology.conf
map() { printf '%s\n' "$@" >topology.conf; }

# dirs DIRECTORY...: is PluginDir
dirs() {
	local IFS=:
	put PluginDir "$*"
}

# as_user: slurmctld is not root
as_user() {
	put SlurmUser "$other_user"
	chmod 777 state log run .
}

# ours_elsewhere COMMAND...: our plugin in a directory of its own, there changed by the command
ours_elsewhere() {
	mkdir so
	cp "$ours/select_mesh.so" so
	(cd so && "$@")
	dirs "$PWD/so" "$slurms"
}

# The version is a number in the file; its lowest byte is the third part.
other_version() {
	local at
	at=$(readelf -sW --dyn-syms select_mesh.so | awk '$8 == "plugin_version" { print $2; exit }')
	printf '\x63' | dd of=select_mesh.so bs=1 seek=$((16#$at)) conv=notrunc status=none
}

for other_user in slurm daemon nobody; do
	! id "$other_user" >/dev/null 2>&1 || break
done

# ---- The list: NAME | lives or ends | COMMAND ----

listed() {
	cat <<'LIST'
as it should be|lives|:
no PluginDir|ends|put PluginDir
a PluginDir that is not there|ends|dirs /nowhere "$ours" "$slurms"
a PluginDir without a name|ends|dirs "$ours" "" "$slurms"
a PluginDir that is a file|ends|dirs "$ours/select_mesh.so" "$ours" "$slurms"
PluginDir without ours|ends|dirs "$slurms"
PluginDir without Slurm's|ends|dirs "$ours"
PluginDir the other way round|lives|dirs "$slurms" "$ours"
ours in two directories|lives|dirs "$ours" "$ours" "$slurms"
an empty plugin|ends|ours_elsewhere truncate -s 0 select_mesh.so
a plugin cut short|ends|ours_elsewhere truncate -s 9000 select_mesh.so
a plugin that is text|ends|ours_elsewhere cp /etc/passwd select_mesh.so
a library that is no plugin|ends|ours_elsewhere cp "$(ldd /bin/bash | awk '/libc.so/ { print $3 }')" select_mesh.so
a plugin under another name|ends|ours_elsewhere mv select_mesh.so mesh.so
a directory in place of the plugin|ends|ours_elsewhere eval 'rm select_mesh.so; mkdir select_mesh.so'
no library of boxes, and no need of it|lives|ours_elsewhere :
no library of boxes, a contiguous strategy|ends|ours_elsewhere :; param mesh_strategy=snug-box
no library of boxes, such a strategy for a partition|ends|ours_elsewhere :; param mesh_strategy_all=ff
no library of boxes, two meshes that a cable joins|ends|ours_elsewhere :; map 'MeshName=a Dims=8 Nodes=n[0-7]' 'MeshName=b Dims=8 Nodes=n[8-15]' Link=n0,n8
a strategy of papers without their library|ends|ours_elsewhere :; param mesh_strategy=mm
a library of papers that is text|ends|ours_elsewhere cp /etc/passwd mesh_strategies_papers.so; param mesh_strategy=mm
the library of papers|lives|ours_elsewhere cp "$ours/mesh_strategies_papers.so" .; param mesh_strategy=snug-box
a link to nowhere|ends|ours_elsewhere ln -sf /nowhere/select_mesh.so .
another version|ends|ours_elsewhere other_version
another version, then the right one|lives|ours_elsewhere other_version; dirs "$PWD/so" "$ours" "$slurms"
a misspelt SelectType|ends|put SelectType select/mehs
SelectType without its kind|ends|put SelectType mesh
the other name|lives|put SelectType select/cons_tres_mesh
over select/linear|lives|param mesh_base=linear
memory alone to share|ends|put SelectTypeParameters CR_Memory
block distribution alone|ends|put SelectTypeParameters CR_CORE_DEFAULT_DIST_BLOCK
sockets, memory and more|lives|put SelectTypeParameters CR_Socket_Memory,CR_LLN
memory alone over select/linear|lives|put SelectTypeParameters CR_Memory; param mesh_base=linear
nothing said of what to share, under Slurm's name|lives|put SelectTypeParameters; put SelectType select/cons_tres_mesh
topology/3d_torus|ends|put TopologyPlugin topology/3d_torus
no such scheduler|ends|put SchedulerType sched/nope
no such preemption|ends|put PreemptType preempt/nope
no such accounting|ends|put AccountingStorageType accounting_storage/nope
no such credentials|ends|put CredType cred/nope
no such switch|ends|put SwitchType switch/nope
no such gatherer of accounting|ends|put JobAcctGatherType jobacct_gather/nope
no such plugin of submission, behind a good one|ends|put JobSubmitPlugins all_partitions,nope
no such features of nodes|ends|put NodeFeaturesPlugins nope
MaxNodeCount, which looks for cons_tres in the name|ends|put MaxNodeCount 20
MaxNodeCount under Slurm's name|lives|put SelectType select/cons_tres_mesh; put MaxNodeCount 20
own strategies that are not there|ends|param mesh_strategies=/nowhere.so
topology/tree reads our lines|ends|put TopologyPlugin topology/tree
topology/tree, our lines elsewhere|lives|put TopologyPlugin topology/tree; mv topology.conf mesh.conf; map 'SwitchName=s Nodes=n[0-15]'; param "mesh_conf=$PWD/mesh.conf"
topology/tree, our lines in both|ends|put TopologyPlugin topology/tree; cp topology.conf mesh.conf; param "mesh_conf=$PWD/mesh.conf"
mesh_conf= of a file that is not there|ends|param mesh_conf=/nowhere/mesh.conf
mesh_conf= of a broken file|ends|echo MeshName=m >mesh.conf; param "mesh_conf=$PWD/mesh.conf"
no topology.conf|ends|rm topology.conf
topology.conf that is a directory|ends|rm topology.conf; mkdir topology.conf
an empty topology.conf|ends|: >topology.conf
a mesh that is not full|ends|map 'MeshName=m Dims=4x5 Nodes=n[0-15]'
nodes that slurmctld does not know|lives|map 'MeshName=m Dims=4x5 Nodes=n[0-19]'
an unknown key|ends|map "$mesh Colour=red"
a line that begins with a key of another line|lives|map "$mesh" 'Wrap=all'
a list with blanks and nothing at its end|lives|map 'MeshName=m Dims=4x4 Nodes="n[0-7], n[8-15],"'
blanks, quotes, a byte order mark, continued|lives|printf '\xEF\xBB\xBFMeshName = m Dims = "4x4" Nodes=\\\nn[0-7],\\\nn[8-15]\n' >topology.conf
Include|lives|mv topology.conf more.conf; map 'Include more.conf'
Include of what is not there|ends|map "$mesh" 'Include more.conf'
Include of itself|ends|map 'Include topology.conf'
Order= of what is not there|ends|map "$mesh Order=hilbert"
DownLinksFile= of what is not there|lives|map "$mesh" DownLinksFile=down
DownLinksFile= with a mistake|ends|map "$mesh" DownLinksFile=down; echo n0:n5 >down
DownLinksFile= with blanks|lives|map "$mesh" DownLinksFile=down; echo 'n0:n1 ; n1 : n2' >down
an unknown strategy|ends|param mesh_strategy=best
a strategy twice, the last one good|lives|param mesh_strategy=best,mesh_strategy=mm
a strategy twice, the last one bad|ends|param mesh_strategy=mm,mesh_strategy=best
an unknown mesh_ key|ends|param mesh_stratgy=mm
a strategy for a partition that is not there|lives|param mesh_strategy_night=mm
options of a plugin that is not there|lives|echo "required $PWD/spank_mesh.so" >plugstack.conf
a node twice|ends|more 'NodeName=n[3-4]'
a partition twice|ends|more 'PartitionName=p Nodes=n0' 'PartitionName=p Nodes=n1'
a partition of an unknown node|ends|more 'PartitionName=p Nodes=n99'
a partition of node sets|lives|more 'NodeSet=a Nodes=b,n1' 'NodeSet=b Feature=left' 'PartitionName=p Nodes=a,n3'
a node set that comes too late|ends|more 'NodeSet=b Nodes=n1' 'NodeSet=a Nodes=b' 'PartitionName=p Nodes=a'
nodes with other names|lives|more 'NodeName=gpu+a[1-2],n/a NodeAddr=127.0.0.1' 'PartitionName=p Nodes=n/a'
an empty name in a list|lives|more 'PartitionName=p Nodes=n1,,n2,'
a value continued|lives|more 'PartitionName=p \' 'Nodes=\' 'n1,\' 'n2'
Include with the cluster in its name|lives|put ClusterName Big; more 'Include nodes.%c.conf'; echo 'PartitionName=p Nodes=n1' >nodes.big.conf
Include of slurm.conf's that is not there|ends|more 'Include nodes.conf'
a line that Slurm does not know|ends|more 'Colour=red'
a line that is none|ends|more 'hello'
a state that there is not|ends|more 'NodeName=x1 NodeAddr=127.0.0.1 State=Sleepy'
a state in two words|ends|more 'NodeName=x1 NodeAddr=127.0.0.1 State="idle down"'
states of nodes|lives|more 'NodeName=x1 NodeAddr=127.0.0.1 State=drained' 'NodeName=x2 NodeAddr=127.0.0.1 State=failing' 'NodeName=x3 NodeAddr=127.0.0.1 State=CLOUDY'
an unknown state of nodes that are down|lives|more 'DownNodes=n1 State=Sleepy'
addresses for some of the nodes|ends|more 'NodeName=x[1-3] NodeHostname=localhost NodeAddr=127.0.0.[1-2]'
an address for each node|lives|more 'NodeName=x[1-3] NodeHostname=localhost NodeAddr=127.0.0.[1-3]'
one address for all nodes|lives|more 'NodeName=x[1-3] NodeHostname=localhost NodeAddr=127.0.0.1'
an address that is no list||more 'NodeName=x1 NodeAddr=a[1-'
broadcast addresses for some of the nodes|ends|more 'NodeName=x[1-3] NodeAddr=127.0.0.1 BcastAddr=127.0.0.[1-2]'
ports for some of the nodes|ends|more 'NodeName=x[1-3] NodeAddr=127.0.0.1 Port=[7001-7002]'
a port above 65535|ends|more 'NodeName=x1 NodeAddr=127.0.0.1 Port=70000'
ports without brackets|lives|more 'NodeName=x[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=7001-7002'
a byte order mark in slurm.conf|ends|sed -i '1s/^/\xEF\xBB\xBF/' slurm.conf
CRLF in slurm.conf|lives|sed -i 's/$/\r/' slurm.conf
a partition with blanks in its list|lives|more 'PartitionName=p Nodes="n1, n2"'
Include behind blanks|ends|more '  Include part.conf'; echo KillWait=2 >part.conf
two keys in a line|ends|more 'KillWait=3 MinJobAge=300'
a partition of ALL|lives|more 'PartitionName=p Nodes=ALL'
two brackets in a name|lives|more 'NodeName=x[1-2]y[1-3] NodeAddr=127.0.0.1' 'PartitionName=p Nodes=x[1-2]y[1-3]'
SelectType twice, the last one good|lives|put SelectType select/mehs; more SelectType=select/mesh
SelectType twice, the last one bad|ends|more SelectType=select/mehs
SchedulerParameters twice, the last one good|lives|param mesh_strategy=best; more SchedulerParameters=mesh_strategy=mm
SchedulerParameters twice, the last one bad|ends|more SchedulerParameters=mesh_strategy=best
SchedulerParameters+= with a mistake|ends|more SchedulerParameters+=mesh_strategy=best
SchedulerParameters +=, which takes the place of the first|lives|param mesh_strategy=best; more 'SchedulerParameters +=mesh_strategy=mm'
a node by NodeName+=|ends|more 'NodeName+=n[3-4]'
PluginDir twice, the last one good|lives|put PluginDir /nowhere; more "PluginDir=$ours:$slurms"
PluginDir twice, the last one bad|ends|more PluginDir=/nowhere
DownNodes= of what is not there|lives|more 'DownNodes=n99 State=DOWN'
a front end|ends|more 'FrontendName=fe1 FrontendAddr=127.0.0.1'
keys in small letters|lives|sed -i 's/^[A-Z][A-Za-z]*=/\L&/' slurm.conf
a state that is a file|ends|: >file; put StateSaveLocation "$PWD/file"
the state of another cluster|ends|printf other >state/clustername
the state of this cluster|lives|put ClusterName Mesh; printf mesh >state/clustername
no such priority|ends|put PriorityType priority/nope
no such labels|ends|put MCSPlugin mcs/nope
no such burst buffer|ends|put BurstBufferType burst_buffer/nope
no such prolog|ends|put PrepPlugins nope
no such other authentication|ends|put AuthAltTypes auth/nope
no such measurer of energy|ends|put AcctGatherEnergyType acct_gather_energy/nope
no such profiler|ends|put AcctGatherProfileType acct_gather_profile/nope
no such measurer of file systems|ends|put AcctGatherFilesystemType acct_gather_filesystem/nope
no such measurer of networks|ends|put AcctGatherInterconnectType acct_gather_interconnect/nope
LIST
	[ "$(id -u)" -ne 0 ] || cat <<'LIST'
SlurmUser|lives|as_user; ours_elsewhere :
topology.conf that SlurmUser may not read|ends|as_user; chmod 600 topology.conf
slurm.conf that SlurmUser may not read|ends|as_user; chmod 600 slurm.conf
a directory of plugins that SlurmUser may not enter|ends|as_user; ours_elsewhere chmod 700 .
Order= that SlurmUser may not read|ends|as_user; map "$mesh Order=o"; seq 0 15 >o; chmod 600 o
a plugin that SlurmUser may not read|ends|as_user; ours_elsewhere chmod 600 select_mesh.so
LIST
	state=lives
	[[ $(slurmctld -V) != *\ 22.05.[0-8] ]] || state=ends
	echo "a node set of ALL|$state|more 'NodeSet=s Nodes=ALL' 'PartitionName=p Nodes=s'"
	if slurm_is -ge 24.05; then
		echo 'nothing said of what to share|ends|put SelectTypeParameters'
		echo 'topology/mesh beside select/mesh|lives|put TopologyPlugin topology/mesh'
		echo "topology/mesh beside Slurm's own|lives|put TopologyPlugin topology/mesh; put SelectType select/cons_tres"
	else
		echo 'nothing said of what to share|lives|put SelectTypeParameters'
		echo 'topology/mesh, which this Slurm has not|ends|put TopologyPlugin topology/mesh'
	fi
}

# ---- Parts drawn at random: of each line one; the first is the plain one ----

parts() {
	cat <<'PARTS'
dirs "$ours" "$slurms"|dirs "$slurms" "$ours"|dirs "$slurms"|put PluginDir|ours_elsewhere other_version
put SelectType select/mesh|put SelectType select/cons_tres_mesh|put SelectType select/mehs
put SelectTypeParameters CR_Core_Memory|put SelectTypeParameters CR_CPU|put SelectTypeParameters CR_Memory
param mesh_strategy=snug|param mesh_base=linear|param mesh_fallback=mm,mesh_max_wait=60|param mesh_base=cons|param mesh_comment=perhaps
map "$mesh"|map 'Include more.conf'; echo "$mesh" >more.conf|map "$mesh" 'Include none.conf'|map 'MeshName=m Dims=16 Nodes=n[0-15]'|map 'MeshName=m Dims=4x4 Nodes=n[0-14]'|map 'MeshName = "m" Dims=4x2 NodesPerVertex=2 Nodes=\' 'n[0-15]'|map 'SwitchName=s Nodes=n[0-15]'
:|:|put TopologyPlugin topology/tree|cp topology.conf map.conf; map 'SwitchName=s Nodes=n[0-15]'; param "mesh_conf=$PWD/map.conf"; put TopologyPlugin topology/tree|put TopologyPlugin topology/hypercubes
:|more 'NodeSet=s Nodes=n[0-3]' 'PartitionName=p Nodes=s'|more 'PartitionName=p Nodes=n[0-3],n16'|more 'NodeName=n[16-17] NodeAddr=127.0.0.1' 'PartitionName=p Nodes=\' 'n[15-16]'|more 'NodeName=n1'
:|:|more 'Include part.conf'; echo KillWait=2 >part.conf|more 'Bogus=1'|more 'Include %c.conf'; echo 'PartitionName=q Nodes=n5' >mesh.conf
PARTS
}

# draw: one configuration. The plain part half of the time, so that about half of them are good.
draw() {
	local line part all=()
	while IFS= read -r line; do
		IFS='|' read -r -a part <<<"$line"
		if ((RANDOM % 4)); then all+=("${part[RANDOM % 2]}"); else all+=("${part[RANDOM % ${#part[@]}]}"); fi
	done < <(parts)
	printf '%s; ' "${all[@]}"
}

# ---- A try ----

# begin WORKER: the configuration as it should be, in the directory at hand
begin() {
	mkdir log run state spool
	sed -e "s,$cluster_dir/\(log\|run/slurm\|state\|spool\|plug\),$PWD/\1," \
		-e "s,^SlurmctldPort=.*,SlurmctldPort=$((cluster_port + $1))," "$cluster_dir/slurm.conf" >slurm.conf
	sed -i '/^NodeName=/s/$/ Feature=left/' slurm.conf
	cp "$cluster_dir/topology.conf" .
	[ ! -e "$cluster_dir/cgroup.conf" ] || cp "$cluster_dir/cgroup.conf" .
}

# lives or ends: what slurmctld does. It lives where backfill's thread and the one that saves the
# state run: up to 23.02 the first starts while nodes are read, since 23.11 the second starts before
# schedulers are loaded. For a file that slurm.conf includes and that is not there it waits a minute
# before it ends.
start() {
	local pid names state=
	SLURM_CONF=$PWD/slurm.conf MESH_CLUSTER=$cluster_dir setsid slurmctld -D -f "$PWD/slurm.conf" \
		>out 2>&1 </dev/null &
	pid=$!
	disown "$pid" 2>/dev/null # no word from bash when it is killed
	local end=$((SECONDS + 90))
	while [ -z "$state" ]; do
		names=$(cat "/proc/$pid/task/"*/comm 2>/dev/null)
		if [[ $names = *bckfl* && $names = *sstate* ]]; then
			state=lives
		elif ! kill -0 "$pid" 2>/dev/null || grep -qs 'cannot stat file .* retrying' out; then
			state=ends
		elif [ "$SECONDS" -gt "$end" ]; then
			state=neither
		else
			sleep 0.05
		fi
	done
	kill -s KILL "$pid" 2>/dev/null
	echo "$state"
}

# try NUMBER NAME EXPECTED COMMAND: EXPECTED is empty where only both have to agree
try() {
	local code state
	mkdir "$cluster_dir/try.$1"
	cd "$cluster_dir/try.$1" || return
	begin $(($1 % workers))
	eval "$4" >/dev/null
	said=$(SLURM_CONF=$PWD/slurm.conf timeout 60 "$SMESH" check 2>&1)
	code=$?
	state=$(start)
	[ -z "$3" ] || is "$state" "$3" "$2: slurmctld $3"
	case $code in
	1 | 8) code=ends ;;
	0 | 5) code=lives ;;
	esac
	is "$code" "$state" "$2: smesh check knows that it $state"
	[ "$code" = "$state" ] || {
		grep -hE 'fatal|error' out log/slurmctld.log | tail -n 3
		echo "$said"
	} | sed 's/^/# /'
	cd / && rm -rf "$cluster_dir/try.$1"
}

# Each worker has its own part of the list, and its own port.
names=() expected=() commands=()
while IFS='|' read -r name wanted command; do
	names+=("$name") expected+=("$wanted") commands+=("$command")
done < <(listed)
for ((i = 0; i < draws; i++)); do
	drawn=$(draw)
	names+=("drawn: ${drawn//: ; /}") expected+=("") commands+=("$drawn")
done
work() {
	local i
	for ((i = $1; i < ${#names[@]}; i += workers)); do
		try "$i" "${names[i]}" "${expected[i]}" "${commands[i]}"
	done
}
side_by_side "work 0" "work 1" "work 2" "work 3"
done_testing
