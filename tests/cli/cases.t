#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cases as data: what sites feed to smesh, and what it is to say. A case is a folder in
# tests/cli/cases: `cmd` is run by bash in a copy of it, with smesh on the path; `expected` is what
# that prints, standard error too, and the exit code where that is not 0. UPDATE=1 writes `expected`
# anew: look at the change.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
ln -s "$SMESH" "$dir/bin/smesh"
PATH=$dir/bin:$PATH
cd "$dir" || exit

# said CASE: what its command prints
said() {
	cp -r "$srcdir/tests/cli/cases/$1" "$dir/$1"
	(cd "$dir/$1" && bash cmd 2>&1 || echo "exit code $?")
}

for case in "$srcdir"/tests/cli/cases/*/; do
	case=$(basename "$case")
	got=$(said "$case")
	[ -z "$UPDATE" ] || printf '%s\n' "$got" >"$srcdir/tests/cli/cases/$case/expected"
	is "$got" "$(cat "$srcdir/tests/cli/cases/$case/expected")" "$case"
done
done_testing
