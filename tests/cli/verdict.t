#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh verdict: its figures are those of smesh sim, and it does not say more than its runs show.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
torus=$srcdir/etc/workloads/torus.conf log=$srcdir/etc/workloads/lublin.swf
verdict() { "$SMESH" verdict -t "$torus" "$@" 2>/dev/null; }

said=$(verdict "$log")
is $? 0 "one command"
like "$said" '^lublin.swf: 500 jobs on torus .*, easy, .*, 5 runs\.' "what was simulated, with EASY"
like "$said" 'Under snug instead of linear \(by node number\): if 10% of run times is communication, run times are [0-9.]+% \(\+-[0-9.]+\) shorter' \
	"run times, with a tenth of them communication"
like "$said" 'if 50% .*, run times are [0-9.]+% \(\+-[0-9.]+\) shorter and jobs are done ' "and with half"
like "$said" "log's run times for those under linear" "it says what it assumes"
like "$(head -c 15 verdict.html) $(grep -c 'id="machine-data"' verdict.html)" '^<!DOCTYPE html> 1' "and writes a page"
is "$(grep -c -e '<title>What snug is worth for lublin.swf on torus' -e '<h1>What snug is worth for lublin.swf on torus' verdict.html)" 2 \
	"which says what it is"
like "$(cat verdict.html)" '<p>To try it: install select/mesh \(doc/getting-started.md\), and put mesh_strategy=snug into SchedulerParameters of slurm.conf\.</p>' "and what comes next"

# Waits are told where they change by more than run times.
said=$(verdict --repeat 1 --html one.html --json "$log")
like "$(grep '"verdict"' <<<"$said")" "if 50%.*are [0-9.]+% shorter, waits are $(awk '/"communication_percent": 50/ { on = 1 }
	on && /"mean_wait_change_percent"/ { printf "%.1f", -$2 }' <<<"$said")% shorter and jobs are done [0-9.]+% sooner" "so are waits that change by more"

# Jobs that hardly wait, so that they are done sooner by as much as they run shorter.
for i in {1..300}; do
	n=$((5 + i * 7 % 12))
	echo "$i $((120 * i)) -1 $((400 + i * 37 % 1200)) $n -1 -1 $n -1 -1 1 1 -1 -1 -1 -1 -1 -1"
done >calm
echo "301 1 -1 0 5 -1 -1 5 -1 -1 1 1 -1 -1 -1 -1 -1 -1" >>calm
is "$("$SMESH" verdict -t "$torus" --html calm.html calm 2>&1 | grep -c 'left out')" 1 "what is left out of the log is said once"
like "$(verdict --html calm.html calm)" 'if 50% [^,]*, [^,]* and jobs are done [0-9.]+% \(\+-[0-9.]+\) sooner\.' "jobs that are done sooner, without a word on waits"
like "$(verdict --jobs 40 --repeat 2 --html - "$log")" '^<!DOCTYPE.*</html>$' "a page on standard output is alone there"

# The mean over pairs of runs is nearly the change of the means.
"$SMESH" sim -t "$torus" -s linear,mm --trace "$log" --contention=mix --calibrate=linear --shake=300 --comm-share=50 \
	--hops-only --repeat 2 --json 2>/dev/null >both
hops=$(verdict -s mm --repeat 2 --html two.html "$log" | sed -n 's/.*two nodes of a job are \([0-9.]*\)% .*/\1/p')
mean=$(awk -F'[:,]' '/"linear": {/ { at = 1 } /"mm": {/ { at = 2 } /"mean_hops"/ && !seen[at]++ { hops[at] = $2 }
	END { printf "%.1f", 100 * (1 - hops[2] / hops[1]) }' both)
awk -v a="$hops" -v b="$mean" 'BEGIN { exit !(a > 5 && (a - b) ^ 2 < 0.1) }'
ok $? "its figures are those of smesh sim ($hops, $mean)"
like "$(verdict -s linear --against mm --html worse.html "$log")" 'if 50% .*, run times are [0-9.]+% \(\+-[0-9.]+\) longer' "what is worse is said too"
is "$(grep -c 'To try it' worse.html)" 0 "and not advised"
# One seed more is no proof: with two runs intervals are 12.7 standard errors wide.
like "$(verdict -s hilbert-bf --against mm --repeat 2 --jobs 60 "$log")" 'as before \(no difference is shown' \
	"what the runs do not show is not said"
# Page, JSON and text say the same.
said=$(verdict --jobs 60 --repeat 3 --load 0.7 --seed 5 --html same.html "$log")
paragraph=$(sed -n 's/.*\(Under snug instead of linear .*: .*\)/\1/p' <<<"$said")
like "$paragraph" 'if 10% .*if 50% ' "the paragraph"
is "$(sed -n 's/<p class="headline">\(.*\)<\/p>/\1/p' same.html)" "$paragraph" "the page begins with it"
like "$(sed 's/&#39;/'\''/g' same.html)" "<p class=\"note\">This is a simulation\. It takes the log's run times" "and has what it takes for granted"
verdict --jobs 60 --repeat 3 --load 0.7 --seed 5 --html same.html --json "$log" >same.json
is "$(sed -n 's/^ "verdict": "\(.*\)",$/\1/p' same.json)" "$paragraph" "so has JSON"
is "$(awk '/"communication_percent": 50/ { on = 1 } on && /"changes"/ { on = 2 } on == 2 && /"mean_hops_change_percent"/ { printf "%.1f", -$2 }
	on == 2 && /"mean_hops_change_percent_plusminus"/ { printf " %.1f", $2 }' same.json)" \
	"$(sed -n 's/.*of a job are \([0-9.]*\)% (+-\([0-9.]*\)) fewer.*/\1 \2/p' <<<"$paragraph")" "from the same figures"
like "$said" ', offered load 0\.700, 3 runs' "a load that is asked for"
[ "$(verdict --jobs 60 --repeat 3 --load 0.7 --seed 6 --html same.html "$log")" != "$said" ]
ok $? "and a seed"
said=$(verdict --jobs 60 --repeat 1 --html one.html "$log")
like "$said" 'run times are [0-9.]+% shorter .*One run: no interval\.' "one run has no interval"
[[ $said != *+-* ]]
ok $? "not even one of 0"
[[ $(verdict --against mm --jobs 60 --repeat 1 --html one.html "$log") != *"node number"* ]]
ok $? "only linear places by node number"
like "$("$SMESH" verdict -t "$torus" --jobs 40 --repeat 1 --html one.html "$log" 2>&1)" \
	"^smesh: one.html: the page will take this file's place.*The page: one.html$" "a page that is there is named"
is "$("$SMESH" verdict -t "$torus" --html one.html nosuch 2>&1)" "smesh: nosuch: No such file or directory" "not without a log"
is "$("$SMESH" verdict -t "$torus" --html one.html -s nosuch "$log" 2>&1)" \
	"smesh: unknown strategy 'nosuch' (smesh strategies lists them)" "nor where a strategy does not exist"
is "$("$SMESH" verdict -t nosuch --html one.html "$log" 2>&1)" "smesh: nosuch: No such file or directory" "or the map"
like "$said" '[^0-9]60 jobs: that is too few for a verdict' "few jobs are told"
[[ $(verdict --html calm.html --repeat 1 calm) != *"too few"* ]]
ok $? "not where there are more"
like "$said" 'A quarter of the jobs sends all-to-all, .* page are the case of 50%' "what the page shows"
like "$(verdict --jobs 60 --repeat 2 --html two.html "$log")" \
	'interval of runs with submissions moved by up to 5\.0 min: other months may' "and what an interval is of"
is "$(verdict --repeat 2 --jobs 60 --html two.html "$log" | grep -o 'load [0-9.]*')" \
	"$("$SMESH" sim -t "$torus" --trace "$log" --jobs 60 -s linear | grep -o 'load [0-9.]*')" "the load is that of the log, not of runs"
echo "1 0 -1 60 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1" >alone
like "$(verdict --repeat 1 --html one.html alone)" 'easy, offered load -\.' "one job has no load"
is "$(verdict --repeat 1 --html one.html --json alone | grep -c '"offered_load": null')" 2 "nor in JSON"
said=$("$SMESH" verdict -t "$torus" --jobs 40 --repeat 1 --html none/page.html "$log" 2>err)
is "$? $(cat err)" "1 smesh: none/page.html: No such file or directory" "a page that cannot be written is told"
like "$said" 'Under snug instead of linear ' "and what was found all the same"
is "$(verdict --jobs 40 --repeat 1 --html /dev/full "$log" | grep -c '^Under snug')" 1 "on a full disk too"
fails 1 'exclude each other' "two things on standard output" "$SMESH" verdict -t "$torus" --json --html - "$log"
for i in {1..40}; do echo "$i $((10 * i)) -1 100 $((i % 2 ? 8 : 11)) -1 -1 $((i % 2 ? 8 : 11)) -1 -1 1 1 -1 -1 -1 -1 -1 -1"; done >some
fails 2 'torus3d refuses jobs that linear runs' "what refuses jobs is not compared" "$SMESH" verdict -t "$torus" -s torus3d some
fails 2 'torus3d refuses jobs that snug runs' "nor is anything with it" "$SMESH" verdict -t "$torus" --against TORUS3D some
fails 1 'mm,snug: one strategy is judged' "of several only the first was judged" "$SMESH" verdict -t "$torus" -s mm,snug some
fails 1 'linear is compared with itself: --against=NAME' "compared with itself" "$SMESH" verdict -t "$torus" -s linear "$log"
for i in {1..40}; do echo "$i $((10 * i)) -1 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1"; done >single
like "$(verdict --repeat 1 --html one.html single)" 'At 50%, the hops between two nodes of a job are 0 or unknown\.' "jobs of one node have no hops"
fails 1 'one LOG is needed, as sacct -aP writes it' "no log" "$SMESH" verdict -t "$torus"
fails 1 'nosuch' "no such log" "$SMESH" verdict -t "$torus" nosuch
fails 1 "did you mean 'snug'" "a slip in a name" "$SMESH" verdict -t "$torus" -s sung "$log"
done_testing
