#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dashboard asks for metrics and labels that smesh metrics prints, and leaves none of them out; its form is
# that of Grafana's schema of dashboards (kinds/dashboard), as far as it is written down here.
. "$srcdir/tests/tap.sh"

python3 -c '' 2>/dev/null || {
	echo "1..0 # SKIP no python3"
	exit 0
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >t.conf
printf '%s\n' '17 ann n[0-3] 7200 600' 'waiting 20 cleo 8 Resources 720' >state
"$SMESH" metrics -t t.conf --state state -o prom || exit

# dashboard FILE: what is wrong with it, a line each
dashboard() {
	python3 - "$1" prom <<'END_PYTHON'
import json, re, sys

board = json.load(open(sys.argv[1]))
samples = {}
for line in open(sys.argv[2]):
    if not line.startswith("#"):
        name, labels = re.match(r"(\w+)\{(.*)\} ", line).groups()
        samples.setdefault(name, []).append(dict(re.findall(r'(\w+)="([^"]*)"', labels)))
asked = set()

def need(what, where, keys):
    for key, kind in keys.items():
        if not isinstance(what.get(key), kind):
            print(f"{where}: {key} is not {kind}")

def look(expr, where):
    found = re.findall(r"(smesh_\w+)(?:\{([^}]*)\})?", expr)
    if not found:
        print(f"{where}: {expr} asks for nothing")
    for name, labels in found:
        asked.add(name)
        pairs = {k: v for k, v in re.findall(r'(\w+)="([^"]*)"', labels) if not v.startswith("$")}
        if name not in samples:
            print(f"{where}: there is no {name}")
        elif not any(pairs.items() <= s.items() for s in samples[name]):
            print(f"{where}: {name} never has {labels}")

need(board, "dashboard", {"title": str, "uid": str, "schemaVersion": int, "panels": list, "templating": dict,
    "time": dict, "tags": list, "annotations": dict, "editable": bool, "refresh": str})
names = [v.get("name") for v in board["templating"]["list"]]
for variable in board["templating"]["list"]:
    need(variable, "variable", {"name": str, "type": str})
    if variable["type"] == "query":
        need(variable, "variable", {"datasource": dict, "query": dict, "refresh": int})
        metric, label = re.match(r"label_values\((\w+), (\w+)\)$", variable["query"]["query"]).groups()
        if not any(label in s for s in samples.get(metric, [])):
            print(f"variable: {metric} has no label {label}")
for used in re.findall(r"\$\{?(\w+)", json.dumps(board)):
    if used not in names:
        print(f"there is no variable {used}")
ids = [p.get("id") for p in board["panels"]]
if len(set(ids)) != len(ids):
    print("two panels have the same id")
taken = set()
for panel in board["panels"]:
    where = "panel " + str(panel.get("title"))
    need(panel, where, {"id": int, "type": str, "title": str, "gridPos": dict, "targets": list,
        "datasource": dict, "fieldConfig": dict, "options": dict})
    if panel["type"] not in ("timeseries", "stat"):
        print(f"{where}: type {panel['type']}")
    need(panel["fieldConfig"], where, {"defaults": dict, "overrides": list})
    grid = panel["gridPos"]
    need(grid, where, dict.fromkeys("xywh", int))
    cells = {(x, y) for x in range(grid["x"], grid["x"] + grid["w"]) for y in range(grid["y"], grid["y"] + grid["h"])}
    if cells & taken or grid["x"] + grid["w"] > 24:
        print(f"{where}: lies over another, or beyond the edge")
    taken |= cells
    refs = [t.get("refId") for t in panel["targets"]]
    if not refs or len(set(refs)) != len(refs):
        print(f"{where}: targets {refs}")
    for target in panel["targets"]:
        need(target, where, {"expr": str, "refId": str, "datasource": dict, "legendFormat": str})
        look(target["expr"], where)
        for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
            for name in re.findall(r"smesh_\w+", target["expr"]):
                if not all(label in s for s in samples.get(name, [])):
                    print(f"{where}: {name} has no label {label}")
for name in sorted(set(samples) - asked):
    print(f"nobody asks for {name}")
END_PYTHON
}
json=$srcdir/contrib/grafana/smesh.json
is "$(dashboard "$json")" "" "every expression names a metric and labels that there are, and every metric is shown"
sed 's/smesh_placeable_boxes/smesh_placable_boxes/' "$json" >wrong
like "$(dashboard wrong)" 'there is no smesh_placable_boxes.*nobody asks for smesh_placeable_boxes' "a metric that there is not"
sed 's/when=\\"now\\"/when=\\"soon\\"/' "$json" >wrong
like "$(dashboard wrong)" 'smesh_placeable_boxes never has ' "a label that there is not"
sed 's/{{box}}/{{shape}}/' "$json" >wrong
like "$(dashboard wrong)" 'has no label shape' "a legend that there is not"
sed 's/"refId": "B"/"refId": "A"/' "$json" >wrong
like "$(dashboard wrong)" "targets \['A', 'A'" "two targets of one name"
sed 's/"w": 12/"w": 13/' "$json" >wrong
like "$(dashboard wrong)" "lies over another" "panels on each other"

# Grafana's own types of a dashboard: GRAFANA_SCHEMA=DIR after `npm install @grafana/schema typescript` in DIR.
types=node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen
if [ -e "$GRAFANA_SCHEMA/$types.d.ts" ]; then
	ln -s "$GRAFANA_SCHEMA/node_modules" .
	printf "import type { Dashboard } from './%s';\nexport const board: Dashboard = %s;\n" "$types" "$(cat "$json")" >board.ts
	sed 's/"gridPos"/"gridPose"/' board.ts >wrong.ts
	for file in board wrong; do
		node_modules/.bin/tsc --noEmit --strict --skipLibCheck --moduleResolution bundler --module esnext $file.ts >$file.out
	done
	is "$(cat board.out)" "" "its form is that of @grafana/schema"
	like "$(cat wrong.out)" "'\"gridPose\"' does not exist in type 'Panel'" "which knows what is wrong"
else
	skip "its form is that of @grafana/schema" "no GRAFANA_SCHEMA"
fi
done_testing
