#!/bin/bash
#SBATCH --job-name=shape
#SBATCH --nodes=32
#SBATCH --mesh-shape=4x4x2
#SBATCH --mesh-max-wait=2:00:00
#
# A job that wants a box of its own: 4x4x2 vertices, turned any way. While no such box is free
# it waits; after two hours in the queue it takes nodes that are only near each other.
# (Needs spank_mesh in plugstack.conf.)
env | grep ^MESH_ | sort
srun hostname
