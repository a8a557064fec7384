#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Documents, samples and packages name the default strategy that the code has.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit

default=$(sed -n 's/.*\[STRATEGY_DEFAULT\] = "\(.*\)",/\1/p' common/core/conf/strategies.c)
"$SMESH" strategies | grep -q "^$default "
ok $? "the default strategy is one of those there are: $default"
like "$(grep -A1 '^.fBmesh_strategy.fR=' doc/select_mesh.7)" "Default ${default}[,.]" "select_mesh(7) says so"

# used FILE: the strategies that a sample gives to all jobs
used() {
	grep -oE '(Parameters=|params=|#   )mesh_strategy=[a-z0-9-]+|STRATEGY(:-|:=|=)[a-z0-9-]+' "$1" |
		sed 's/.*=//; s/.*:-//' | sort -u
}
for file in README.md doc/getting-started.md doc/versions.md etc/slurm.conf \
	contrib/debian/slurm-mesh.README.Debian contrib/debian/tests/place-a-job contrib/docker/entrypoint; do
	is "$(used $file)" "$default" "$file uses it"
done
is "$(sed -n 's/.*STRATEGY: ${STRATEGY:-\(.*\)}/\1/p' contrib/docker/compose.yaml)" "$default" "compose.yaml uses it"

# A value of an option is written as it is typed, also where a sentence begins.
for command in $("$SMESH" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
	"$SMESH" "$command" --help | sed -n 's/.*--[a-z-]*=\([a-z|-]*|[a-z|-]*\) .*/\1/p' | tr '|' '\n'
done | sort -u | sed 's/./\u&/' >"${TMPDIR:-/tmp}/values.$$"
is "$(grep -nwE "^($(paste -sd'|' "${TMPDIR:-/tmp}/values.$$"))[,:;]" doc/smesh.1)" "" "values have no capitals in smesh(1)"
rm -f "${TMPDIR:-/tmp}/values.$$"

# What doc/architecture.md shows is what the program says.
topology=$(mktemp) || exit
trap 'rm -f "$topology"' EXIT
sed -n 's/^    \(MeshName=.*\)/\1/p' doc/architecture.md >"$topology"
shown=$(sed -n '/^    \$ smesh alloc/,/^    n\[/p' doc/architecture.md | sed 's/^    //')
is "$(grep '^\$' <<<"$shown" | sed "s|^\$ smesh|\"\$SMESH\"|; s|-t topology.conf|-t $topology|" | while read -r line; do
	grep -F -- "$(sed 's/.*-s \([a-z]*\) .*/-s \1 /' <<<"$line")" <<<"$shown"
	eval "$line" | head -n 1
done)" "$shown" "the job of doc/architecture.md gets the nodes it says"
# And of doc/getting-started.md.
shows() {
	grep -qxF -- "    $1" doc/getting-started.md
	ok $? "doc/getting-started.md shows: $1"
}
sed -n 's/^    \(MeshName=.*\)/\1/p' doc/getting-started.md >"$topology"
shows "$("$SMESH" check -t "$topology" --slurm-conf /dev/null 2>/dev/null | head -n 1)"
shows "$("$SMESH" alloc -t "$topology" -n 8 | head -n 1)"
done_testing
