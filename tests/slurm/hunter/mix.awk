# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v seed=N -v jobs=N [-v from=N] [-v faults=N] [-v node_gres=1] -f mix.awk: a random mix of
# requests for the machine of hunter.t, the same for the same seed everywhere; with node_gres without
# GRES of jobs and tasks. A line a job:
#
#   NUMBER LEAST MOST TASKS CPUS BOX OPTION...
#
# LEAST and MOST nodes and TASKS of CPUS each are what its options say (0: nothing); BOX is 1 where
# it may wait for a box. With faults=N there are so many lines `! WHAT [ARGUMENT]` among them.
function draw(n) { # 0 to n - 1, by Park and Miller
	state = (state * 16807) % 2147483647
	return int(state / 2147483647 * n)
}

function chance(percent) { return draw(100) < percent }

# One of the words of a list; what is there twice comes twice as often.
function one(list, word) { return word[1 + draw(split(list, word, " "))] }

function option(text) { options = options " " text }

function hosts(count, from, list, i) { # so many of the 36 nodes, some in a row
	from = draw(36 - count)
	if (chance(50))
		return count > 1 ? "n[" from "-" from + count - 1 "]" : "n" from
	for (i = 0; i < count; i++)
		list = list (i ? "," : "") "n" (from + i * 7) % 36
	return list
}

function size(kind) {
	least = most = tasks = 0
	cpus = 1
	kind = one("nodes nodes nodes range tasks tasks both pernode none large")
	if (kind ~ /^(nodes|both|pernode)$/)
		least = most = 1 + draw(one("3 6 12"))
	if (kind == "large")
		least = most = 12 + draw(22)
	if (kind == "range") {
		least = 1 + draw(5)
		most = least + draw(8)
	}
	if (least)
		option("-N" least (most > least ? "-" most : ""))
	if (kind == "tasks" || (kind == "range" && chance(30)))
		tasks = most > 0 ? most : 1 + draw(one("4 16 60"))
	if (kind == "both")
		tasks = least * (1 + draw(3)) + draw(2)
	if (tasks)
		option("-n" tasks)
	if (kind == "pernode") {
		option("--ntasks-per-node=" (tasks = 1 + draw(3)))
		tasks *= least
	}
	if (chance(20))
		option("-c" (cpus = 1 + draw(3)))
}

function gres(wish) {
	gsub(";", " ", wish)
	option(node_gres && wish ~ /--gpus=|-per-task=|-per-gpu=/ ? "--gpus-per-node=1" : wish)
}

# What a job asks of each of its nodes.
function needs() {
	if (chance(25))
		option(one("--mem=100 --mem=400 --mem=900 --mem=1500 --mem-per-cpu=50 --mem-per-cpu=200 --mem=0"))
	if (chance(10))
		option(one("--sockets-per-node=2 --cores-per-socket=2 --threads-per-core=1 -B2:1:1 --hint=nomultithread --hint=compute_bound --mincpus=2"))
	if (chance(12))
		gres(one("--gres=gpu:1 --gres=gpu:2 --gpus=2 --gpus-per-node=1 --gpus=5 --gpus-per-task=1 " \
			"--gpus-per-task=2 --ntasks-per-gpu=1 --gpus=4;--cpus-per-gpu=1 --gpus-per-node=1;--mem-per-gpu=50"))
	if (chance(5))
		option(one("--overcommit --use-min-nodes --nice=100 --switches=1 --spread-job --tmp=0 --core-spec=1 -Ltoken"))
}

function where() {
	if (chance(35))
		option("-p" one("share maybe whole small user low high high all,whole small,all"))
	if (chance(15))
		option("-C" one("a b thin fat a|b b&thin [a*2&b*2] [a*1&fat*2] [a|b] b*2"))
	named = 0
	if (chance(10) && least <= 6)
		option("-w" hosts(named = 1 + draw(least > 0 ? least : 2)))
	if (chance(12))
		option("-x" hosts(1 + draw(8)))
	if (chance(4))
		option("--reservation=kept")
}

function shares() {
	if (chance(30))
		option(one("--exclusive --exclusive --exclusive=user -s"))
	if (chance(20))
		option("--uid=" one("1 2"))
}

# Without -N all nodes of the box; but sbatch itself says -N1 for -n1 -w n1,n2.
function shape(sides, side) {
	option("--mesh-shape=" sides)
	box = 1
	split(sides, side, /[x:]/)
	if (!least && !(tasks && named > tasks))
		least = most = side[1] * side[2]
}

# What goes to the mesh: by strategies that place every job, mostly.
function wish() {
	box = 0
	if (chance(8)) {
		option("--contiguous")
		box = 1
	}
	if (chance(15))
		option("--mesh-strategy=" one("snug mm mc1x1 hilbert-bf linear mm+inc scatter"))
	else if (chance(6)) {
		option("--mesh-strategy=" one("bf snug-box buddy"))
		box = 1
	}
	if (chance(8))
		option(one("--mesh-hint=scatter --mesh-pattern=ring --mesh-pattern=grid --mesh-pattern=none --mesh-max-wait=1"))
	if (chance(3)) {
		option("--mesh-hint=isolated")
		box = 1
	}
	if (chance(6)) {
		option("--mesh-segment=" one("2 3 4"))
		box = 1 # may be refused
	}
	if (chance(12))
		shape(one("2x2 4x1 4x2 2x2 3x2 4x4 4x8 2x2:norotate 1x1"))
}

function wrong() {
	if (!chance(6))
		return
	least = most = tasks = 0
	option(one("-N99 -N4-2 -N0 --mem=100G -c99 -wn99 -Cnothing --gres=foo:1 -pnowhere " \
		"--mesh-strategy=nonsense --mesh-shape=0x4 --mesh-hint=maybe --ntasks-per-node=99 " \
		"--gres=gpu:9 --reservation=none --sockets-per-node=9 -n99999 -n0 --mesh-max-wait=-9 " \
		"-N33-36 --mincpus=9 --mesh-segment=x"))
}

function several() {
	if (chance(7))
		option("--array=" one("1-3 1-4%2 1,5"))
}

function part() {
	options = ""
	size()
	needs()
	where()
	shares()
	wish()
	wrong()
}

function job(number) {
	part()
	several()
	if (chance(4) && options !~ /--array|--exclusive=user|--uid/)
		options = options " : -N" 1 + draw(3) " -J" number "+1"
	print number, least, most, tasks, cpus, box, "-J" number options
}

function fault() {
	print "!", one("map map drain drain resume down requeue requeue suspend go kill cancel stop " \
		"update update update update"), draw(5)
}

BEGIN {
	state = seed * 7919 + 17
	for (i = 0; i < 10; i++)
		draw(2)
	for (i = 1; i <= jobs; i++) {
		job(from + i)
		for (; faults * i >= jobs * (done + 1); done++)
			fault()
	}
}
