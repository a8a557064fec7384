#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ResumeProgram= for slices that are made when a job gets them (nodes with State=CLOUD): for each job
# that nodes are powered up for, PROGRAM (below) is called with the job's nodes, and finds the shape and
# the place in its environment: MESH_NAME, MESH_BOX, MESH_COORD (of the first node), MESH_JOB_CHIPS,
# JOB_ID, and what Env= of the mesh says (TPU_TOPOLOGY=2x4, ...). slurmctld tells which jobs in
# SLURM_RESUME_FILE.
# slurmctld gives it no PATH
export PATH=${PATH:-/usr/bin:/bin}
conf=${SLURM_CONF:-/etc/slurm/slurm.conf}
smesh=${SMESH:-smesh}
program=${SLICE_PROGRAM:-/etc/slurm/make-slice}

# The jobs' numbers from the file; their nodes from slurmctld, as those in it may be a part.
grep -o '"job_id": *[0-9]*' "${SLURM_RESUME_FILE:?is set by slurmctld}" | tr -dc '0-9\n' | while read -r job; do
	nodes=$(squeue -h -j "$job" -o %N)
	mapfile -t host < <(scontrol show hostnames "$nodes")
	mapfile -t told < <("$smesh" alloc -t "${conf%/*}/topology.conf" -s linear -n "${#host[@]}" \
		--free "$nodes" --env "${host[0]}" | grep -E '^[A-Z_]+=')
	env "${told[@]}" JOB_ID="$job" "$program" "$nodes"
done
