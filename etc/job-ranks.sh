#!/bin/bash
#SBATCH --job-name=ranks
#SBATCH --nodes=8
#SBATCH --ntasks=32
#SBATCH --ntasks-per-node=4
#
# A program whose ranks form a grid: smesh ranks puts neighbours of the grid onto the same
# node, or nodes few hops apart, and srun starts them there.
#
#     sbatch job-ranks.sh [GRID [PROGRAM...]]
#
# TOPOLOGY names the topology.conf with the mesh lines.
grid=${1:-4x8}
topology=${TOPOLOGY:-/etc/slurm/topology.conf}
hosts=ranks.$SLURM_JOB_ID
shift
[ $# -gt 0 ] || set -- sh -c 'echo "rank $SLURM_PROCID on $SLURMD_NODENAME"'

smesh ranks -t "$topology" --grid "$grid" --hostfile "$hosts" || exit
SLURM_HOSTFILE=$hosts srun --distribution=arbitrary --ntasks="$SLURM_NTASKS" "$@"
status=$?

# With Open MPI's own starter:
#     smesh ranks -t "$topology" --grid "$grid" --rankfile "ranks.$SLURM_JOB_ID" &&
#     mpirun --map-by rankfile:file="ranks.$SLURM_JOB_ID" "$@"         # Open MPI 5
#     mpirun --rankfile "ranks.$SLURM_JOB_ID" "$@"                     # before
rm -f "$hosts"
exit "$status"
