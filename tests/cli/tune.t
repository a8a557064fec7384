#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh tune: settings that pay are found, and those that do not are not.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
echo "MeshName=m Dims=16x16 Wrap=all Nodes=n[0-255]" >t.conf
tune() {
	"$SMESH" tune -t t.conf --threads 1 "$@" 2>/dev/null
}

grids=(--generate uniform --jobs 3200 --load 0.7 --contention grid --comm-share 80)
like "$(tune "${grids[@]}" -s snug)" 'mesh_strategy=snug,mesh_pattern=grid .*SchedulerParameters=mesh_strategy=snug,mesh_pattern=grid' \
	"jobs that are all grids: say so"
like "$(tune "${grids[@]}" -s snug --json | tr -d '\n')" \
	'"best": "mesh_strategy=snug,mesh_pattern=grid", +"holds": true, +"sure": true' "in JSON"
"$SMESH" workload -t t.conf --generate lublin --jobs 400 --load 0.75 >log
like "$(tune log -s linear --comm-share 100 --contention grid --calibrate snug | tail -n 2)" \
	'default' "a worse strategy is not chosen"
is "$(tune log -s linear --json | grep -o 'mesh_[^"]*' | head -n -1 | xargs)" \
	"mesh_strategy=snug mesh_strategy=snug,mesh_pattern=all-to-all mesh_strategy=snug,mesh_pattern=ring mesh_strategy=snug,mesh_pattern=grid mesh_strategy=snug,mesh_pattern=random mesh_strategy=linear" \
	"each pattern that there may be is tried"
is "$(tune log -s linear --json | cksum)" "$(tune log -s linear --json --threads 3 | cksum)" "threads make no difference"
fails 1 'too few' "seven jobs" "$SMESH" tune -t t.conf --generate lublin --jobs 7
fails 1 'nothing depends' "no communication" "$SMESH" tune -t t.conf log --contention none
fails 1 "what is 'more'" "two logs" "$SMESH" tune -t t.conf log more
fails 1 'gossip' "no such strategy" "$SMESH" tune -t t.conf log -s gossip

done_testing
