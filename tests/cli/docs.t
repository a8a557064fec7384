#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command and option is in smesh(1), and the shell completes them.
. "$srcdir/tests/tap.sh"

page=$(sed -e 's/\\f.//g' -e 's/\\-/-/g' -e 's/\\//g' "$srcdir/doc/smesh.1")
shared=$(sed -n '/^\.SH WORKLOAD OPTIONS/,/^\.SH EXIT/p' <<<"$page")
common=$(sed -n '/^\.SH COMMON OPTIONS/,/^\.SH COMMANDS/p' <<<"$page")
commands=$("$SMESH" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
like "$commands" alloc "smesh lists its commands"

# missing COMMAND: its options that are neither in its section nor, where that says so, shared
missing() {
	local section option
	section=$(sed -n "/^\.SS smesh $1\$/,/^\.S[SH]/p" <<<"$page")
	section+=$'\n'$common
	[[ $section == *"WORKLOAD OPTIONS"* ]] && section+=$shared
	"$SMESH" "$1" --help | sed -n -e 's/^  -., --\([a-z-]*\).*/\1/p' -e 's/^      --\([a-z-]*\).*/\1/p' | while read -r option; do
		case $option in help | version) continue ;; esac
		grep -q -e "^--$option\(=\|\$\)" -e "^-., --$option\(=\|\$\)" <<<"$section" || echo "--$option"
	done
}
for command in $commands; do
	grep -q "^\.SS smesh $command\$" <<<"$page"
	ok $? "smesh(1) has a section for $command"
	is "$(missing "$command")" "" "and every option of it"
done

is "$(sed -n 's/^\.SS smesh //p' <<<"$page" | sort)" "$(sort <<<"$commands")" "no section is for nothing"

is "$(sed -n '/^The commands, each/,/^\.PP/p' <<<"$page" | sed -n 's/^\.BR//p' | tr -d '",.;' | tr -s ' ' '\n' | sed '/^$/d' | sort)" \
	"$(sort <<<"$commands")" "its list of commands has each of them"

# Warnings of the formatter, where there is one.
if command -v groff >/dev/null; then
	for file in smesh.1 topology.conf.mesh.5 select_mesh.7; do
		is "$(groff -man -Tutf8 -ww -z "$srcdir/doc/$file" 2>&1)" "" "$file is clean roff"
	done
else
	skip "man pages are clean roff" "no groff"
fi

# complete WORD...: what bash would offer for the last one
complete_words() {
	# shellcheck source=/dev/null
	(
		. "$srcdir/contrib/completion/smesh"
		COMP_WORDS=("$SMESH" "$@")
		COMP_CWORD=$#
		_smesh
		echo "${COMPREPLY[@]}"
	)
}
like "$(complete_words wo)" '^workload$' "completion: commands"
like "$(complete_words sim --sched)" '^--scheduler=$' "completion: options"
is "$(complete_words sim --scheduler = e)" "easy" "completion: values from the help"
like "$(complete_words alloc -s hilbert-b)" '^hilbert-bf$' "completion: strategies"
like "$(complete_words sim -s mm,hilbert-b)" '^mm,hilbert-bf$' "completion: in a list"
like "$(complete_words help wo)" '^workload$' "completion: smesh help"
is "$(complete_words sim --too-large = c)" "cap" "completion: the last word"
is "$(complete_words sim --generate = exp)" "exponential" "completion: models"
is "$(complete_words map --color a)" "auto always" "completion: colours"
is "$(complete_words sim --against hilbert-b)" "hilbert-bf" "completion: a strategy to compare with"
is "$(complete_words import cu)" "cutsheet" "completion: formats"
is "$(complete_words sim -s al)" "all" "completion: all strategies"
is "$(complete_words sim -t "$srcdir/etc/workloads/torus.conf" --mesh t)" "torus" "completion: meshes of the file"
# The commands of the guides for researchers run as they stand, but for the folder of topology.conf.
guide=$(mktemp -d)
trap 'rm -rf "$guide"' EXIT
mkdir "$guide/bin"
ln -s "$SMESH" "$guide/bin/smesh"
cp "$srcdir/etc/workloads/torus.conf" "$guide/topology.conf"
head -n 200 "$srcdir/etc/workloads/lublin.swf" >"$guide/jobs"
printf '%s 8x4x1:torus\n' 5 9 >"$guide/boxes"
printf '%s,T3D_NT,2x2x4,16,100\n' 0,0 1,5.5 2,10 >"$guide/trace.csv"
sed -n 's|/etc/slurm/||; s/^    \(smesh [a-z]* .*\)/\1/p' "$srcdir/doc/simulation.md" "$srcdir/doc/simulating-more.md" >"$guide/lines"
like "$(wc -l <"$guide/lines") $(cut -d' ' -f2 "$guide/lines" | sort -u | tr '\n' ' ')" '^[89] gather sim verdict ' "the guides have commands"
while read -r line; do
	(cd "$guide" && PATH=$guide/bin:$PATH bash -c "$line") </dev/null >"$guide/said" 2>&1
	ok $? "$line"
done <"$guide/lines"
[ -s "$guide/page.html" ]
ok $? "and the page is there"
cd "$srcdir/etc/workloads" || exit
is "$(complete_words sim --trace = lub)" "lublin.swf" "completion: files"

done_testing
