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

# median_of COLUMN PATTERN FILE: of that column of the lines that begin with the pattern's words
median_of() {
	awk -v column="$1" -v line="$2 " 'index($0 " ", line) == 1 { print $column }' "$3" | sort -n |
		awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
