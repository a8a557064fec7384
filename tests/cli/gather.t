#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh gather: runs that were made apart are the report of one smesh sim, digit by digit; what is
# missing, double or of something else is told.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=4x4x4 Wrap=all Nodes=n[0-63]' >t.conf
for i in {1..80}; do
	echo "$i $((30 * i)) 5 $((400 + i * 37 % 1200)) $((5 + i * 7 % 12)) -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1"
done >log
echo "81 9000 5 400 65 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1" >>log # is left out
sim() {
	"$SMESH" sim -t t.conf --trace log --shake 600 --repeat 6 --contention mix --calibrate linear --availability 0.9 \
		--down-links 5% --overestimate 3 "$@"
}
part() { # FILE OPTION...
	sim --resume "$@" >/dev/null 2>&1
}
# Without times of decisions, and what only says when and how.
plain() { sed -e '/"decision_/d' -e '/"date"/d' -e '/"command"/d'; }
no_times() { awk -F, 'NR == 1 { split($0, name, ",") } { for (i = 1; i <= NF; i++) if (name[i] !~ /^decision/) printf "%s,", $i; print "" }'; }

sim -s linear,mm,snug --json 2>/dev/null | plain >whole.json
sim -s linear,mm,snug --csv --per-run whole.runs 2>/dev/null | no_times >whole.csv
part a -s linear,mm,snug --runs 1-2
part b -s snug,linear --runs 3-6 --threads 1
part c -s mm --runs=3
part d -s mm --runs=4-6 --csv
is "$("$SMESH" gather --json a b c d | plain)" "$(cat whole.json)" "parts by runs and strategies are the whole: JSON"
is "$("$SMESH" gather --csv --per-run runs a b c d | no_times)" "$(cat whole.csv)" "CSV"
is "$(no_times <runs)" "$(no_times <whole.runs)" "and each run"
is "$("$SMESH" gather --csv d c b a 2>err | no_times | sort)" "$(sort whole.csv)" "in any order, with the changes against linear"
is "$(cat err)" "" "and there is nothing to say"
table=$("$SMESH" gather a b c d --html page.html)
like "$table" '^snug: .*% shorter \(\+-[0-9.]+\).*6 runs'$'\n''strategy .*smesh gather a b c d' "a table"
is "$(sed -n 's/<p class="headline">\(.*\)<\/p>/\1/p' page.html)" "$(head -n 1 <<<"$table")" "a page with the same words"
like "$(tail -n 1 page.html) $(grep -c '<th scope="row">' page.html) $(grep -c '<script' page.html)" '^</html> 3 0$' "and no maps"
like "$("$SMESH" gather --latex a b c d)" 'begin\{tabular\}\{lr+\}.*toprule.*mm & .*\$-\$[0-9.]+\\% \$\\pm\$ [0-9.]+\\%.*bottomrule' "a table for LaTeX"
if command -v pdflatex >/dev/null; then
	{ printf '\\documentclass{article}\\usepackage{booktabs}\\begin{document}'; "$SMESH" gather --latex a b c d; echo '\end{document}'; } >t.tex
	pdflatex -halt-on-error t.tex >/dev/null
	ok $? "which LaTeX reads"
else
	skip "which LaTeX reads" "no pdflatex"
fi

said=$("$SMESH" gather a d 2>&1 >table)
is "$said" "smesh: linear: of 6 runs these are missing: 3-6
smesh: mm: of 6 runs these are missing: 3
smesh: snug: of 6 runs these are missing: 3-6" "what is missing is named"
like "$(cat table)" ', 6 runs of each strategy, 9 of all 18 missing, figures of the 2 that all have' "and in the report"
is "$("$SMESH" gather --csv a d 2>/dev/null | no_times | grep -E '^(linear|snug)')" \
	"$("$SMESH" gather --csv a 2>/dev/null | no_times | grep -E '^(linear|snug)')" "figures are of runs that all strategies have"
head -n 1 a >alone
fails 1 'no run is there of all strategies' "a file without a run" "$SMESH" gather alone
part alone -s mm --runs 1
fails 1 'no run is there of all strategies: nothing can be compared' "runs of different numbers" "$SMESH" gather --per-run apart alone b
is "$(wc -l <apart)" 10 "but printed"
cp a twice
like "$("$SMESH" gather a twice b c d 2>&1 >table)" '^smesh: twice: run [12] of [a-z]* is in a, too: it counts once' "what is there twice is named"
is "$("$SMESH" gather --csv a twice b c d 2>/dev/null | no_times)" "$(cat whole.csv)" "and counts once"
sed 's/"mean_wait":[0-9]*/&7/' a >twice
fails 1 'twice: run [12] of [a-z]* is not the one in a' "the same run with other figures" "$SMESH" gather a twice

# What does not belong together.
part other -s linear --runs 1 --seed 2
fails 1 'other: of another command than a: --seed is not given there, 2 here' "another seed" "$SMESH" gather a other
sed 's/"repeat":"6"/"repeat":"7"/' a >other
fails 1 'other: of another command than a: --repeat is 6 there, 7 here' "another option" "$SMESH" gather a other
sed '0,/"sha256":"./s//"sha256":"x/' a >other
fails 1 'other: of another command than a: --topology is another file' "another file" "$SMESH" gather a other
sed 's/"version":"[^"]*"/"version":"0.9"/' a >other
fails 1 'other: of another version of smesh, 0\.9, than a' "another version" "$SMESH" gather a other
echo '{"strategy": "mm"}' >other
fails 1 'other: not written by smesh sim --resume' "another kind of file" "$SMESH" gather other
head -c 50 a >other
fails 1 'no run is in these files' "half a line" "$SMESH" gather other
fails 1 'files of smesh sim --resume are needed' "no file" "$SMESH" gather
fails 1 'none: No such file' "no such file" "$SMESH" gather none
fails 1 '--against=bf: no file has it' "compared with what is not there" "$SMESH" gather a --against bf
sed 's/"program":"./&x/' d >other
like "$("$SMESH" gather a other 2>&1 >/dev/null)" 'other: of another build of smesh than a: ' "another build is told"

# A part that was stopped goes on; two that write one file do not.
head -c "$(($(head -n 3 a | wc -c) + 40))" a >stopped
like "$("$SMESH" gather stopped 2>&1 >/dev/null)" 'stopped: the last line was cut off.*of 6 runs these are missing: ' "a run that was cut off is missing"
part stopped -s linear,mm,snug --runs 1-2
is "$("$SMESH" gather --csv stopped b c d | no_times)" "$(cat whole.csv)" "the same command makes the rest"
head -c 100 a >stopped
part stopped -s linear,mm,snug --runs 1-2
is "$("$SMESH" gather --csv stopped b c d | no_times)" "$(cat whole.csv)" "after half a first line, too"
fails 1 '--resume: a: another smesh sim is writing it' "two that write one file" flock a \
	"$SMESH" sim -t t.conf --trace log --shake 600 --repeat 6 -s linear --resume a
fails 1 "--trace: /dev/fd/[0-9]*: not a file that can be read again" "a log that is a pipe has no hash" \
	"$SMESH" sim -t t.conf --trace <(cat log) -s linear --resume pipe
sed 's/"program":"./&x/' a >other
like "$(sim -s linear,mm,snug --runs 1-2 --resume other 2>&1 >/dev/null)" '--resume: of another build of smesh than other: ' \
	"so is one whose file is gone on with"
# What the map names is part of it.
sed 's/$/ DownLinksFile=down/' t.conf >d.conf
sed 's/ DownLinksFile/\nDownLinksFile/' d.conf >e.conf
few() { "$SMESH" sim -t e.conf --trace log --jobs 20 -s LINEAR,snug --against Linear "$@"; }
few --resume broken --sav saved >/dev/null 2>&1
like "$("$SMESH" sim --again saved)" 'the same: ' "the same map, and an option that is cut short"
arguments() { sed -n '/"arguments"/,/]/p' "$1"; }
is "$(arguments saved | grep -c -- '--sav\|--resu')" 0 "which is not run again"
few --resum broken --save short >/dev/null 2>&1
is "$(arguments short | grep -c -- '--sav\|--resu')" 0 "nor is this one"
echo n0:n1 >down
fails 1 'e.conf names is not what it was' "another file of broken links, to --again" "$SMESH" sim --again saved
fails 1 'a file that --topology names is another' "and to --resume" few --resume broken
fails 1 '--again: broken: not written by --save but by --resume: smesh gather' "--again with --resume's file" "$SMESH" sim --again broken
fails 1 '--resume: of another command than a: ' "a file of something else" sim -s linear --resume a --seed 9
fails 1 'resume: /dev/zero: not a regular file' "a file without an end" "$SMESH" sim -t t.conf --trace log --resume /dev/zero
(trap '' XFSZ && ulimit -f 4 && "$SMESH" sim -t t.conf --trace log --shake 60 --repeat 60 -s linear,mm --resume full >said 2>err)
is "$? $(tail -n 1 err) $(grep -c '^linear' said)" "2 smesh: --resume: full: cannot be written: it lacks runs 1" "a full disk is told, and the report printed"
fails 2 'smesh: .: Is a directory' "what cannot be read to its end" "$SMESH" gather .
fails 1 'two files on standard output' "gather: a page and a table on standard output" "$SMESH" gather --html - --per-run - a
fails 1 'two files on standard output' "sim: so with two of its files" "$SMESH" sim -t t.conf --trace log --save - --swf -
done_testing
