#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/stable.md against what smesh prints; tests/unit/test_docs.c has the other lists.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
page=$srcdir/doc/stable.md
cd "$dir" || exit
echo 'MeshName=m Dims=4x4x4 Wrap=yes,yes,yes Nodes=n[0-63]' >topology.conf

# words REGEX: the words of the indented lines behind the line that begins so, one a line
words() {
	awk -v head="^$1" '$0 ~ head { on = 1; next } on && /^    / { seen = 1; print; next }
		on && seen { exit }' "$page" | tr -s ' ,\n' '\n' | grep .
}

# keys: of the JSON on standard input, as a.b, in their order; those of lists are their entries'
keys() {
	python3 -c '
import json, sys
def walk(path, value):
    if isinstance(value, list):
        for v in [v for v in value if isinstance(v, dict)][:1] or [None]:
            walk(path, v)
    elif isinstance(value, dict):
        for key, v in value.items():
            walk(f"{path}.{key}" if path else key, v)
    elif path not in seen:
        seen.append(path)
seen = []
walk("", json.load(sys.stdin))
print("\n".join(seen))'
}

# promised COMMAND: what the page says of its JSON
promised() {
	awk -v name="$1" '/^Keys of `--json`/ { on = 1 } /^Columns/ { on = 0 }
		on && /^    [a-z]/ { mine = $1 == name; $1 = mine ? "" : $1 } on && mine { print }' "$page" |
		tr -s ' ' '\n' | grep .
}

json() {
	case $1 in
	alloc) "$SMESH" alloc -t topology.conf -n 4 --json ;;
	check) "$SMESH" check -t topology.conf --json ;;
	curve) "$SMESH" curve -t topology.conf --json -o order | sed 's/"mean_hops":{[^}]*}/"mean_hops":0/' ;;
	strategies) "$SMESH" strategies --json ;;
	part) "$SMESH" part -n 8 "$srcdir/etc/tasks.conf" --json ;;
	ranks) "$SMESH" ranks -t topology.conf -w 'n[0-15]' --grid 4x4 --json ;;
	esac
}
if command -v python3 >/dev/null; then
	for command in alloc check curve strategies part ranks; do
		is "$(json $command | keys)" "$(promised $command)" "smesh $command --json"
	done
	simulated=$("$SMESH" sim -t topology.conf --generate lublin --jobs 20 -s mm --json | keys)
	is "$(cut -d. -f1 <<<"$simulated" | uniq)" "$(promised sim)" "smesh sim --json"
	is "$(sed -n 's/^strategies\.mm\.//p' <<<"$simulated")" \
		"$(words 'Columns of .smesh sim --csv.' | sed -e '/^strategy$/d' -e '/^runs$/,$d')" "and its figures"
else
	skip "JSON" "no python3"
fi
is "$("$SMESH" sim -t topology.conf --generate lublin --jobs 20 -s mm --csv | head -1 | tr , '\n')" \
	"$(words 'Columns of .smesh sim --csv.')" "smesh sim --csv"
is "$("$SMESH" sim -t topology.conf --generate lublin --jobs 20 -s mm --per-job - 2>err | head -1 | tr , '\n')" \
	"$(words 'Columns of .smesh sim --per-job.')" "smesh sim --per-job"
echo "1 ann n[0-3]" >state
is "$("$SMESH" metrics -t topology.conf --state state -o - | sed -n 's/^# TYPE \([^ ]*\).*/\1/p')" \
	"$(words 'Of .smesh metrics.')" "smesh metrics"
is "$(grep -o '"smesh_[a-z_]*"' "$srcdir/plugin/shared/mesh_counters.c" | tr -d '"')" \
	"$(words 'Of slurmctld')" "slurmctld's counters"
# More may be there: a strategy is added without a promise (doc/add-a-strategy.md).
is "$(words '## Strategies' | sort | comm -23 - <("$SMESH" strategies | sed -n '/^[a-z]/s/ .*//p' | sort))" "" \
	"strategies"
[ "$(words '## Strategies' | wc -l)" -ge 27 ]
ok $? "of which 1.0 promised 27"

done_testing
