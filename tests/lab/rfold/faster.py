# SPDX-License-Identifier: GPL-2.0-or-later
"""RFold's launch.py with the same decisions in less time, as one of its policies can take an hour
for 300 jobs: a job that was rejected is not looked at again before a job has begun or ended, and
boxes are looked for by numpy. Run in its checkout; launch.py itself gives the same files."""
import runpy

import numpy

from Cluster.cluster import Cluster
from ClusterManager.scheduling import SchedDecision, SchedulingPolicy

place, find_submesh = SchedulingPolicy.place, SchedulingPolicy._find_submesh


def count_changes(method):
    def counted(self, job):
        self.changes = getattr(self, "changes", 0) + 1
        return method(self, job)
    return counted


def place_once(self, job, *args):
    """A rejected job may come back with another shape, which is another question."""
    question = (job.uuid, job.shape, getattr(self.cluster, "changes", 0))
    if getattr(self, "rejected", None) == question:
        job.logRejectReason(self.env.now, job.reject_reason)
        return SchedDecision.REJECT, job
    decision, placed = place(self, job, *args)
    self.rejected = question if decision == SchedDecision.REJECT and job.shape == question[1] else None
    return decision, placed


def find_box(self, array, shape):
    """The first place in the order of coordinates, around the edges."""
    if len(shape) != array.ndim or any(s > n for s, n in zip(shape, array.shape)):
        return find_submesh(self, array, shape)
    free = array > 0
    for axis, side in enumerate(shape):
        free = numpy.logical_and.reduce([numpy.roll(free, -i, axis) for i in range(side)])
    at = numpy.flatnonzero(free)
    return tuple(int(i) for i in numpy.unravel_index(at[0], free.shape)) if at.size else None


Cluster.execute, Cluster.complete = count_changes(Cluster.execute), count_changes(Cluster.complete)
SchedulingPolicy.place, SchedulingPolicy._find_submesh = place_once, find_box
runpy.run_path("launch.py", run_name="__main__")
