#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A strategy that breaks down, as its memory is refused: slurmctld goes on with the stock choice,
# the log says so, jobs run, and with memory again the strategy chooses.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
preload=$builddir/test-programs/fail_alloc.so

switch=$(mktemp)
at_exit() { rm -f "$switch"; }
printf 0 >"$switch"
refuse_memory() { printf %s "$1" 1<>"$switch"; }

mesh='MeshName=m Dims=4x4 Nodes=n[0-15]'
mesh_cluster nodes=16 topology="$mesh" params=mesh_strategy=mm,mesh_max_time=0 \
	wrap="env LD_PRELOAD=$preload FAIL_ALLOC=$switch" || exit

# ---- No memory for the strategy ----
# One that is not made at start, as mm is here.
other=--mesh-strategy=mc1x1
refuse_memory 1
id=$(submit 4 100 --exclusive $other)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes) $(strategy_of "$id")" "4 stock" "the job runs all the same, by the stock choice ($nodes)"
like "$(ctld_log 0 'error: select/mesh')" "JobId=$id strategy mc1x1: out of memory; the stock choice is used" "the log says why"
ids=()
for _ in 1 2 3 4 5; do ids+=("$(submit 1 100 $other)"); done
for i in "${ids[@]}"; do started "$i" >/dev/null; done
is "$(for i in "${ids[@]}"; do strategy_of "$i"; done | sort | uniq -c | xargs)" "5 stock" "so do jobs that share nodes"
is "$(ctld_log 0 'error: select/mesh.*the stock choice is used' | wc -l)" 1 "the log is not flooded"
id=$(submit 3 100 --contiguous)
started "$id" >/dev/null
is "$(job_state "$id") $(strategy_of "$id")" "RUNNING stock" "a job that wants a box runs too"
id=$(sbatch --parsable -o /dev/null -N16 --exclusive --time=5 --wrap 'sleep 1')
pending "$id"
ok $? "a job that does not fit waits"
like "$(sbatch --test-only -N2 --exclusive --wrap true 2>&1)" "to start at" "--test-only answers"

# ---- No memory for a new map ----
mark=$(ctld_log_lines)
cluster_set topology='MeshName=row Dims=16 Nodes=n[0-15]'
scontrol reconfigure
complained() { ctld_log "$mark" 'error: select/mesh.*out of memory' >/dev/null; }
wait_for 10 complained
like "$(ctld_log "$mark" 'error: select/mesh')" "out of memory; $(instead_of_broken)" \
	"a new map cannot be read: the old one stays, or the stock choice takes its place"
cluster_set topology="$mesh"

# ---- Memory again ----
refuse_memory 0
reconfigure
cancel_all
id=$(submit 4 100 --exclusive $other)
is "$(hosts_sorted "$(started "$id")") $(strategy_of "$id")" "$(smesh_nodes mc1x1 4 "n[0-15]" "$id") mc1x1" \
	"with memory the strategy chooses again"
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
alive "${cluster_pid[slurmctld]}"
ok $? "slurmctld is alive"
done_testing
