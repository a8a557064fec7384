#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh traffic: runs that were measured become records, whatever they look like.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
export XDG_DATA_HOME=$dir/data
records=$XDG_DATA_HOME/slurm-mesh/traffic
traffic() { "$SMESH" traffic "$@"; }
# The records' names, without the headings.
names() { timeout 10 "$SMESH" traffic list | awk 'NR > 1 { print $1 }'; }

is "$(traffic 2>"$dir/said") $(cat "$dir/said")" " smesh: no records in $records: srun --mesh-learn makes them" \
	"nothing is known to begin with"
is "$(stat -c %a "$records")" 700 "the directory is its owner's"

# run NAME RANKS AGE [SHARE]: a run of so many seconds ago, complete with what Open MPI writes of a
# grid of 4 columns; with the share of time as our library writes it for MPICH. Its files begin with
# $run.
run() {
	local i to
	run=$records/runs/$1=@$2.$(($(date +%s) - $3)).key
	mkdir -p "$records/runs"
	for ((i = 0; i < $2; i++)); do
		[ -z "$4" ] || printf 'T\t%d\t%s\n' "$i" "$4"
		for to in $((i + 4)) $((i % 4 < 3 ? i + 1 : -1)); do
			((to < 0 || to >= $2)) || printf 'E\t%d\t%d\t1000000 bytes\t10 msgs sent\t0,1\n' "$i" "$to"
		done
	done | awk -v run="$run" '{ file = run "." $2 ".prof"; print >file; if (file != last) close(last); last = file }'
	for ((i = 0; i < $2; i++)); do [ -e "$run.$i.prof" ] || : >"$run.$i.prof"; done
}
run lulesh 16 10
is "$(traffic list | awk 'NR > 1 { print $1, $2, $3, $4, $5 }')" "lulesh 16 grid:4x4 2.4e+07 240" \
	"a run that is complete: its grid, and all bytes"
is "$(ls "$records/runs")" "" "the run itself is removed"
like "$(traffic show lulesh)" '^lulesh: 16 ranks, grid:4x4, .*, - of the time in MPI.*#' "show draws who sends whom"
like "$(traffic list --json | tr -d '\n')" '"mpi_percent": null' "what Open MPI does not tell is not known"

# A second run.
run lulesh 16 10 0.3412
traffic list >/dev/null
is "$(grep -E '^# (share|runs|pattern)' "$records/lulesh@16.traffic" | paste -sd,)" \
	"# share 0.3412,# runs 2,# pattern grid:4x4" "a second run is counted"
is "$(traffic list | awk 'NR > 1 { print $7 }') $(traffic show lulesh | grep -o '34% of the time in MPI')" \
	"34% 34% of the time in MPI" "and the share of time is shown"
run share 4 10 1.5
like "$(traffic list 2>&1 >/dev/null)" '[.][0-3].prof:1: expected T RANK SHARE' "a share of more than all"
is "$("$SMESH" ranks -t "$srcdir/etc/workloads/torus.conf" -w "n[0-15]" -p 1 --traffic "$records/lulesh@16.traffic" --json |
	grep -o '"ranks":16')" '"ranks":16' "smesh ranks reads the record"
run long 2 10
printf '0 1 2000000000000000 0 5\n' >"$run.0.prof"
is "$(traffic list | awk '$1 == "long" { print $4 }') $(traffic show long | tail -n 2 | tr -dc '#')" "2e+15 ####" \
	"a run of days that sends more than a petabyte is known, and read again"
traffic forget long

# Two commands at once find the same runs.
for i in 1 2 3 4 5 6; do run twice$i 24 10; done
traffic list >"$dir/list" 2>"$dir/one" &
traffic list >/dev/null 2>"$dir/two"
wait $!
is "$(cat "$dir/one" "$dir/two") $(names | grep -c ^twice) $(ls -A "$records/runs")" " 6 " "what another has taken is no error"
rm "$records"/twice*
run cut 8 10
rm "$run.3.prof"
run old 8 100000
rm "$run.3.prof"
touch -d '-100000 seconds' "$run".*
mkdir "$records/run.old" "$records/run.new" && touch "$records/run.old/meta"
touch -d '-100000 seconds' "$records/run.old"
ln -s "$dir" "$records/run.link" && touch -h -d '-100000 seconds' "$records/run.link"
is "$(names) $(ls "$records/runs" | sed 's/=.*//' | uniq) $(cd "$records" && echo run.*)" "lulesh cut run.link run.new" \
	"a run without all ranks waits, and goes after a day, and so do folders of 1.0"
rm -r "$records"/run.* "$records"/runs/*
# A rank that has not ended writes each minute, too.
run killed 8 10
for i in {0..7}; do mv "$run.$i.prof" "$run.$i.part"; done
is "$(names)" lulesh "a run that goes on is no record yet"
touch -d '-200 seconds' "$run".*.part
touch "$run.5.part"
is "$(names)" lulesh "nor is one of which any rank has just written"
touch -d '-200 seconds' "$run.5.part"
is "$(names | paste -sd' ')" "killed lulesh" "one that was killed is"
traffic forget killed
# Of thousands of ranks a file server needs long for a look at each.
run running 8 10
for i in {0..7}; do mv "$run.$i.prof" "$run.$i.part"; done
touch -d '-2 days' "$run.7.part"
traffic list >/dev/null 2>&1
is "$(ls "$records/runs" | wc -l)" 8 "a run whose first rank has just written goes on: no other file is looked at"
touch -d '-200 seconds' "$run.0.part"
traffic list >/dev/null 2>&1
is "$(ls "$records/runs" | wc -l)" 7 "and when it is silent, a file of two days is removed"
rm -f "$run".*
run bad 4 10
echo 'E 0 9 5 bytes' >"$run.2.prof"
like "$(traffic list 2>&1 >/dev/null)" '[.]2.prof:1: rank 9: there are 0 to 3' "what is not a run: one line"
[ ! -e "$run.2.prof" ] && [ ! -e "$records/bad@4.traffic" ]
ok $? "and no record of it"
# A record's name is one for a file, whatever the run is called.
run evil 4 10
for file in "$run".*; do mv "$file" "${file/evil=/..=}"; done
for name in '=@4.1.k' '@4.1.k' '..=..@4.1.k' '.=@-4.1.k' "$(printf %0100d 0)=@4.1.k" '+@0.1.k'; do : >"$records/runs/$name.0.prof"; done
traffic list >/dev/null 2>&1
is "$(find "$dir/data" -newer "$records/lulesh@16.traffic" -name '*.traffic')" "$records/_.@4.traffic" "../ is no name"
rm -f "$records"/runs/* "$records/_.@4.traffic"
run links 1 10
ln -sf /etc/passwd "$run.0.prof"
mkfifo "$records/fifo@3.traffic" "$records/runs/fifo=@1.1.k.0.prof"
head -c 3000 /dev/urandom >"$records/noise@7.traffic"
is "$(names)" lulesh "noise, links and pipes are no records"
awk -v at="$records" '{ text = text $0 "\n" }
	END { for (i = 0; i < 10000; i++) { file = at "/r" i "@16.traffic"; printf "%s", text >file; close(file) } }' \
	"$records/lulesh@16.traffic"
timeout 20 "$SMESH" traffic list >/dev/null
is "$(find "$records" -name '*.traffic' ! -name 'noise*' -type f | wc -l)" 1000 "of ten thousand the newest thousand stay"
rm "$records"/r*.traffic

# Killed while it makes a record of a run: the record before, or the new one, and whole.
run killed 64 10
traffic list >/dev/null
whole() { grep -vE '^# (runs|seconds)' "$records/killed@64.traffic" | md5sum; }
whole=$(whole)
for i in {1..20}; do
	run killed 64 10
	"$SMESH" traffic list >/dev/null 2>&1 &
	sleep "0.00$((RANDOM % 10))"
	kill -9 $!
	wait $! 2>/dev/null
	[ "$(sed '/^# seconds/d' "$records/killed@64.traffic" | tail -n 1)" = "62 63 1000000" ] || break
	rm -f "$run".*
done
is "$i" 20 "killed while it merges, twenty times: the record is whole"
run killed 64 10
traffic list >/dev/null
is "$(whole) $(ls "$records/runs")" "$whole " "and the next makes a new one"
traffic forget killed

# mpirun on 8 ranks, and then on 3, in one script.
run sizes 8 100
for i in {0..7}; do mv "$run.$i.prof" "${run/=@8/=@0}.o.$i.prof"; done
run=${run/=@8/=@0}.o
touch -d '-60 seconds' "$run".[3-7].prof
sed -i '/\t[3-9]\t[0-9]* bytes/d' "$run".[0-2].prof
touch -d '-10 seconds' "$run".[0-2].prof
is "$(traffic list | awk '$1 == "sizes" { print $2, $4 }')" "3 2e+06" "of several mpirun in a script the last one counts"
# The program's name in the files: of several in a script each has a record.
program() {
	run "$1" 4 10
	for i in {0..3}; do
		{ printf 'P\t%s\n' "${*:3}" | tr ' ' '\t'; cat "$run.$i.prof"; } >"${run/=@4/+@0}.m$2-4.$i.prof"
		rm "$run.$i.prof"
	done
}
program wing 1 ./pre -n 5
traffic list >/dev/null
program wing 2 /opt/solve mesh-12.dat
is "$(names | grep wing | paste -sd' ')" "wing wing.solve" "two programs of one job"
program wing 3 ./pre -n 7
traffic list >/dev/null
is "$(grep -E '^# (program|runs)' "$records/wing@4.traffic" | paste -sd,)" "# runs 2,# program pre" "and which is which"
program job.sh 1 python3.11 -u /home/u/fluid.py --steps 100 case3
program bash 2 python3 fluid.py --steps 2000 case14
program a.out 3 python3 fluid.py --steps=9 case14
names >/dev/null
is "$(names | grep -c '^fluid[.]py-[0-9a-f]\{8\}$') $(names | grep -c '^fluid')" "2 2" \
	"jobs whose names say nothing: the program and its arguments, in which numbers are alike"
rm "$records"/wing* "$records"/fluid*
# A rank that was killed while it removed its part has the whole file, too.
run whole 4 10
sed 's/1000000/7/' "$run.1.prof" >"$run.1.part"
is "$(traffic list | awk '$1 == "whole" { print $4 }') $(ls "$records/runs")" "3e+06 " "the whole file counts, not the part"
traffic forget whole
# What Open MPI has written by itself counts where the library has counted nothing.
run both 4 10
for i in {0..3}; do sed 's/1000000/7/' "$run.$i.prof" >"$run.o.$i.prof"; done
is "$(traffic list | awk '$1 == "both" { print $4 }') $(ls "$records/runs")" "3e+06 " "a run that was counted twice"
run both 4 10
for i in {0..3}; do mv "$run.$i.prof" "$run.o.$i.prof"; done
is "$(traffic list | awk '$1 == "both" { print $4 }') $(ls "$records/runs")" "3e+06 " "and one that Open MPI has counted"
traffic forget both
# A program that sends partly otherwise begins anew.
run part 16 10
names >/dev/null
run part 16 10
names >/dev/null
like "$(cat "$records/part@16.traffic")" '# runs 2' "two runs alike"
run part 16 10
sed -i 's/\t4\t1000000/\t9\t1000000/; s/\t5\t1000000/\t10\t1000000/; s/\t6\t1000000/\t13\t1000000/' "$run".*
names >/dev/null
like "$(cat "$records/part@16.traffic")" '# runs 1' "a fifth goes elsewhere: it is measured again"
traffic forget part
# Files that a user wrote: their size does not count, nor how many there are.
run huge 16 10
names >/dev/null
yes '# pattern mix' | head -c 400000000 >>"$records/huge@16.traffic"
{ yes '# x' | head -c 400000000; } >"$records/notes@16.traffic"
is "$(timeout 5 "$SMESH" traffic list | awk '$1 == "huge" { print $2, $3 } $1 == "notes"')" "16 grid:4x4" "records of 400 MB: their heads are read"
is "$(timeout 5 "$SMESH" traffic show huge | wc -l)" 2 "and no matrix"
rm "$records"/huge* "$records"/notes*
run heavy 2 10
truncate -s 300M "$run.0.prof"
like "$(timeout 5 "$SMESH" traffic list 2>&1 >/dev/null)" 'heavy=.*: larger than 256 MiB' "a run of 300 MB: one line"
is "$(ls "$records/runs")" "" "and it goes"
# More lines than are kept: what is known stands for all, and the record has no matrix.
run large 1 10
rm "$run.0.prof"
awk -v at="${run/=@1/=@2200}" 'BEGIN { for (i = 0; i < 2200; i++) { file = at "." i ".prof"
	for (to = 0; to < 2200; to++) printf "E\t%d\t%d\t10 bytes\t1 msgs sent\n", i, to >file
	close(file) } }'
is "$(traffic list | awk '$1 == "large" { print $2, $3, $4, $5 } ') $(wc -l <"$records/large@2200.traffic")" \
	"2200 all-to-all 4.84e+07 4.84e+06 10" "too many pairs: the pattern without a matrix"
is "$(traffic show large | wc -l)" 2 "show draws none"
traffic forget large
chmod 722 "$records"
fails 1 "others may write there" "a directory that others may write to" "$SMESH" traffic list
chmod 700 "$records"

# What the machine's jobs send, from accounting.
cat >sacct <<'END'
1|4|3600|mesh: pattern=learnt:grid:4x4,34% nodes=4
2|8|3600|
3|10|7200|mesh: pattern=learnt:ring
4|1|360|mesh: pattern=mix; other
6|12|3600|mesh: shape=3x4 pattern=learnt:grid:3x4,10%
7|1|0|mesh: pattern=learnt:mix,100%%
5|100|3600|mesh: none
END
is "$(traffic site sacct --comm-file=patterns | tr -s ' ')" "pattern jobs node-hours share in MPI
ring 1 20.0 13.9% -
grid 2 16.0 11.1% 16.0%
mix 1 0.1 0.1% -
not known 2 108.0 74.9% -
all 6 144.1 100.0% 16.0%

SchedulerParameters=mesh_pattern=ring is right for 55% of what is known" "site: node-hours and share of time by pattern"
# A grid of 4x16 ranks, the last side fastest, on nodes of which the first side is. 34% of 64 hours.
echo 'MeshName=m Dims=4x16 Wrap=all Nodes=n[0-63]' >torus.conf
echo '1|64|3600|mesh: pattern=learnt:grid:4x16,34%' >one
like "$(traffic site one -t torus.conf | tail -n 1)" \
	'^of 21[.]8 node-hours in MPI that are of rings and grids at most ([1-9]|1[0-9])[.][0-9] ' "what the site would gain"
like "$(traffic site one -t torus.conf --json | tr -d ' \n')" '"spared_node_hours":[1-9]' "and in JSON"
cat - torus.conf <<<'MeshName=small Dims=8 Nodes=s[0-7]' >meshes.conf
is "$(traffic site one -t meshes.conf | tail -n 1)" "$(traffic site one -t torus.conf | tail -n 1)" \
	"also where the first mesh is too small for the job"
printf '%s\r\n' '1|1K|3600|mesh: pattern=ring' '2|1.50K|3600|' | "$SMESH" traffic site >out
is "$(sed -n 2,3p out | tr -s ' ')" "ring 1 1024.0 40.0% -
not known 1 1536.0 60.0% -" "numbers as sacct prints them, CRLF"
echo '1|64|3600|mesh: pattern=learnt:ring' >one
like "$(traffic site one -t torus.conf | tail -n 1)" 'nothing can be said of a gain' "where no share of time is known"
fails 1 "none.conf" "no map" "$SMESH" traffic site one -t none.conf
is "$(paste -sd, patterns)" "1 learnt:grid:4x4 34,3 learnt:ring,6 learnt:grid:3x4 10" "and a file for smesh sim --comm-file"
like "$(traffic site --json <sacct | tr -d ' \n')" '"pattern":"ring","jobs":1,"node_hours":20.0' "JSON, from standard input"
is "$(traffic site sacct --comm-file=- 2>/dev/null)" "$(cat patterns)" "which is standard output, too"
echo 'x|4' >>sacct
fails 1 "sacct:8: expected JobIDRaw" "what is not from sacct" "$SMESH" traffic site sacct --comm-file=patterns
is "$(wc -l <patterns)" 3 "the file that was there is there"
fails 1 "directory" "a directory" "$SMESH" traffic site .

printf '0 1 5\n1 2 5\n2 0 5\n' >triples
traffic import -p 3 tri triples && like "$(traffic list | tr -s ' ')" 'tri 3 ring 15 ' "import of triples"
like "$(traffic list --json | tr -d '\n')" '"name": "tri", *"ranks": 3, *"pattern": "ring"' "JSON"
like "$(traffic show tri --json | tr -d '\n')" '^\[ *\{ *"name": "tri", *"ranks": 3, [^{]*$' "of one record, too"
is "$(traffic show tri --comm-file=patterns 2>&1 >/dev/null)" "smesh: --comm-file has no effect on traffic show" "what belongs to site"
is "$(grep -v '^#' "$records/tri@3.traffic" | paste -sd,)" "0 1 5,0 2 5,1 2 5" "without steps a line for each pair"
printf '0 1 5 77 2\n1 0 5 3\n0 1 7 3 1\n1 2 1 77\n' >triples
traffic import -p 3 tri triples
is "$(grep -v '^#' "$records/tri@3.traffic" | paste -sd,)" "0 1 5 0,1 2 1 0,0 1 7 1,1 0 5 1" \
	"with steps one for each and each direction"
is "$(traffic import -p 3 tri "$records/tri@3.traffic"; grep -v '^#' "$records/tri@3.traffic" | paste -sd,)" \
	"0 1 5 0,1 2 1 0,0 1 7 1,1 0 5 1" "and what is written is read"
echo '0 1 5 -1' >bad
fails 1 "bad:1: '-1' is not a step" "a step below 0" "$SMESH" traffic import -p 3 tri bad
echo '0 1 5 1 some' >bad
fails 1 "bad:1: 'some' is not a number of messages" "a line with a word behind the step" \
	"$SMESH" traffic import -p 3 tri bad
traffic import -p 5 tri triples 2>/dev/null
is "$(traffic forget -p 5 tri 2>&1)" "smesh: removed what was known of 5 ranks; there is still a record of 3" \
	"forget says which record is left"
traffic forget tri
fails 1 "nothing is known of 'tri'" "forget" "$SMESH" traffic show tri
fails 1 "expected list, show, forget, import or site" "another verb" "$SMESH" traffic remember
fails 1 "a file of each rank, or one and -p" "import without a size" "$SMESH" traffic import x triples

# Traces of SMPI: a file a rank.
mkdir ti
for r in 0 1 2 3; do
	cat >"ti/rank-$r" <<END
$r init
$r compute 1e6
$r isend $(((r + 1) % 4)) 5 10 0
$r irecv $(((r + 3) % 4)) 5 10 0
$r waitall 2
$r bcast 100 2 0
$r reduce 50 0 1 0
$r allreduce 20 0 0
$r allgather 4 4 0 0
$r alltoall 6 6 0 0
$r alltoallv 10 1 2 3 4 $((4 * r + 4)) $((r + 1)) $((r + 1)) $((r + 1)) $((r + 1)) 0 0
$r finalize
END
done
echo "0 send 1 9 3 1" >>ti/rank-0
# 4 of 80, 3 of 800, 3 of 400, 8 of 160, 4 of 96, 12 of 48, 12 of 8 to 32, and 12 bytes
traffic import ti ti/* && is "$(traffic list --json | tr -d '\n' | grep -o '"name": "ti"[^}]*' |
	sed 's/.*"ranks": \([0-9]*\).*"bytes": \([0-9]*\).*"messages": \([0-9]*\).*/\1 \2 \3/')" \
	"4 6412 47" "import of an SMPI trace: all bytes, those of collectives as messages"
traffic forget ti
# From and to the root 1 of three ranks: 4 bytes down a tree, and 8 bytes up.
for r in 0 1 2; do printf "$r %s\n" 'bcast 4 1 6' 'reduce 8 0 1 6'; done >tree
traffic import -p 3 tree tree
is "$(grep -v '^#' "$records/tree@3.traffic" | cut -d' ' -f1-3 | sort | paste -sd,)" "0 1 8,1 0 4,1 2 4,2 1 8" "trees from and to a root"
traffic forget tree
# Displacements without types: doubles, whatever the displacements are.
for r in 0 1 2; do echo "$r allgatherv 1 1 2 4 1 2 4"; done >displaced
traffic import -p 3 displaced displaced
is "$(grep -v '^#' "$records/displaced@3.traffic" | cut -d' ' -f1-3 | sort | paste -sd,)" "0 1 40,0 2 48,1 2 24" "allgatherv with displacements"
traffic forget displaced
# Steps of a trace: a tag each; sendRecv has none; the rounds of an all-to-all.
cat >steps <<'END'
0 isend 1 5 1000 2
0 send 2 6 100 2
0 wait 1
0 isend 3 5 10 2
0 sendRecv 2 1 2 1 2 2
1 alltoall 5 5 2 2
3 alltoall 5 5 2 2
END
traffic import -p 4 steps steps
is "$(grep -v '^#' "$records/steps@4.traffic" | paste -sd,)" \
	"0 1 1000 0,0 3 10 0,0 2 100 1,0 1 2 2,1 0 5 3,3 2 5 3,1 2 5 4,3 0 5 4,1 3 5 5,3 1 5 5" "steps of a trace: tags and rounds"
traffic forget steps
printf '0 compute 10\n0 send 4 0 8 0\n' >bad
fails 1 "bad:2: 'send' has arguments that make no sense" "a trace that sends where nobody is" \
	"$SMESH" traffic import -p 4 x bad
echo '0 sent 1 9 3 1' >bad
fails 1 "bad:1: 'sent' is not an action" "a trace with another word" "$SMESH" traffic import -p 4 x bad
# All types that SMPI has, each with a tag of its own; 55 and 56 are of no bytes, as is no type (-1).
for type in {-1..59}; do echo "0 send 1 $((type + 1)) 100 $type"; done >types
traffic import -p 2 types types
is "$(grep -v '^#' "$records/types@2.traffic" | awk '{ printf "%s%d", s, $3 / 100; s = " " }')" \
	"8 4 1 2 8 4 1 8 1 1 2 4 8 8 16 4 1 1 2 4 8 1 2 4 8 8 16 32 8 8 8 16 16 8 8 8 16 16 4 4 8 16 8 16 16 4 2 4 8 16 32 1 8 16 32 1 8 8" \
	"the sizes of SMPI's types"
traffic forget types
for type in 60 1.5 -2; do
	printf '0 init\n0 send 1 0 8 %s\n' "$type" >bad
	fails 1 "bad:2: 'send' has a type of a code that SMPI does not have" "a type that is none: $type" \
		"$SMESH" traffic import -p 2 x bad
done
# What smpirun writes of all calls that send, in its own spelling. Start has bytes, whatever the
# type. A rank below 0 is MPI_PROC_NULL; Start of a receive names the rank itself.
cat >calls <<'END'
0 Ssend 1 1 1 6
0 bsend 1 2 2 6
0 ISsend 1 3 3 6
0 ibsend 1 4 4 6
0 Start 1 5 5 0
0 Start 0 -444 99 0
0 isend -333 1 99 6
0 isendRecv 6 1 6 1 6 6
0 Put 1 0 7 6
0 Rput 1 0 8 6
0 Accumulate 1 0 9 6
0 Raccumulate 1 0 10 6
0 Get 1 0 11 6
0 Rget_accumulate 1 0 12 6
0 Compare_and_swap 1 0 1 6
0 Win_fence
0 IO - read_all 100
0 ibarrier
0 ibcast 13 0 6
1 igather 14 0 6 6
1 iallreduce 15 0 6
1 iscatter 99 5 0 -1 6
END
traffic import -p 2 calls calls
is "$(awk '!/^#/ { sum[$1] += $3 } END { print sum[0], sum[1] }' "$records/calls@2.traffic")" "92 29" \
	"sends, starts, one-sided and non-blocking calls of a trace"
traffic forget calls
echo '0 Startall' >bad
fails 1 "bad:1: 'Startall' does not say what it sends" "a call that sends, without the sizes" \
	"$SMESH" traffic import -p 2 x bad
printf '1 compute 1\n2 send 0 0 8 0\n' >bad
fails 1 "bad:2: rank 2: there are 0 to 1" "a trace of more ranks than it says" "$SMESH" traffic import -p 2 x bad
fails 1 "the name has more than 896" "a name of a directory that would be cut" "$SMESH" traffic --directory "$(printf %01100d 0)"
fails 1 "No such file" "a directory that is not there" "$SMESH" traffic --directory none
done_testing
