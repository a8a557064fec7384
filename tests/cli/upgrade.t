#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What 1.0.0 reads is read by all that come after it: every key of slurm.conf and every form of a line
# in topology.conf. These lists grow, and nothing in them changes.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# as_ever NAME: topology.conf and slurm.conf in $dir go together
as_ever() {
	local out
	out=$("$SMESH" check -t "$dir/topology.conf" --slurm-conf "$dir/slurm.conf" 2>&1)
	is "$?" 0 "$1"
	[[ $out != *unknown* ]] || is "$out" "" "$1: nothing is unknown"
}

stub=$(slurm_stub "$dir/so")
# slurm_conf KEY=VALUE
slurm_conf() {
	printf '%s\n' "$stub" SelectType=select/mesh "SchedulerParameters=$1" 'NodeName=n[0-17]' 'PartitionName=debug Nodes=n[0-15]' >"$dir/slurm.conf"
}

echo 'MeshName=torus0 Dims=4x4 Wrap=all Nodes=n[0-15]' >"$dir/topology.conf"
for key in mesh_strategy=snug mesh_strategy_debug=mm mesh_base=cons_tres mesh_base=linear mesh_conf="$dir/topology.conf" \
	mesh_fallback=wait mesh_fallback=mm mesh_max_wait=60 mesh_max_wait=infinite mesh_max_time=100000 mesh_user_options=all \
	mesh_user_options=none mesh_user_options=strategy+shape mesh_pattern=mix mesh_pattern_debug=ring mesh_comment=yes mesh_log=no \
	mesh_span=yes; do
	slurm_conf "$key"
	as_ever "$key"
done
slurm_conf mesh_strategy=snug
while read -r line; do
	printf '%b\n' "$line" >"$dir/topology.conf"
	as_ever "$line"
done <<'LINES'
MeshName=t Dims=8x2 Wrap=yes,no Nodes=n[0-15]
meshname=t dims=16 wrap=none nodes=n[0-15] # a comment
MeshName=t Dims=2x2x2 Wrap=all NodesPerVertex=2 Nodes=n[0-15]
MeshName=t Dims=3x3x2 Holes=1,0,0;2,2,1 Nodes=n[0-15]
MeshName=t Dims=4x4\nMeshNode=n0 Mesh=t Coord=3,1\nMeshNode=n1 Mesh=t Coord=0,0
MeshName=t Dims=2x2x2x2 Nodes=n[0-15]\nSwitchName=s0 Nodes=n[0-15]
LINES
echo 'MeshName=torus0 Dims=4x4 Wrap=all Nodes=n[0-15]' >"$dir/topology.conf"
for strategy in snug snug-box mm mm+inc mc mc1x1 gen-alg hilbert-bf hilbert-ff hilbert-ss hilbert-sorted snake-bf row-bf \
	linear scatter mbs gmbs bf ff tbl qtree; do
	"$SMESH" alloc -t "$dir/topology.conf" -s "$strategy" -n 4 >/dev/null
	is $? 0 "strategy $strategy"
done

# tests/cli/data/1.0 has what 1.0.0 promised (its doc/stable.md), the options of its commands as their
# --help named them, and files that it wrote.
old=$srcdir/tests/cli/data/1.0
# promised PAGE: "SECTION COMMAND WORD" of each list that is no table of columns
promised() {
	awk '/^## / { section = $2; command = "-" }
		/^    / && !/,/ {
			if (section == "smesh" && /^    [a-z]/) { command = $1; $1 = "" }
			for (i = 1; i <= NF; i++) if ($i != "") print section, command, $i
		}' "$1" | sort
}
[ "$(promised "$old/stable.md" | wc -l)" -gt 150 ]
ok $? "1.0 promised more than 150 names"
is "$(comm -23 <(promised "$old/stable.md") <(promised "$srcdir/doc/stable.md"))" "" "all are promised still"
# columns PAGE: each table of columns in one line
columns() { awk '/^    .*,/ { printf "%s", $1; open = 1; next } open { print ""; open = 0 }' "$1"; }
is "$(columns "$srcdir/doc/stable.md" | paste -d ' ' - <(columns "$old/stable.md") |
	awk 'index($1 ",", $2 ",") != 1')" "" "tables begin with the columns of 1.0"
is "$(columns "$old/stable.md" | wc -l)" 2 "which are two tables"
while read -r command options; do
	is "$(tr ' ' '\n' <<<"$options" | grep -vxFf <("$SMESH" "$command" --help | grep -oE -- '(^| )--?[a-zA-Z][a-z-]*' |
		tr -d ' '))" "" "smesh $command has the options of 1.0"
done <"$old/options"
is "$(wc -l <"$old/options")" 16 "which are 16 commands"

cd "$dir" || exit
export XDG_DATA_HOME=$dir/data
mkdir -p data/slurm-mesh/traffic
cp "$old/ring@8.traffic" data/slurm-mesh/traffic
like "$("$SMESH" traffic list)" $'\nring +8 +ring +8e\\+06 ' "a record of 1.0 is read"
"$SMESH" ranks -t topology.conf -w 'n[0-7]' -p 1 --traffic data/slurm-mesh/traffic/ring@8.traffic >/dev/null
is $? 0 "and orders ranks"
like "$("$SMESH" sim --again "$old/saved.json" 2>&1)" "written by smesh 1\.0\.0.*117 figures" \
	"so is what smesh sim --save of 1.0 wrote: its figures are compared"
done_testing
