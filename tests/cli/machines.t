#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The lines of doc/which-machine.md are right.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/machines.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

n=0
while read -r title; do
	lines_of "$title" Mesh >"$dir/topology.conf"
	out=$("$SMESH" check -t "$dir/topology.conf" 2>&1)
	is "$?" 0 "$title: smesh check"
	while read -r line; do
		[[ $line =~ (--mesh-shape=|-N)([^ ]*).*#\ ([0-9]+)\ hosts ]]
		size=${BASH_REMATCH[2]} hosts=${BASH_REMATCH[3]}
		like "$("$SMESH" alloc -t "$dir/topology.conf" -s snug-box -n "$size" --json)" \
			"\"result\":\"ok\",\"count\":$hosts," "$title: $size is $hosts hosts"
		n=$((n + 1))
	done < <(lines_of "$title" sbatch)
done < <(machines)
is "$n" 10 "all lines of jobs"

lines_of "A pod of TPUs" MeshName >"$dir/name"
cat "$srcdir/etc/mesh-types.conf" "$dir/name" >"$dir/topology.conf"
is "$("$SMESH" check -t "$dir/topology.conf" | grep -c 'shape ')" 8 "etc/mesh-types.conf has the type and its eight shapes"
done_testing
