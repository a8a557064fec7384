#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two pods of different types: --mesh-shape=TYPE:AxBxC, --constraint and GRES, and the variables of Env=.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

pods=$(grep -A1 -E '^MeshType=(tpu7x|v5e) ' "$srcdir/etc/mesh-types.conf")
pods+='
MeshName=cube Type=tpu7x Dims=2x2x4 Nodes=t[0-15]
MeshName=flat Type=v5e Dims=4x4 Nodes=e[0-15]'
mesh_cluster nodes=32 name='t[0-15],e[0-15]' topology="$pods" select_params=CR_CPU \
	gres='NodeName=t[0-15],e[0-15] Name=tpu Count=4
NodeName=e[0-15] Name=gpu File=/dev/null,/dev/zero,/dev/full,/dev/random' nodelines='NodeName=t[0-15] CPUs=4 RealMemory=1000 Feature=tpu7x Gres=tpu:4
NodeName=e[0-15] CPUs=4 RealMemory=1000 Feature=v5e Gres=tpu:4,gpu:4' || exit

# place OPTION...: the nodes that a job gets while it is alone, or beside what is there
place() {
	local id
	id=$(sbatch --parsable -o /dev/null --exclusive "$@" --wrap 'sleep 600') || return
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
}

# ---- A shape of a type ----
is "$(place --mesh-shape=tpu7x:4x4x4)" "t[0-15]" "tpu7x:4x4x4: a cube"
is "$(place --mesh-shape=v5e:4x4)" "e[0-1,4-5]" "v5e:4x4: four hosts of the other pod"
is "$(place --mesh-shape=v5e:ring:8 | tr -d '0-9,[]-')" e "a ring on a type"
fails 1 'it can never fit: the mesh is not of Type=v6e' "a type that there is none of" \
	sbatch --mesh-shape=v6e:4x4 --wrap true
fails 1 'a box of 4x4x3 is not one of Shapes=; these are: 2x2x1, 2x2x2, 2x2x4, 2x4x4, 4x4x4 \(mesh cube\)' \
	"no slice of its type: those that are are named" sbatch --mesh-shape=tpu7x:4x4x3 --wrap true
fails 1 'a box of 4x4x8 does not fit into the machine; these are: 2x2x1' "nor one that is too large" \
	sbatch --mesh-shape=tpu7x:4x4x8 --wrap true

# ---- Slurm's own forms ----
is "$(place --constraint=v5e --mesh-shape=4x4:chips)" "e[0-1,4-5]" "--constraint=v5e and a shape in chips"
is "$(place --constraint=tpu7x --mesh-shape=4x4x4:chips)" "t[0-15]" "--constraint=tpu7x"
is "$(place --mesh-shape=v5e:4x4 --gres=tpu:4)" "e[0-1,4-5]" "--gres=tpu:4"
is "$(place --mesh-shape=v5e:4x4 --gpus-per-node=4)" "e[0-1,4-5]" "--gpus-per-node"
fails 1 'equested node configuration is not available' "more than a node has" \
	sbatch --mesh-shape=v5e:4x4 --gres=tpu:5 --wrap true
id=$(sbatch --parsable -o /dev/null -w e0 -n1 --gres=tpu:1 --wrap 'sleep 600')
started "$id" >/dev/null
id=$(sbatch --parsable -o /dev/null --mesh-shape=v5e:4x4 --gres=tpu:4 --wrap 'sleep 600')
like "$(hosts_sorted "$(started "$id")")" '^e\[(2-3,6-7|8-9,12-13|10-11,14-15)\]$' "a slice without the host that has three left"
cancel_all

# ---- Only that type, also when the wish for a box is over ----
for node in t0 t3; do started "$(submit 1 600 --exclusive -w $node)" >/dev/null; done
pending "$(submit 8 600 --exclusive --mesh-shape=tpu7x:2x4x4)"
ok $? "no slice of that type is free: it waits, beside a pod that is"
is "$(place --mesh-shape=tpu7x:2x4x4 --mesh-max-wait=0 | tr -d '0-9,[]-')" t "after --mesh-max-wait: hosts of the same pod"
started "$(submit 12 600 --exclusive -w 't[1-2,4-13]')" >/dev/null
pending "$(submit 8 600 --exclusive --mesh-shape=tpu7x:2x4x4 --mesh-max-wait=0)"
ok $? "where that has too few it waits"
cancel_all

# ---- Tasks know their slice ----
told='echo $SLURMD_NODENAME:$TPU_WORKER_ID:$TPU_HOST_BOUNDS:$TPU_TOPOLOGY:$TPU_WORKER_HOSTNAMES'
is "$(TPU_WORKER_ID=9 TPU_TOPOLOGY=8x8 timeout 180 srun -Q --exclusive --mesh-shape=tpu7x:2x2x4 sh -c "$told" | sort)" \
	"$(for i in 0 1 2 3; do echo "t$((4 * i)):$i:1,1,4:2x2x4:t0,t4,t8,t12"; done | sort)" \
	"whatever the job says itself"
is "$(timeout 180 srun -Q --exclusive -w e1,e4 -N2 sh -c "$told" | sort)" "e1::::
e4::::" "hosts that are no slice have none of it"
sbatch --wait -o "$cluster_dir/out" --exclusive -w e0,e1,e4,e5 -N4 --wrap "$told; srun -Q -N1 -w e5 sh -c '$told'" >/dev/null 2>&1
is "$(cat "$cluster_dir/out")" "e0:0:2,2,1:4x4:e0,e1,e4,e5
e5:3:2,2,1:4x4:e0,e1,e4,e5" "a batch script, and a step on another host: its own number"
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
