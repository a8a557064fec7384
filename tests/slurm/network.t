#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/torus: messages take the links that smesh says, and real MPI programs under a real Slurm are as
# fast there as these links allow.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
torus=$srcdir/contrib/torus
need_plugins
need_network

# ---- Inside of a network, where this script runs again ----

# ways [FROM TO]: packets on each link, FROM PORT COUNT, if those nodes (or all pairs) send one
ways() {
	"$SMESH" routes -t "$map" | awk -v one="$1" -v other="$2" '
		$1 == "vertex" { called[$2] = $3 ":" $4 }
		$1 == "node" { at[$2] = $3; if (!seen[$3]++) called[$3] = $2 }
		$1 == "link" { to[$2, $3] = $4; to[$4, $5] = $2 }
		$1 == "route" { way[$2, $3] = $4 }
		function send(v, w) {
			for (; v != w; v = to[v, way[v, w]]) {
				if (!((v, w) in way)) { print "no way from", v, "to", w; exit }
				count[called[v] " " way[v, w]]++
			}
		}
		END {
			if (one != "") send(at[one], at[other])
			else for (a in at) for (b in at) if (a != b) send(at[a], at[b])
			for (link in count) print link, count[link]
		}' | sort
}

# All nodes ask each other for a port that nobody listens at: a packet there, and one back.
ask_all() {
	local node
	for node in $("$torus" nodes | cut -d' ' -f1); do
		# shellcheck disable=SC2016,SC2046
		"$torus" exec "$node" bash -c 'for address; do : <"/dev/tcp/$address/9"; done 2>&1' bash \
			$("$torus" nodes | awk -v node="$node" '$1 != node { print $2 }') | grep -v -e refused -e "/dev/tcp/.*/9: "
	done
}

pairs() {
	is "$(ask_all)" "" "$1: every node hears from every other"
	is "$("$torus" links | awk '$6 { print $1, $3, $6 }' | sort)" "$(ways | awk '{ print $1, $2, 2 * $3 }')" \
		"$1: and packets are on the links that smesh says, no more and no fewer"
}

# step RANKS PATTERN BYTES ROUNDS [SRUN OPTION]...: seconds that the program took, a rank a node
step() {
	timeout 120 srun --mpi=pmi2 -N"$1" -n"$1" "${@:5}" "$work/program" "$2" "$3" "$4" 2>"$work/err" | sed -n 's/ s .*//p'
	sed 's/^/# /' "$work/err" >&2
}

# carried COMMAND...: bytes that it put on each link, FROM PORT BYTES
carried() {
	"$torus" links >"$work/before"
	"$@" >"$work/seconds"
	"$torus" links | awk 'FNR == NR { was[$1, $3] = $5; next } { print $1, $3, $5 - was[$1, $3] }' "$work/before" - | sort
}

most() { sort -k3n "$1" | tail -n 1 | cut -d' ' -f3; }

# as_said FILE BYTES A:B...: the links that are not as messages of so many bytes between these nodes load
# them: headers are 6% at most, and a message's acknowledgements 6% of it, on the way back
as_said() {
	local file=$1 bytes=$2 pair
	shift 2
	for pair; do ways "${pair%:*}" "${pair#*:}"; done | awk -v bytes="$bytes" '
		FNR == NR { load[$1, $2] += bytes; next }
		$3 < load[$1, $2] || $3 > 1.06 * load[$1, $2] + 0.25 * bytes { print $0, "not", load[$1, $2] + 0 }' - "$file"
}

trace_of() { echo "$*" A8 B99,0 t99 g99 v9,9,9,9,9,9,9,9 e8,0 b; }

mpi() {
	local block='n[0-1,4-5]' row='n[0-3]' id before
	printf '# none\n' >"$map.down"
	mesh_cluster nodes=16 network=torus topology="$(cat "$map")" || exit
	ok 0 "16 real slurmd on a torus of 16 namespaces"
	work=$cluster_dir/work
	mpicc.mpich -w -o "$work/program" "$srcdir/tests/lab/network/program.c"
	is "$(srun -N16 -n16 hostname | sort)" "$(printf 'n%d\n' {0..15} | sort)" "a step on all of them"

	# Ranks 0 1 2 3 on a grid of 2x2: in a block all are neighbours, in a row 0 and 2 are two links apart.
	carried step 4 halo2d 100000 10 -w "$block" >"$work/block"
	block_seconds=$(cat "$work/seconds")
	is "$(as_said "$work/block" 1000000 n0:n1 n1:n0 n4:n5 n5:n4 n0:n4 n4:n0 n1:n5 n5:n1)" "" "a block: each link has the bytes that smesh says"
	carried step 4 halo2d 100000 10 -w "$row" >"$work/row"
	is "$(as_said "$work/row" 1000000 n0:n1 n1:n0 n2:n3 n3:n2 n0:n2 n2:n0 n1:n3 n3:n1)" "" "a row: likewise"
	told "block: $block_seconds s, row: $(cat "$work/seconds") s; fullest link $(most "$work/block") and $(most "$work/row") bytes"
	is "$(awk -v b="$block_seconds" -v r="$(cat "$work/seconds")" 'BEGIN { print (b >= 2 && r >= 6 && r > 1.5 * b) }')" 1 \
		"no faster than the links, and the row takes longer, as its fullest link has three messages of each round"

	# A trace has all kinds of operations; those of all ranks are small.
	printf '%s\n' 4 "$(trace_of c100000000 s1,400000,0)" "$(trace_of r0,400000,0 x3,9000,3,9000)" \
		"$(trace_of S3,400000,1 w0)" "$(trace_of R2,400000,1 W x1,9000,1,9000)" >"$work/trace"
	carried step 4 "$work/trace" '' '' -w "$row" >"$work/links"
	is "$(as_said "$work/links" 400000 n0:n1 n2:n3)" "" "a trace of a program: its messages"

	# A grid of 4x2x2: in node order two ranks of a side of 2 are two links apart.
	sed -i "s,spank_mesh.so.*,spank_mesh.so mpich=$builddir/plugins/libmesh_measure.so," "$cluster_dir/plugstack.conf"
	export XDG_DATA_HOME=$work/data
	mkdir "$XDG_DATA_HOME"
	first=$(step 16 halo3d 60000 8 --mesh-learn=three)
	second=$(step 16 halo3d 60000 8 --mesh-learn=three)
	told "halo3d, ranks in node order: $first s, as learnt: $second s"
	is "$(awk -v a="$first" -v b="$second" 'BEGIN { print (b > 0 && b < 0.8 * a) }')" 1 "ranks in the order that was learnt are faster"

	# A link breaks below a running job.
	"$torus" watch "$map.down" scontrol reconfigure >/dev/null 2>&1 &
	before=$(sent n0 n1)
	id=$(sbatch --parsable -N2 -n2 -w n0,n1 -o "$work/out" --wrap "srun --mpi=pmi2 $work/program ring 200000 12")
	wait_for 60 under_way n0 n1 $((before + 400000))
	ok $? "a job's messages are under way"
	"$torus" cut n0 n1
	wait_for 20 grep -qx n0:n1 "$map.down"
	ok $? "the watcher tells of a link that breaks"
	wait_for 60 job_is "$id" COMPLETED
	like "$(cat "$work/out")" '^[0-9.]+ s n0,n1$' "the job goes on by another way"
	ok $(($(sent n0 n4) <= 200000)) "which is the one that smesh says"
	# shellcheck disable=SC2016
	wait_for 20 eval '[ "$(where 4 --mesh-shape=2x2)" != "n[0-1,4-5]" ]'
	ok $? "new boxes keep away from it"
	"$torus" mend n0 n1
	# shellcheck disable=SC2016
	wait_for 20 eval '! grep -q : "$map.down"'
	ok $? "and it is told that it is mended"
	kill "$!" 2>/dev/null

	if srun --mpi=list 2>&1 | grep -q pmix && command -v mpicc.openmpi >/dev/null; then
		mpicc.openmpi -o "$work/program.openmpi" "$srcdir/tests/lab/network/program.c"
		timeout 60 srun --mpi=pmix -N4 -n4 "$work/program.openmpi" ring 20000 4 >"$work/out" 2>&1
		like "$(cat "$work/out")" '^[0-9.]+ s n[0-9]+(,n[0-9]+){3}$' "Open MPI under srun"
		timeout 60 salloc -Q -N4 mpirun.openmpi --allow-run-as-root "$work/program.openmpi" ring 20000 4 >"$work/out" 2>&1
		like "$(cat "$work/out")" '^[0-9.]+ s n[0-9]+(,n[0-9]+){3}$' "and under mpirun in an allocation"
	else
		skip "Open MPI" "no Open MPI, or srun has no PMIx"
	fi
}

# sent A B: bytes that the link from A to B has carried
sent() { "$torus" links | awk -v a="$1" -v b="$2" '$1 == a && $2 == b { print $5 }'; }
under_way() { [ "$(sent "$1" "$2")" -gt "$3" ]; }
told() { echo "# $*"; }

if [ "$1" = inside ]; then
	map=$2
	"${@:3}"
	exit 0
fi

# ---- Outside ----

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
# within MAP WORD...: this script in a network of that map; its checks are ours
within() {
	local file=$tmp/$1
	shift
	retell < <(timeout 600 "$torus" run -t "$file" --rate="$rate" "$0" inside "$file" "$@" || echo "not ok - $*: status $?")
}

rate=0
echo 'MeshName=m Dims=4x3 Wrap=yes,no Nodes=n[0-11] DownLinks=1,1:2,1' >"$tmp/broken"
echo 'MeshName=m Dims=2x2x3 Wrap=all NodesPerVertex=2 Holes=0,1,1 Nodes=a[00-21]' >"$tmp/cube"
printf '%s\n' 'MeshName=east Dims=2x3 Nodes=e[0-5]' 'MeshName=west Dims=4 Wrap=all Nodes=w[0-3]' 'Link=e[0,5],w[0,2]' >"$tmp/pods"
within broken pairs "a torus with a broken link"
within cube pairs "two nodes a vertex, a hole, rings of two"
within pods pairs "two pods with cables"

# Two at once, in the open; the one whose making is killed and all that runs in the other are gone with them.
"$torus" up -t "$tmp/pods" --name="test-$$-a"
ok $? "one that stays"
"$torus" up -t "$tmp/cube" --name="test-$$-b" &
sleep 0.5
kill -KILL "$!"
wait "$!" 2>/dev/null
"$torus" exec --name="test-$$-a" e3 sleep 1000 &
sleeper=$!
disown "$sleeper"
is "$("$torus" exec --name="test-$$-a" ctl sh -c 'cat /proc/sys/kernel/hostname; ls /sys/class/net | wc -l')" "$(uname -n)"$'\n11' "beside the network all nodes are in sight"
"$torus" down --name="test-$$-b"
kill -0 "$sleeper"
ok $? "the end of one leaves the other"
"$torus" down --name="test-$$-a"
is "$(ip netns list | grep -c "^test-$$")$(grep -c "test-$$" /proc/mounts)$(ls -d "/run/slurm-mesh-torus/test-$$"* 2>/dev/null)" 00 \
	"no namespace, mount or file is left"
fails 1 "no such file" "a map that is not there" "$torus" up -t "$tmp/none"
"$torus" run -t "$tmp/pods" sh -c 'exit 7'
is "$?" 7 "run: the command's status"

if command -v mpicc.mpich >/dev/null; then
	printf '%s\n' 'MeshName=m Dims=4x4 Wrap=all Nodes=n[0-15]' "DownLinksFile=$tmp/torus.down" >"$tmp/torus"
	rate=4mbit
	within torus mpi
else
	skip "MPI programs" "no mpicc.mpich here"
fi
done_testing
