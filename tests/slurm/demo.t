#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/demo, measured on two networks of namespaces. (clock.t has the demo by the model.)
. "$srcdir/tests/tap.sh"

. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_network

out=$(mktemp -d) || exit
trap 'rm -rf "$out"' EXIT
mkdir "$out/build" && ln -s "$builddir" "$out/build/demo"
MESH_BUILD=$out/build "$srcdir/contrib/demo" --no-build -d 4x4 -n 4 >"$out/text" 2>&1
is $? 0 "contrib/demo measures four jobs on 4x4"
text=$(<"$out/text")
like "$text" $'select/cons_tres +select/mesh\n(  [A-Za-z. ]+\n){4}[0-9]+ running +[0-9]+ running' "the moment's two maps"
like "$text" "measured on an emulated network of 16 nodes" "says what was measured"
like "$text" $'\n4 jobs in 1 stream\n' "all jobs ended on both sides"
is "$(grep -ciE 'killed|error|not found|awk:' <<<"$text")" 0 "and nothing else went wrong"
done_testing
