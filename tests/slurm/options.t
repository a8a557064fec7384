#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What users may say (--mesh-...), what jobs are told, what administrators set
# (SchedulerParameters), and what nobody should be able to do with any of it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Wrap=no,yes Nodes=n[0-15]' \
	params=mesh_strategy_first=linear,mesh_comment=yes auth=cred_expire=20 \
	conf='PartitionName=first Nodes=n[0-15]' || exit

# batch OPTION...: a job that sleeps
batch() { sbatch --parsable -o /dev/null "$@" --wrap 'sleep 100'; }

# A program with libslurm, which loads the plugin to read the nodes.
like "$("$SMESH" map 2>&1)" '^m at .*free 16 ' "smesh map"

# ---- Users' options ----
help=$(sbatch --help 2>&1 | sed -n '/^Options provided by plugins:$/,/^[A-Z].*:$/p')
is "$(grep -o '^ *--mesh-[a-z-]*' <<<"$help" | sort | xargs)" \
	"$(sed -n '/^## Options of sbatch/,/^## [VW]/s/^    //p' "$srcdir/doc/stable.md" | xargs -n 1 printf -- '--%s\n' | sort | xargs)" \
	"sbatch --help tells the options, under one title"
is "$(grep '[^ ]+$' <<<"$help")" "" "and cuts none"
like "$(tr -s ' \n' ' ' <<<"$help")" "isolated: a box that no running job's messages cross when this job starts" "--mesh-hint=isolated promises no more"
id=$(batch -N4 --mesh-strategy=mc1x1)
started "$id" >/dev/null
is "$(strategy_of "$id")" mc1x1 "--mesh-strategy"
like "$(scontrol show job "$id")" 'AdminComment=mesh: strategy=mc1x1 mean_hops=[0-9.]+ best=1.333' "mesh_comment=yes"
id=$(batch -N4 --exclusive --mesh-hint=compact)
started "$id" >/dev/null
is "$(strategy_of "$id")" mm "--mesh-hint=compact is the default"
free=$(idle_nodes)
id=$(batch -N4 --exclusive --mesh-hint=scatter)
is "$(hosts_sorted "$(started "$id")") $(strategy_of "$id")" "$(smesh_nodes scatter 4 "$free") scatter" \
	"--mesh-hint=scatter: the nodes that others will miss least"
free=$(idle_nodes)
id=$(batch -N2 --exclusive --mesh-pattern=none)
is "$(hosts_sorted "$(started "$id")") $(strategy_of "$id")" "$(smesh_nodes scatter 2 "$free") scatter" \
	"--mesh-pattern=none: the same"
id=$(batch -N2 --exclusive -p first)
started "$id" >/dev/null
is "$(strategy_of "$id")" linear "mesh_strategy_PARTITION"
cancel_all
a=$(batch -N2 --exclusive -w n5,n10)
started "$a" >/dev/null
id=$(batch -N4 --exclusive --mesh-hint=isolated)
nodes_in "$(started "$id")" "n[0-4,7-8,11-15]"
ok $? "--mesh-hint=isolated keeps out of the box that another job's routes cross"
is "$(strategy_of "$id")" snug-box "and is a box itself"
cancel_all
a=$(batch -N2 --exclusive -w n0,n15)
started "$a" >/dev/null
id=$(batch -N12 --exclusive --mesh-hint=isolated)
waits_for_box() { squeue -h -j "$1" -o %r | grep -q '^Waits for a box of 12 nodes'; }
pending "$id"
ok $? "with no such box it waits"
wait_for 20 waits_for_box "$id"
ok $? "which squeue says, and is not refused for good"
scancel "$a"
started "$id" >/dev/null
ok $? "until there is one"
cancel_all

# ---- AdminComment: the administrator's words stay ----
remark='mesh: strategy=mc1x1 mean_hops=[0-9.]+ best=1.333'
# words BEFORE PATTERN NAME: what becomes of them when the job starts
words() {
	local id
	id=$(batch -N4 --hold --mesh-strategy=mc1x1)
	scontrol update JobId="$id" AdminComment="$1"
	scontrol release "$id"
	started "$id" >/dev/null
	like "$(admin_comment "$id")" "$2" "$3"
	scancel "$id"
}
# What scontrol prints, without its blank at the end.
admin_comment() { scontrol show job "$1" | sed -n 's/^ *AdminComment=\(.*[^ ]\) *$/\1/p'; }
words 'mesh: cable 3 is bad' "^mesh: cable 3 is bad; $remark\$" "AdminComment: words that begin like ours"
words 'see wiremesh: torn' "^see wiremesh: torn; $remark\$" "words with ours inside"
words 'mesh: strategy=mm mean_hops=1.000; ask Ann' "^$remark; ask Ann\$" "words behind ours: ours is made new, they stay"
id=$(batch -N4 --requeue --mesh-strategy=mc1x1)
started "$id" >/dev/null
scontrol update JobId="$id" AdminComment="mesh: rack 7; $(admin_comment "$id"); mesh: mended"
scontrol requeue "$id"
restarted() { [ "$(job_field "$id" Restarts)" = 1 ] && job_is "$id" RUNNING; }
wait_for 90 restarted
like "$(admin_comment "$id")" "^mesh: rack 7; $remark; mesh: mended\$" "words around ours, at a second start"
cancel_all
# The second dimension is a ring of 4: a torus has all of it, or 1.
id=$(batch -N8 --exclusive --mesh-shape=4x2:torus)
is "$(sides "4 4" "$(started "$id")")" 2x4 "--mesh-shape=4x2:torus: turned, so that it goes around the ring"
cancel_all
fails 1 'Requested node configuration is not available' "4x2:norotate:torus cannot be" \
	sbatch --mesh-shape=4x2:norotate:torus --wrap true

# bad OPTION PATTERN: refused where it is typed
bad() { fails 255 "$2" "$(printf '%.40q' "$1")" sbatch -N2 "$1" --wrap true; }
bad --mesh-strategy=quick "--mesh-strategy: unknown strategy 'quick' \\(smesh strategies lists them\\)"
sed '/^SchedulerParameters=/d' "$SLURM_CONF" >"$cluster_dir/plain-client.conf"
bad --mesh-strategy=snugg "unknown strategy 'snugg', did you mean 'snug'\?"
SLURM_CONF=$cluster_dir/plain-client.conf bad --mesh-strategy=slow "--mesh-strategy: unknown strategy 'slow'"
bad --mesh-shape=4x4x0 '--mesh-shape: '
bad --mesh-shape=99999999999x1 '--mesh-shape: '
bad --mesh-shape=-1x2 '--mesh-shape: '
bad --mesh-shape=$'4x4\nx' '--mesh-shape: characters that do not belong there'
bad --mesh-shape=$'4\xc3\x974' '--mesh-shape: characters that do not belong there'
bad --mesh-shape="$(printf '4%.0s' {1..5000})" '--mesh-shape: longer than 128 characters'
bad --mesh-max-wait=soon "--mesh-max-wait: not a time like 30 \(minutes\) or 2:00:00: 'soon'"
bad --mesh-pattern=star "--mesh-pattern: expected all-to-all, ring, grid, grid:AxBxC, random, none or mix, not 'star'"
bad --mesh-pattern=grid:3x "--mesh-pattern: a grid has 1 to 6 sides"
bad '--mesh-pattern=grid:16x8*4' '--mesh-pattern: \*WEIGHT, :POINTS and :torus behind a grid belong to --mesh-ranks'
# together NAME PATTERN OPTION...: what does not go together
together() { fails 1 "$2" "$1" sbatch "${@:3}" --wrap true; }
together "more nodes than the shape" '--mesh-shape: it is of 8 nodes, -N asks for 12' -N12 --mesh-shape=4x2
together "segments that -N is no multiple of" '--mesh-segment=5: -N 8 is not a multiple of it' -N8 --mesh-segment=5
together "a grid of other ranks" '--mesh-pattern: a grid of 16 ranks, but there are 8 tasks' -N8 -n8 --mesh-pattern=grid:4x4
together "tasks a node too" 'but there are 32 tasks' -N8 --ntasks-per-node=4 --mesh-pattern=grid:4x4
together "a grid over other nodes" 'a grid of 16 ranks cannot be spread evenly over 6 nodes' -N6 --mesh-pattern=grid:4x4
id=$(sbatch --parsable -H -o /dev/null -N8 --mesh-pattern=grid:4x4 --wrap true)
like "$id" '^[0-9]+$' "two ranks on each node are a grid"
scancel "$id"
bad --mesh-hint=near "--mesh-hint: expected compact, scatter or isolated, not 'near'"

# ---- What a job is told ----
out=$cluster_dir/work/env
sbatch -W -o "$out" -N4 --exclusive --mesh-shape=2x2 -w n5 \
	--wrap 'env | grep -E "^MESH_(BOX|COORD|DIMS|MEAN_HOPS|NAME|WRAP)=" | sort; srun -N4 -n4 printenv MESH_COORD | sort' >/dev/null
is "$(grep -v COORD= "$out" | head -n 5 | paste -sd' ')" \
	"MESH_BOX=2x2 MESH_DIMS=4x4 MESH_MEAN_HOPS=1.333 MESH_NAME=m MESH_WRAP=no,yes" "in the job: MESH_..."
is "$(tail -n 4 "$out" | sort -u | wc -l)" 4 "MESH_COORD differs on each node"
like "$(tail -n 4 "$out")" '1,1' "and is the node's own"

# ---- Forged environments ----
before=$(ctld_log_lines)
forged() { "$builddir/test-programs/forge" "$@"; }
a=$(forged 2 MESH_SHAPE=4x4x0 $'MESH_STRATEGY=\n[2026-01-01T00:00:00.000] error: forged' "MESH_HINT=$(head -c 100000 /dev/zero | tr '\0' A)")
b=$(forged 2 MESH_SHAPE=-1x2 $'MESH_MAX_WAIT=\e[2J%s%n' 'MESH_SHAPE' '=' '')
c=$(forged 2 "MESH_SHAPE=2x1")
for id in "$a" "$b" "$c"; do started "$id" >/dev/null; done
is "$(strategy_of "$a"),$(strategy_of "$b")" mm,mm "nonsense is ignored, the jobs run"
like "$(ctld_log "$before" "JobId=$a: .*ignored")" 'ignored' "it is logged"
is "$(ctld_log "$before" '^.2026-01-01.* error: forged')" "" "but never raw"
is "$(ctld_log "$before" $'\e')" "" "nor with control characters"
is "$(strategy_of "$c")" snug-box "sense is heeded"
cancel_all
# The same in the environment that the commands are called in.
out=$(SPANK_MESH_SHAPE=4x4x0 SLURM_SPANK_MESH_SHAPE=$'\e[2J%s%n' SLURM_SPANK_MESH_STRATEGY=-1x2 \
	timeout 60 srun -Q -N2 --exclusive printenv MESH_BOX 2>&1 | sort -u)
like "$out" '^(1x2|2x1)$' "nonsense in the user's environment: the job runs"
is "$(ctld_log "$before" $'\e')" "" "nothing of it is in the log"
bad_variable() { SLURM_SPANK__SLURM_SPANK_OPTION_mesh_mesh_shape=$1 sbatch -N2 --wrap true; }
fails 1 '--mesh-shape: a shape has 1 to 6 sides' "a shape of 4x4x0 in Slurm's variable" bad_variable 4x4x0
fails 1 '--mesh-shape: characters' "and control characters there" bad_variable $'4\a'

# ---- Administrators' keys ----
# params KEY=VALUE,...: and a reconfigure that has taken effect
params() {
	cluster_set params="$1"
	reconfigure
	sleep 0.5
}
params mesh_strategy=linear,mesh_user_options=shape+max-wait
id=$(batch -N3 --exclusive)
started "$id" >/dev/null
is "$(strategy_of "$id")" linear "mesh_strategy by scontrol reconfigure"
is "$(job_field "$id" AdminComment)" "" "mesh_comment is no by default"
bad --mesh-strategy=mm "--mesh-strategy is not allowed on this cluster .mesh_user_options."
id=$(forged 2 MESH_STRATEGY=mm)
started "$id" >/dev/null
is "$(strategy_of "$id")" linear "nor by a forged environment"
cancel_all
# forbidden OPTION=VALUE LIST: by mesh_user_options=LIST, on the command line and forged
forbidden() {
	local option=${1%%=*} variable=${1%%=*}
	variable=${variable#--}
	variable=${variable^^}
	params mesh_strategy=linear,mesh_user_options="$2"
	bad "$1" "$option is not allowed on this cluster .mesh_user_options."
	forged_id=$(forged 4 "${variable//-/_}=${1#*=}")
	started "$forged_id" >/dev/null
	is "$(strategy_of "$forged_id")" linear "mesh_user_options=$2: $option nor forged"
	cancel_all
}
forbidden --mesh-shape=2x2 strategy+max-wait+hint
forbidden --mesh-hint=isolated strategy+shape+max-wait
forbidden --mesh-strategy=bf none
id=$(batch -N4 --exclusive --contiguous)
started "$id" >/dev/null
is "$(strategy_of "$id")" snug-box "--contiguous is Slurm's own, and always allowed"
cancel_all
ids=()
for i in 0 2 5 7 8 10 13 15; do ids+=("$(batch -N1 -w n$i)"); done
for i in "${ids[@]}"; do started "$i" >/dev/null; done
a=$(batch -N4 --contiguous)
pending "$a"
ok $? "mesh_fallback=wait: a box is waited for"
params mesh_fallback=mm
is "$(started "$a" >/dev/null; strategy_of "$a")" mm "mesh_fallback=mm: it is not"
scancel "$a"
# A wish of 3 s instead of none, where users may not say so.
params mesh_user_options=strategy+shape+hint,mesh_max_wait=infinite
bad --mesh-max-wait=0:03 '--mesh-max-wait is not allowed on this cluster'
a=$(forged 4 MESH_SHAPE=4x1 MESH_MAX_WAIT=0:00)
pending "$a"
ok $? "--mesh-max-wait where it is forbidden: a forged one is not heeded"
scancel "$a"
params mesh_user_options=shape+max-wait
a=$(batch -N4 --mesh-shape=4x1 --mesh-max-wait=0:04)
b=$(batch -N4 --contiguous --mesh-max-wait=0:04)
pending "$a"
ok $? "--mesh-max-wait: the shape is waited for"
is "$(started "$a" >/dev/null; strategy_of "$a")" snug "until then"
is "$(started "$b" >/dev/null; strategy_of "$b")" snug "so is --contiguous"
waited=$(($(epoch "$(job_field "$a" StartTime)") - $(epoch "$(job_field "$a" SubmitTime)")))
[ "$waited" -ge 4 ]
ok $? "not before ($waited s)"
scancel "$a" "$b"
params mesh_max_wait=0:06
a=$(batch -N4 --contiguous)
b=$(batch -N4 --mesh-shape=4x1 --mesh-max-wait=infinite)
pending "$a"
ok $? "mesh_max_wait: for a while it is"
is "$(started "$a" >/dev/null; strategy_of "$a")" snug "then nodes near each other do"
is "$(job_state "$b")" PENDING "--mesh-max-wait=infinite overrides it"
cancel_all

# ---- A strategy for a partition ----
for strategy in scatter hilbert-bf; do
	params mesh_strategy=mm,mesh_strategy_first=$strategy
	a=$(batch -N2 --exclusive -p first)
	b=$(batch -N2 --exclusive)
	is "$(for i in "$a" "$b"; do started "$i" >/dev/null; strategy_of "$i"; done | xargs)" "$strategy mm" \
		"mesh_strategy_first=$strategy by scontrol reconfigure: for that partition alone"
done
cancel_all
params mesh_strategy=snug,mesh_pattern=ring
id=$(batch -N6 --exclusive)
is "$(hosts_sorted "$(started "$id")")" \
	"$("$SMESH" alloc -t "$cluster_dir/topology.conf" -s snug -n 6 --pattern=ring | head -n 1)" \
	"mesh_pattern=ring: the nodes for it"
cancel_all
id=$(batch -N6 --exclusive --mesh-pattern=grid:6x1)
is "$(hosts_sorted "$(started "$id")")" \
	"$("$SMESH" alloc -t "$cluster_dir/topology.conf" -s snug -n 6 --pattern=grid:6x1 | head -n 1)" \
	"--mesh-pattern=grid:AxB: the nodes for it"
cancel_all
params mesh_strategy=snug,mesh_pattern_first=none
id=$(batch -N2 --exclusive -p first)
started "$id" >/dev/null
is "$(strategy_of "$id")" scatter "mesh_pattern_PARTITION=none"
cancel_all
params mesh_strategy_first=bf,mesh_user_options=all
a=$(batch -N4 --exclusive -p first)
like "$(sides "4 4" "$(started "$a")")" x "a contiguous one: boxes"
b=$(batch -N2 --exclusive -p first --mesh-strategy=linear)
is "$(started "$b" >/dev/null; strategy_of "$b")" linear "the job's own wish comes first"
params ""
a=$(batch -N2 --exclusive -p first)
is "$(started "$a" >/dev/null; strategy_of "$a")" mm "without the key: as all"
cancel_all

cluster_set strategy=
params ""
id=$(batch -N2 --exclusive)
is "$(started "$id" >/dev/null; strategy_of "$id")" snug "without mesh_strategy: the default"
cancel_all
cluster_set strategy=mm

# ---- What is told ----
cluster_set debug= params=mesh_log=no
reconfigure
before=$(ctld_log_lines)
id=$(batch -N2 --exclusive)
started "$id" >/dev/null
is "$(ctld_log "$before" "select/.*JobId=$id")" "" "mesh_log=no, no DebugFlags: nothing in the log"
cluster_set params=mesh_log=yes
reconfigure
id=$(batch -N2 --exclusive)
started "$id" >/dev/null
is "$(strategy_of "$id")" mm "mesh_log=yes: a line for the decision"
is "$(ctld_log "$before" "select/cons_tres: .*JobId=$id")" "" "and none of the stock plugin's"
cancel_all
before=$(ctld_log_lines)
params mesh_log=yes,mesh_base=linear
if [[ $(instead_of_broken) == *kept ]]; then
	is "$(ctld_log "$before" 'error: select' | sed 's/^[^ ]* //')" \
		"error: select/mesh: mesh_base= is read at start only: still over select/cons_tres" \
		"mesh_base= by scontrol reconfigure: said to be too late"
	id=$(batch -N1 -n1)
	started "$id" >/dev/null
	is "$(strategy_of "$id")" mm "and nothing changes"
	cancel_all
fi
cluster_set debug=SelectType

before=$(ctld_log_lines)
params mesh_strategy=quick
is "$(ctld_log "$before" 'error: select' | sed 's/^[^ ]* //')" \
	"error: select/mesh: SchedulerParameters: mesh_strategy: unknown strategy 'quick' (smesh strategies lists them); $(instead_of_broken)" \
	"an unknown strategy: one clear error"
params mesh_strategy=mc1x1
id=$(batch -N3 --exclusive)
started "$id" >/dev/null
is "$(strategy_of "$id")" mc1x1 "and mended"
done_testing
