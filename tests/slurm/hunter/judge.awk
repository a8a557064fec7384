# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f judge.awk MIX JOBS...: what is wrong with a job that runs. MIX is mix.awk's, JOBS what
# `scontrol show job -o` says, whose JobName is the number there. A line for each fault.
function value(key, m) {
	m = index(" " $0, " " key "=")
	return m ? substr($0, m + length(key) + 1, index(substr($0, m + length(key) + 1) " ", " ") - 1) : ""
}

# n[0-3,8] into set[]
function expand(list, set, part, ends, n, i, k) {
	split("", set)
	gsub(/[n\]\[]/, "", list)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		if (split(part[i], ends, "-") == 1)
			ends[2] = ends[1]
		for (k = ends[1]; k <= ends[2]; k++)
			set[k + 0] = 1
	}
}

# The argument of a short option, of which the last counts
function given(letter, word, n, i, found) {
	n = split(options[name], word, " ")
	for (i = 1; i <= n && word[i] != ":"; i++)
		if (substr(word[i], 1, 2) == "-" letter)
			found = substr(word[i], 3)
	return found
}

function fault(text) {
	print "job " name " (" options[name] ") has " text ": " value("JobId") " " value("NodeList") \
		" NumNodes=" value("NumNodes") " NumCPUs=" value("NumCPUs") " NumTasks=" value("NumTasks")
}

function check(nodes, wanted, has, n, count) {
	nodes = value("NumNodes") + 0
	expand(value("NodeList"), has)
	count = 0
	for (n in has)
		count++
	if (count != nodes)
		fault("another number of nodes than it says")
	if (least[name] && (nodes < least[name] || nodes > most[name]))
		fault("not the nodes that it asked for")
	# With -c3 on nodes with hardware threads Slurm itself gives 28 CPUs to ten tasks.
	if (tasks[name] > value("NumCPUs") + 0 && options[name] !~ /overcommit/)
		fault("too few CPUs")
	if (tasks[name] && tasks[name] != value("NumTasks") + 0 && options[name] !~ /ntasks-per-node/)
		fault("another number of tasks")
	# With --contiguous Slurm fills the gaps between them, and takes some of those if it has too many.
	expand(options[name] ~ /--contiguous/ ? "" : given("w"), wanted)
	for (n in wanted)
		if (!(n in has) && least[name])
			fault("not n" n)
	expand(given("x"), wanted)
	for (n in wanted)
		if (n in has)
			fault("n" n)
}

FNR == NR && /^[0-9]/ {
	name = $1
	least[name] = $2 + 0
	most[name] = $3 + 0
	tasks[name] = $4 + 0
	sub(/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+ /, "")
	options[name] = $0
}
FNR < NR && / JobState=RUNNING / {
	name = value("JobName")
	if (name in least)
		check()
}
