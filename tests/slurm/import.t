#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The whole way: a list of cables, two of which are missing -> smesh import -> topology.conf with a type
# of etc/mesh-types.conf -> a cluster -> jobs in slices that have all their cables, and tasks that know
# their slice.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

dir=$(mktemp -d)
at_exit() { rm -rf "$dir"; }

# Cables of 4x8 hosts n0 to n31 in any order. What is missing is a cable in the middle of each end of
# the pod: two of the four slices of 4x8 chips lack one, and both of 8x8.
awk 'BEGIN {
	srand(42)
	for (i = 0; i < 32; i++) name[i] = i
	for (i = 31; i > 0; i--) { j = int(rand() * (i + 1)); t = name[i]; name[i] = name[j]; name[j] = t }
	for (i = 0; i < 32; i++) {
		if (i % 4 < 3) print "n" name[i] ":p1,n" name[i + 1] ":p2"
		if (i < 28 && i != 1 && i != 26) print "n" name[i] ":p3,n" name[i + 4] ":p4"
	} }' | shuf --random-source=<(yes) | sed '1i from,to' >"$dir/cables.csv"

"$SMESH" import cables "$dir/cables.csv" >"$dir/lines" 2>"$dir/said"
ok $? "smesh import reads $(wc -l <"$dir/cables.csv") lines"
like "$(cat "$dir/lines")" 'Dims=4x8 Wrap=no,no .*DownLinks=[^; ]*;[^; ]*$' "it finds 4x8 with two cables missing"
# The same as Tenstorrent's factory has it, and as iblinkinfo shows switches with a host each.
awk -F'[:,]' 'BEGIN { for (i = 0; i < 32; i++) printf "hosts { hostname: \"n%d\" }\n", i; print "eth_connections {" }
	NR > 1 { gsub("n", ""); printf "  connection { endpoint_a { host_id: %d } endpoint_b { host_id: %d } }\n", $1, $3 }
	END { print "}" }' "$dir/cables.csv" >"$dir/factory"
awk -F'[:,]' 'NR > 1 { gsub("n", ""); port[$1, $3] = ++ports[$1]; to[$1, ports[$1]] = $3; port[$3, $1] = ++ports[$3]; to[$3, ports[$3]] = $1 }
	END { for (s in ports) {
		printf "CA: n%d HCA-1:\n 0x%d %d 1[  ] ==( 4X Active/  LinkUp)==>  %d 9[  ] \"sw\" ( )\nSwitch: 0x%d sw:\n", s, s, s + 100, s + 1, s
		for (i = 1; i <= ports[s]; i++) printf " %d %d[  ] ==( 4X Active/  LinkUp)==>  %d %d[  ] \"sw\" ( )\n", s + 1, i, to[s, i] + 1, port[to[s, i], s] } }' \
	"$dir/cables.csv" >"$dir/fabric"
is "$("$SMESH" import textproto "$dir/factory")" "$(cat "$dir/lines")" "the same from a factory system descriptor"
is "$("$SMESH" import iblinkinfo "$dir/fabric")" "$(cat "$dir/lines")" "the same from iblinkinfo"
{ grep ^MeshType=v5e "$srcdir/etc/mesh-types.conf"; sed 's/Dims=/Type=v5e Dims=/' "$dir/lines"; } >"$dir/topology.conf"
"$SMESH" check -t "$dir/topology.conf" >/dev/null 2>&1
ok $? "smesh check has nothing against these lines and a type"
is "$("$SMESH" import textproto "$dir/factory" --check -t "$dir/topology.conf")" "nothing has changed" "nor smesh import --check"

mesh_cluster nodes=32 topology="$(cat "$dir/topology.conf")" || exit

# cabled LIST: how many cables there are among these hosts
cabled() {
	host_list hostnames "$1" | awk -F'[:,]' 'NR == FNR { here[$1] = 1; next } here[$1] && here[$3] { n++ }
		END { print n + 0 }' - "$dir/cables.csv"
}

# run OPTION...: what each task of a job finds: its host and its variables
run() {
	timeout 180 srun -Q --exclusive "$@" sh -c 'echo "$SLURMD_NODENAME $TPU_WORKER_ID $TPU_WORKER_HOSTNAMES \
$TPU_CHIPS_PER_HOST_BOUNDS $TPU_HOST_BOUNDS $TPU_TOPOLOGY $TPU_TOPOLOGY_WRAP"' 2>&1 | sort -n -k 2
}

# neighbours X HOST...: how many of them lie next to each other in rows of X, and are cabled
neighbours() {
	awk -F'[:,]' -v x="$1" -v list="${*:2}" 'BEGIN { n = split(list, host, " ") }
		{ cable[$1, $3] = cable[$3, $1] = 1 }
		END { for (i = 1; i <= n; i++) {
			if (i % x && cable[host[i], host[i + 1]]) good++
			if (i + x <= n && cable[host[i], host[i + x]]) good++ } print good + 0 }' "$dir/cables.csv"
}

# ---- A slice of 2x4 hosts has ten cables, wherever it is ----
run --mesh-shape=v5e:4x8 >"$dir/tasks"
is "$(cut -d' ' -f 4- "$dir/tasks" | sort -u)" "2,2,1 2,4,1 4x8 false,false,false" "eight tasks find the same slice"
is "$(cut -d' ' -f 2 "$dir/tasks" | xargs)" "0 1 2 3 4 5 6 7" "each its own number"
hosts=$(cut -d' ' -f 3 "$dir/tasks" | sort -u)
is "$(cut -d' ' -f 1 "$dir/tasks" | paste -sd,)" "$hosts" "the list of hosts is in the order of these"
is "$(cabled "$hosts")" 10 "no cable is missing in the slice"
is "$(neighbours 2 "${hosts//,/ }")" 10 "workers that the bounds call neighbours are cabled to each other"

# ---- Until all are taken ----
ids=()
for _ in 1 2 3 4; do ids+=("$(submit 8 600 --exclusive --mesh-shape=v5e:4x8)"); done
whole=$(for id in "${ids[@]:0:2}"; do cabled "$(started "$id")"; done | xargs)
pending "${ids[2]}"
is "$? $whole" "0 10 10" "two slices are whole; the third job waits for a cable"
says_for_what() { [[ $(squeue -h -j "${ids[2]}" -o %R) = *"Waits for a box of v5e:4x8"* ]]; }
wait_for 15 says_for_what
ok $? "and says for what"
cancel_all
pending "$(submit 16 600 --exclusive --mesh-shape=v5e:8x8)"
ok $? "each slice of 8x8 chips lacks a cable: the job waits"
cancel_all
is "$(cabled "$(started "$(submit 16 600 --exclusive --mesh-shape=v5e:8x8:anylinks)")")" 23 "unless it can do without"
cancel_all
[ "$(cabled "$(started "$(submit 8 600 --exclusive --mesh-shape=v5e:ring:8)")")" -ge 8 ]
ok $? "a ring of eight has eight cables or more"
cancel_all
fails 1 'a box of 6x8 is not one of Shapes=; these are: 2x2, 2x4, 4x4, 4x8, 8x8, 8x16' \
	"what is no slice is refused with those that are" sbatch --mesh-shape=v5e:6x8 --wrap true
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
