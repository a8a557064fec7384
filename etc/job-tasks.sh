#!/bin/bash
#SBATCH --job-name=tasks
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#
# Two programs that scale differently, side by side in one job: smesh part gives each as many
# of the job's nodes as makes the longer one shortest, near each other on the mesh, and prints
# the lines that run them.
#
#     sbatch job-tasks.sh [TASKS.CONF]
#
# TOPOLOGY names the topology.conf with the mesh lines.
tables=${1:-tasks.conf}
topology=${TOPOLOGY:-/etc/slurm/topology.conf}

smesh part -t "$topology" "$tables" || exit # for the job's output

script=$(smesh part -t "$topology" --script "$tables") || exit
status=0
eval "$script"
exit "$status"
