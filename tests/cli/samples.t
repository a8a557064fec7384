#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of etc/ are what users copy: they must be right.
. "$srcdir/tests/tap.sh"

etc=$srcdir/etc
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

{ slurm_stub "$dir/so" | grep PluginDir; cat "$etc/slurm.conf"; } >"$dir/with.conf"
out=$("$SMESH" check -t "$etc/topology.conf" --slurm-conf "$dir/with.conf")
is $? 0 "topology.conf and slurm.conf go together"
like "$out" "mesh torus0: 8x8x4.*strategy snug, mm in partition debug" "and mean what they say"

# The forms that are shown as comments.
sed -n 's/^# \(Mesh\(Name\|Node\)=\)/\1/p' "$etc/topology.conf" >"$dir/other.conf"
out=$("$SMESH" check -t "$dir/other.conf")
is $? 0 "the other forms in topology.conf are right too"
is "$(grep -c '^mesh ' <<<"$out")" 3 "all three of them"

# Those of topology.conf.mesh(5) are one file, beside the files that it names.
sed -n '/^\.SH EXAMPLES/,/^\.fi/{/^\./d; s/\\-/-/g; s/\\\\/\\/; p}' "$srcdir/doc/topology.conf.mesh.5" >"$dir/topology.conf"
sed 's/ Order=.*//' "$dir/topology.conf" | sed -n '/=gem/,/Nodes/p' >"$dir/gem.conf"
"$SMESH" curve -t "$dir/gem.conf" -o "$dir/gem.order"
seq 0 34 | awk '{ print "h" $1, "h" ($1 + 1), 16 }' >"$dir/sc36.cables"
out=$("$SMESH" check -t "$dir/topology.conf")
is "$? $(grep -c '^mesh ' <<<"$out") $(tail -n 1 <<<"$out")" \
	"0 8 no mistake found in the map; there is no slurm.conf beside it" "the examples of topology.conf.mesh(5)"

# Each option of a job script that begins with --mesh- is one of the plugin's.
for option in $(cat "$etc"/*.sh "$etc/plugstack.conf" | grep -oE -- '--mesh-[a-z-]+' | sort -u); do
	grep -q "\"${option#--}\"" "$srcdir"/plugin/spank/*.[ch] "$srcdir"/common/*/*.c "$srcdir"/common/core/*/*.c
	ok $? "$option is an option of spank_mesh"
done
# And each option and key that there is, is in the samples.
missing() { # SAMPLE WORD...
	local word
	for word in "${@:2}"; do grep -q -e "$word" "$etc/$1" || echo "$word"; done
}
mapfile -t options < <(sed -n 's/^\t{"\(mesh-[a-z-]*\)", "MESH_.*/--\1/p' "$srcdir/common/core/conf/useroptions.c")
[ "${#options[@]}" -ge 6 ]
ok $? "options are found"
is "$(missing plugstack.conf "${options[@]}" --mesh-ranks conf= prefix=)" "" "all options and arguments are in plugstack.conf"
mapfile -t keys < <(sed -n '/^} keys\[\]/,/^};/s/^\t{"\(mesh_[a-z_]*\)".*/\1=/p' "$srcdir/common/core/conf/settings.c")
[ "${#keys[@]}" -ge 13 ]
ok $? "keys are found"
is "$(missing slurm.conf "${keys[@]}")" "" "all keys are in slurm.conf"
# Each key of the sample is known, by the word of the parser itself.
for key in $(grep -oE 'mesh_[a-z_]+=' "$etc/slurm.conf" | sort -u | grep -v -e '^mesh_strategy_' -e '^mesh_pattern_'); do
	grep -q "\"${key%=}\"" "$srcdir/common/core/conf/settings.c"
	ok $? "$key is a key"
done
for script in "$etc"/*.sh; do
	bash -n "$script"
	ok $? "${script##*/} is a shell script"
done
done_testing
