#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh map and smesh check, without a Slurm behind them.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conf=$dir/topology.conf
echo 'MeshName=m Dims=4x2x2 Wrap=yes,no,no Nodes=n[0-15]' >"$conf"
printf '# a comment\n17 ann n[0-1,8]\n18 - n[4-5]\ndown - n15\ndrain - n[6,4]\n' >"$dir/state"

is "$("$SMESH" map -t "$conf" --state "$dir/state")" "m, state

z=0         z=1
A A . .     A . . .
% B % .     . . . #


. free 9   % drained 2   # down 1   busy 5 of 16
  job          user         nodes mean hops
A 17           ann              3     1.333
B 18           -                2     1.000

  free boxes       now    in 1 h  places lost if a node or link fails: mean, worst
  1                  9         9  node 11.1%, n2 11.1%
  2                  3         3  node 22.2%, n10 40%; link 10%, n2 to n3 10%
  4                  1         1  node 44.4%, n10 100%; link 40%, n2 to n3 50%
  the largest        4         4  nodes" "a file is drawn, planes side by side"
is "$("$SMESH" map -t "$conf" --state "$dir/state" -s mm --seed 2 --fold 2>&1 >/dev/null)" "smesh: --strategy has no effect without --at
smesh: --seed has no effect without --at
smesh: --fold has no effect without --at" "options of a simulation do nothing to it, and that is told"
is "$("$SMESH" map -t "$conf" --generate lublin --jobs 9 --at 50% -s mm --seed 2 2>&1 >/dev/null)" "" "but in a simulation"
"$SMESH" map -t "$conf" --state - --json >"$dir/json" < <(cat "$dir/state" && echo 'waiting 19 bob 4 Resources 50 shape=2x2')
is "$(/usr/bin/python3 - "$dir/json" <<'PY'
import json, sys
m = json.load(open(sys.argv[1]))
print(m["mesh"], [n["name"] for n in m["nodes"] if n["job"] == "17"], m["nodes"][5]["at"], m["nodes"][15]["state"])
print([(j["job"], j["nodes"], j["user"], j["mean_hops"]) for j in m["jobs"]])
w, = m["waiting"]
print(w["job"], w["shape"], w["seconds_since"], w["seconds_to_start"], w["means"])
PY
)" "{'name': 'm', 'dims': [4, 2, 2], 'wrap': [True, False, False]} ['n0', 'n1', 'n8'] [1, 1, 0] down
[('17', 'n[0-1,8]', 'ann', 1.33333333333), ('18', 'n[4-5]', None, 1.0)]
19 [2, 2] 50.0 None nodes that it could have are busy" "as JSON"
like "$("$SMESH" why -t "$conf" --state "$dir/state" --json 17)" '"state": "running".*"nodes": "n.0-1,8."' "smesh why likewise"
fails 1 "exclude each other" "not as a picture, too" "$SMESH" map -t "$conf" --state "$dir/state" --json --svg -
like "$("$SMESH" map -t "$conf" --state "$dir/state" --width 10 | sed -n '3p;7p' | tr '\n' ' ')" '^z=0 z=1' \
	"a narrow terminal has one plane a row"
is "$("$SMESH" map -t "$conf" --state - <"$dir/state" | sed -n 4p)" "A A . .     A . . ." "standard input"
like "$("$SMESH" map -t "$conf" --state "$dir/state" --color always)" $'\033\\[0;30;48;5;' "colours on demand"
[[ $("$SMESH" map -t "$conf" --state "$dir/state") != *$'\033'* ]]
ok $? "plain when not a terminal"

"$SMESH" map -t "$conf" --state "$dir/state" --svg "$dir/map.svg"
is $? 0 "an SVG is written"
like "$(head -1 "$dir/map.svg")" '^<svg .*xmlns=' "an SVG of its own"
if command -v xmllint >/dev/null; then
	xmllint --noout "$dir/map.svg"
	ok $? "that is well formed"
else
	skip "that is well formed" "no xmllint"
fi
is "$(grep -c '<rect class=' "$dir/map.svg")" 16 "a square a node"
is "$(grep -o '<text x=[^>]*>[%#]' "$dir/map.svg" | sed 's/.*>//' | paste -sd' ')" "% #" "marks of nodes that are drained, and down"
is "$(sed -n '/class="l legend"/s/<[^>]*>//gp' "$dir/map.svg")" "&#9632; % drained 2 &#9632; # down 1" "and what they mean"
echo 'MeshName=m Dims=3x3x3 Wrap=yes,no,no Nodes=n[0-26] DownLinks=n0:n1;n2:n0;n3:n6;n4:n13' >"$dir/broken.conf"
is "$("$SMESH" map -t "$dir/broken.conf" --state /dev/null --svg - | sed -n 's/.*class="broken" d="M.*l\(.*\)".*/\1/p' | paste -sd,)" \
	"40 0,20 0,0 40,20 -20" "broken links: to the next, outwards round the machine, down, out of the plane"
# svg DIMS: the picture of an idle machine
svg() {
	echo "MeshName=m Dims=$1 Nodes=n[0-$((${1//x/*} - 1))]" >"$dir/other.conf"
	"$SMESH" map -t "$dir/other.conf" --state /dev/null --svg -
}
is "$(svg 16x16x5 | grep -o 'class="l" x="[0-9]*" y="[0-9]*"' | sed 's/.*y=//' | sort | uniq -c | awk '{ print $1 }' | paste -sd' ')" "3 2" \
	"five planes: none is alone in its row"
echo 'MeshName=m Dims=2x3x2 NodesPerVertex=4 Nodes=n[0-47]' >"$dir/hosts.conf"
is "$("$SMESH" map -t "$dir/hosts.conf" --state /dev/null --svg - | sed -n 's/.*class="edge vertices" d="\(.*\)".*/\1/p' | grep -o '[vh]' | sort | uniq -c | tr -s ' \n' ' ')" \
	" 8 h 6 v " "lines between vertices of several hosts"
is "$(svg 4x4 | grep -c 'class="edge vertices"')" 0 "none where a vertex is a node"
like "$(svg 4x40 | head -1)" 'width="[0-9]{4}" height="[0-9]{3}"' "a high plane is turned"
for i in {0..9}; do echo "$i ann n$i,n$((10 + i)),n$((20 + (i + 4) % 10))"; done >"$dir/many"
echo 'MeshName=m Dims=10x3 Nodes=n[0-29]' >"$dir/other.conf"
is "$("$SMESH" map -t "$dir/other.conf" --state "$dir/many" --svg - |
	sed -n 's/.*--h:\([0-9]*\)" x="\([0-9]*\)" y="\([0-9]*\)".* job \([0-9]*\)<.*/\1 \2 \3 \4/p' | awk '
	{ hue[$2, $3] = $1; job[$2, $3] = $4; x[NR] = $2; y[NR] = $3 }
	function meet(a, b, d) {
		if (!(b in job) || job[a] == job[b])
			return
		d = hue[a] - hue[b]
		pairs++
		near += d < 30 && d > -30 || d > 330 || d < -330
	}
	END {
		for (i = 1; i <= NR; i++) {
			meet(x[i] SUBSEP y[i], x[i] + 40 SUBSEP y[i])
			meet(x[i] SUBSEP y[i], x[i] SUBSEP y[i] + 40)
		}
		print NR, pairs, near
	}')" "30 37 0" "jobs beside each other: hues 30 degrees apart"
! grep -q -e 'src=' -e 'http://[^w]' -e 'https:' "$dir/map.svg"
ok $? "and needs no network"
echo '<b>&"1 u<i> n0' >"$dir/evil"
! "$SMESH" map -t "$conf" --state "$dir/evil" --svg - | grep -q '<b>&\|<i>'
ok $? "names are escaped"

printf '%s -1 1 1 -1 -1 -1 -1 -1 -1\n' '1 0 -1 1000 8 -1 -1 8 1200' '2 10 -1 5000 12 -1 -1 12 6000' \
	'3 20 -1 5000 12 -1 -1 12 6000' '4 600 -1 5000 12 -1 -1 12 6000' >"$dir/queue"
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$dir/four.conf"
is "$("$SMESH" map -t "$dir/four.conf" --trace "$dir/queue" --at 500 | sed -n '/job  /,$p' | sed 's/ node [0-9].*//' | grep -v '^$')" \
	"  job          user         nodes mean hops time left
A 1            u1               8     2.000    12 min
  waiting      user         nodes     since starts in  why
  2            u1              12   8.2 min         -  Resources
  3            u1              12   8.0 min         -  Priority
  free boxes       now    in 1 h  places lost if a node or link fails: mean, worst
  1                  8        16 
  2                  4         8 
  4                  2         4 
  8                  1         2 
  16                 0         1
  the largest        8        16  nodes" "with the queue, and what is free when jobs end at their limits"
like "$("$SMESH" map -t "$conf" -s linear --generate uniform --jobs 50 --at 50% --load 2)" \
	'busy [1-9]' "a simulation at half time"
printf '#\n1 u n99\n' >"$dir/bad"
like "$("$SMESH" map -t "$conf" --state "$dir/bad" 2>&1)" "bad:2: a node of no mesh is left out" "unknown node"
printf '1 u n[0\n' >"$dir/bad"
fails 1 "bad:1: not a host list at" "no host list" "$SMESH" map -t "$conf" --state "$dir/bad"

# squeue lists jobs of all meshes, and of nodes in none.
printf '%s\n' 'MeshName=p Dims=2x2 Nodes=a[0-3]' 'MeshName=q Dims=2x2 Nodes=b[0-3]' >"$dir/two.conf"
printf '%s\n' '1 u1 a[0-1]' '2 u2 b0' '3 u3 a2,gpu1' 'down - b[1-2]' >"$dir/two"
out=$("$SMESH" map -t "$dir/two.conf" --mesh p --state "$dir/two" 2>"$dir/said")
is "$? $(grep -c '^[A-Z] [0-9]' <<<"$out") $(sed -n 3,4p <<<"$out" | paste -sd/) $(cat "$dir/said")" \
	"0 2 A A/B . smesh: $dir/two:3: a node of no mesh is left out; so are others" "jobs elsewhere are left out"
printf '%s\n' '1 u1 a[0-1]' '2 u2 b0' >"$dir/two"
is "$("$SMESH" map -t "$dir/two.conf" --mesh p --state "$dir/two" 2>&1 | grep -c 'left out')" 0 "without a word, those of another mesh"
printf '%s\n' '1 u a[0-1]' '2 u a1' 'Down - a3' >"$dir/two"
out=$("$SMESH" map -t "$dir/two.conf" --mesh p --state "$dir/two" 2>&1)
is "$? $(grep -c '^[A-Z] [0-9]' <<<"$out") $(sed -n 3,4p <<<"$out" | paste -sd/)" "0 2 A A/. #" \
	"jobs may share a node; words in any case"
printf '1 u n[0-3]\n2 u n1\n3 u n1\n2 u n4\n1 u n[0-3]\n' >"$dir/bad"
fails 1 "bad:4: job 2 is there twice" "a job twice" "$SMESH" map -t "$conf" --state "$dir/bad"
awk 'BEGIN { for (i = 0; i < 80000; i++) printf "17_%d u n%d\n", i * 7919 % 80000, i % 16 }' >"$dir/many"
(ulimit -t 6; exec "$SMESH" map -t "$conf" --state "$dir/many" >/dev/null)
is $? 0 "80,000 jobs in seconds of processor time"

# What users name their jobs moves no cursor and changes no colours, in messages neither.
printf '1\033[2Jx a\033]0;t\a n[0-1] 60 60 p\302\233q\nwaiting 2\r b\177b 3 Resources 5 contiguous\n' >"$dir/odd"
for command in map "why 2?" "why 1?[2Jx" "top -n 1" "defrag --shape 4x4" defrag $'why none\033[2J'; do
	# shellcheck disable=SC2086
	is "$(cd / && "$SMESH" $command -t "$conf" --state "$dir/odd" 2>&1 | LC_ALL=C grep -c $'[[:cntrl:]]\|\302[\200-\237]')" 0 \
		"${command%$'\033'*}: no escapes"
done
like "$("$SMESH" map -t "$conf" --state "$dir/odd")" 'A 1.\[2Jx +a.\]0;t.' "but the rest of the names"
echo '1 n3' >"$dir/bad"
fails 1 "bad:1: expected JOB USER HOSTLIST .*: down - HOSTLIST" "too few words" "$SMESH" map -t "$conf" --state "$dir/bad"
for line in 'down n3 n4' 'drain - n3 n4'; do
	echo "$line" >"$dir/bad"
	fails 1 "bad:1: expected JOB USER HOSTLIST .*: down - HOSTLIST" "$line" "$SMESH" map -t "$conf" --state "$dir/bad"
done
fails 1 "a simulation needs --at" "no time" "$SMESH" map -t "$conf" --generate lublin
fails 1 "exclude each other" "two sources" "$SMESH" map -t "$conf" --state "$dir/state" --at 3

SLURM_CONF=$dir/none.conf fails 1 "none.conf: No such file.*smesh: map also draws a simulation" "no slurm.conf" "$SMESH" map -t "$conf"

# --- check

check() {
	"$SMESH" check -t "$conf" "$@"
}
out=$(check)
is $? 0 "check: a good file"
like "$out" 'mesh m: 4x2x2, wrap yes,no,no, 16 nodes on 16 vertices: n\[0-15\]' "says what it understood"
like "$(check --json)" '"dims": \[.*"wrap": \[' "as JSON too"
echo 'MeshName=m Dims=4x4 Holes=1,1;1,3;3,1;3,3 Nodes=n[0-11] NodeShape=2x1 Shapes=2x2,4x1@4x2,1x1@1' >"$dir/shapes.conf"
out=$("$SMESH" check -t "$dir/shapes.conf")
is $? 0 "check: a list of legal boxes"
like "$out" 'shape 4x1: 2 places' "how many places a box has"
like "$out" 'warning: mesh m: a box of 2x2 has a hole wherever' "one that cannot be for holes"
like "$("$SMESH" check -t "$dir/shapes.conf" --json)" '"shape": "4x1",[^}]*"places": 2,[^}]*"whole": 2' "in JSON"
is "$("$SMESH" alloc -t "$dir/shapes.conf" -s bf --shape 8x1:chips --busy n0 | head -n 1)" "n[6-9]" "a box in chips, at its place"
fails 4 "a box of 2x1 is not one of Shapes=" "one that is not legal" "$SMESH" alloc -t "$dir/shapes.conf" -s bf --shape 2x1
stub=$(slurm_stub "$dir/so")
printf '%s\n' "$stub" 'NodeName=n[0-15]' 'PartitionName=DEFAULT Nodes=n[0-15] State=UP' PartitionName=whole \
	'PartitionName=half Nodes=n[8-15] MaxTime=5' 'PartitionName=part Nodes=n[4-9]' 'PartitionName=apart Nodes=n[0-3]' >"$dir/slurm.conf"
out=$(check)
is "$(grep '^partition' <<<"$out")" "partition half shares 8 of its 8 nodes with partition whole, which has 8 others
partition part shares 6 of its 6 nodes with partition whole, which has 10 others
partition part shares 2 of its 6 nodes with partition half, which has 6 others
partition apart shares 4 of its 4 nodes with partition whole, which has 12 others" "partitions that overlap unevenly"
is "$(check --json | grep -c '"shared":')" 4 "in JSON"
cat >"$dir/slurm.conf" <<END
$stub
SelectType=select/cons_tres
SchedulerParameters=bf_window=60,mesh_strategy=linear,mesh_strategy_big=mm,mesh_pattern_small=ring
Include nodes.conf
END
printf '%s\n' 'NodeName=n[0-13],login1 CPUs=1' 'PartitionName=DEFAULT MaxTime=60' 'PartitionName=big Nodes=ALL' >"$dir/nodes.conf"
out=$(check)
is $? 6 "a slurm.conf beside it is read, Include and all; the largest exit code counts"
like "$out" '1 node of slurm.conf is in no mesh.*: login1' "a node outside the mesh"
like "$out" '2 nodes of a mesh are not in slurm.conf, a hole until .*: n\[14-15\]' "mesh nodes that Slurm does not have"
like "$out" 'slurm.conf:[0-9]+: neither SelectType nor TopologyPlugin names mesh: mesh_strategy= and' "the plugin is not used"
sed s,select/cons_tres,select/mesh, "$dir/slurm.conf" >"$dir/other.conf"
check --slurm-conf "$dir/other.conf" >/dev/null
is $? 5 "nodes that slurm.conf has not have an exit code"
like "$out" 'strategy linear, mm in partition big' "the strategies"
like "$out" 'mesh_pattern_small does nothing: slurm.conf has no partition small' "a partition that is not there"
is "$(grep -c 'does nothing' <<<"$out")" 1 "and only that"
like "$(check --json)" '"warnings": \[.*a hole until' "in JSON"
echo 'NodeName=n[0-15] CPUs=1' >"$dir/nodes.conf"
check >/dev/null
is $? 6 "a slurm.conf that agrees, without SelectType"
grep -v mesh_strategy "$dir/slurm.conf" >"$dir/other.conf"
out=$(check --slurm-conf "$dir/other.conf")
is $? 0 "before the switch, without a key of ours"
like "$out" 'names mesh: the mesh lines are not used' "a warning"
echo 'SchedulerParameters += mesh_strategy=mm' >>"$dir/other.conf"
out=$(check --slurm-conf "$dir/other.conf")
is $? 6 "+= is = to Slurm"
like "$out" 'strategy mm' "with blanks, too"
mkdir "$dir/saved"
told=
printf '%s\n' ClusterName=c "StateSaveLocation=$dir/saved" >>"$dir/other.conf"
for name in c 'c|17' d 'cc|17'; do
	printf %s "$name" >"$dir/saved/clustername"
	told+=" $(check --slurm-conf "$dir/other.conf" | grep -c "clustername has")"
done
is "$told" " 0 0 1 1" "the state of this cluster, with the number that Slurm 24.11 and later write, and of others"
printf '%s\n' "$(grep -v PluginDir <<<"$stub")" 'SelectType = select/mesh' "SchedulerParameters = \"mesh_strategy=mm\"" "PluginDir	=	$dir/so" \
	'NodeName = n[0-15] CPUs=1' 'PartitionName = big	Nodes=ALL' 'PartitionName=part	State=UP	Nodes=n[0-3]' >"$dir/other.conf"
out=$(check --slurm-conf "$dir/other.conf")
is $? 0 "blanks around =, tabs and quotes, as Slurm reads them"
like "$out" '16 nodes, SelectType=select/mesh'$'\n''strategy mm'$'\n''partition part shares 4 of its 4 nodes with partition big' \
	"all of it counts"
echo 'KillWait=3 MinJobAge=300' >>"$dir/other.conf"
out=$(check --slurm-conf "$dir/other.conf")
is $? 8 "two keys in a line, which Slurm does not take"
like "$out" 'warning: .*other.conf: Slurm [0-9.]* does not take it, slurmctld will not start: .*MinJobAge' "in its words"
sed 's,select/cons_tres,select/mesh,' "$dir/slurm.conf" >"$dir/other.conf"
touch "$dir/topology.yaml"
out=$(check --slurm-conf "$dir/other.conf")
is $? 0 "a topology.yaml beside select/mesh"
like "$out" 'warning: .*topology.yaml: from Slurm 25.05 on .* torus3d, block or ring' "which partitions it takes"
printf '%s\n' "$stub" TopologyPlugin=topology/mesh 'Include nodes.conf' >"$dir/other.conf"
out=$(check --slurm-conf "$dir/other.conf")
is $? 6 "a topology.yaml that keeps topology/mesh from being used"
like "$out" 'warning: .*topology.yaml: Slurm 25.05 and later .* leave TopologyPlugin=topology/mesh aside' "it says so"
rm "$dir/topology.yaml"
sed 's,select/cons_tres,select/mesh,' "$dir/slurm.conf" >"$dir/other.conf"
printf '%s\n' SlurmctldParameters=power_save_interval=1,enable_configless "SchedulerParameters=mesh_conf=$dir/topology.conf" >>"$dir/other.conf"
cp "$dir/topology.conf" "$dir/plain.conf"
echo 'DownLinksFile=links.down' >"$dir/down.conf"
echo 'Include down.conf' >>"$dir/topology.conf"
out=$(check --slurm-conf "$dir/other.conf")
mv "$dir/plain.conf" "$dir/topology.conf"
is "$(grep -o 'enable_configless does not send [^:]*: put that file on each node' <<<"$out" | cut -d' ' -f5 | paste -sd' ')" \
	"mesh_conf=$dir/topology.conf: Include DownLinksFile=links.down:" "configless: which files nodes do not have"

# What keeps slurmctld from starting.
cp "$dir/slurm.conf" "$dir/right.conf"
echo TopologyPlugin=topology/tree >>"$dir/slurm.conf"
out=$(check)
is $? 8 "mesh lines in the file that topology/tree reads"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: TopologyPlugin=topology/tree: slurmctld will not start.*mesh_conf=' "it says so, and where to put them"
cp "$conf" "$dir/mesh.conf"
cp "$dir/so/select_mesh.so" "$dir/so/topology_tree.so"
"$SMESH" check -t "$dir/mesh.conf" >/dev/null
is $? 8 "elsewhere, but there, too"
cp "$conf" "$dir/lines"
echo 'SwitchName=s Nodes=n[0-15]' >"$conf"
"$SMESH" check -t "$dir/mesh.conf" >/dev/null
is $? 6 "in a file of their own they are not in the way"
cp "$dir/lines" "$conf"
mkdir "$dir/stock" "$dir/mesh"
cp "$dir/so/select_mesh.so" "$dir/mesh/mesh_strategies_papers.so"
mv "$dir/so/select_mesh.so" "$dir/mesh"
cp "$dir/so/select_cons_tres.so" "$dir/so/auth_munge.so" "$dir/stock"
plugins() {
	{ grep -v -e ^PluginDir -e ^SelectType= "$dir/right.conf"; printf '%s\n' SelectType=select/mesh "PluginDir=$1"; } >"$dir/slurm.conf"
	out=$(check)
}
plugins /nosuch:"$dir/mesh"
is $? 8 "a PluginDir that is not there"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: PluginDir: /nosuch: no such directory' "which"
plugins "$dir/stock"
is $? 8 "a PluginDir without the plugin"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: select/mesh is in no directory of PluginDir' "of which kind"
plugins "$dir/mesh"
is $? 8 "a PluginDir without Slurm's own"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: select/cons_tres is in no directory of PluginDir' "of which kind"
plugins "$dir/mesh:$dir/stock:"
is $? 8 "a PluginDir that ends with a colon"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: PluginDir: nothing before or after a colon' "it says so"
plugins "$dir/mesh"$'\n'TopologyPlugin=topology/nonsense
is $? 8 "a TopologyPlugin that nobody has"
like "$out" 'warning: [^ ]*slurm.conf:[0-9]+: topology/nonsense is in no directory of PluginDir' "which"
plugins "$dir/mesh:$dir/stock"$'\n'TopologyPlugin=topology/mesh
like "$out" 'topology/mesh is in no directory of PluginDir: [^;]*; it is for Slurm 24.05 and newer: take SelectType=select/mesh' \
	"Slurm is too old for topology/mesh"
plugins "$dir/mesh:$dir/stock"
is $? 0 "all is there"

# What the slurmctld in control has left in StateSaveLocation.
echo "StateSaveLocation=$dir" >>"$dir/slurm.conf"
echo '1 elsewhere 1234' >"$dir/mesh_map"
out=$(check)
is $? 0 "one slurmctld with another map: it will take this one"
like "$out" 'slurmctld on elsewhere has another map until scontrol reconfigure' "it says so"
printf 'SlurmctldHost=%s\n' elsewhere >>"$dir/slurm.conf"
out=$(check)
is $? 7 "another controller that has control has another map"
like "$out" 'warning: the map is not that of slurmctld on elsewhere' "whose"
echo "0 $(uname -n) 1234" >"$dir/mesh_map"
check >/dev/null
is $? 0 "in control is this machine"
echo 'garbage' >"$dir/mesh_map"
check >/dev/null
is $? 0 "what cannot be read is not compared"

cp "$dir/right.conf" "$dir/slurm.conf"
echo 'SchedulerParameters=mesh_strategy=best' >>"$dir/slurm.conf"
fails 1 "slurm.conf:$(grep -c '' "$dir/slurm.conf"): SchedulerParameters: mesh_strategy" "unknown strategy, and its line" check
sed -i '$s/=best/_big=torus3d/' "$dir/slurm.conf"
fails 1 "SchedulerParameters: mesh_strategy_big: strategy 'torus3d' is for smesh alone" "a strategy that smesh lists for itself" check
echo 'SchedulerParameters=mesh_stategy=mm' >"$dir/included"
echo 'Include included' >>"$dir/slurm.conf"
fails 1 "/included:1: .*unknown key 'mesh_stategy', did you mean 'mesh_strategy'\?" "a slip in an included file" check
echo 'NodeName=n[0-' >"$dir/included"
fails 1 "/included:1: " "a mistake there" check
echo 'Include none.conf' >"$dir/slurm.conf"
fails 1 "none.conf: No such file" "missing include" check
echo 'NodeName=n[3-' >"$dir/other.conf"
fails 1 "other.conf:1: not a host list" "bad host list" check --slurm-conf "$dir/other.conf"
echo 'SwitchName=s Nodes=n1' >"$dir/none"
fails 1 "no MeshName= line" "no mesh" "$SMESH" check -t "$dir/none"
echo 'MeshName=m Dims=4x4 Nodes=n[0-3]' >"$dir/none"
fails 1 "none:1: Nodes= names 4 nodes" "a bad mesh" "$SMESH" check -t "$dir/none"
echo 'MeshName=m Dims=2x2 Nodes=n[0-3] Order=hilbrt' >"$dir/none"
fails 1 "none:1: Order= names a file: .*hilbrt: No such file" "an order that is no file" "$SMESH" check -t "$dir/none"

done_testing
