# SPDX-License-Identifier: GPL-2.0-or-later
"""The jobs that RFold's own generators make, as a trace for everybody to replay: in its checkout

    PYTHONPATH=.:SHIM python3 inputs.py mixed|slices SEED TRACE [-n JOBS and other flags of launch.py]

mixed: its MixedWorkload, which launch.py runs; slices: its WorkloadGenerator with Google's table of
slices (tpu_job_size.csv), which nothing in it runs."""
import random
import sys

import numpy
import simpy

kind, seed, path = sys.argv[1:4]
del sys.argv[1:4]

from Cluster.cluster import Cluster
from Cluster.model_builder import build_torus
from ClusterManager.manager import ClusterManager
from WorkloadGen.generator import MixedWorkload, WorkloadGenerator
from common.flags import FLAGS, TPU_JOB_SIZES_DIST
from common.utils import job_stats_to_trace

env = simpy.Environment()
manager = ClusterManager(env, Cluster(env, build_torus(name="torus", dimension=FLAGS.dim)), FLAGS.sim_njobs)
if kind == "mixed":
    workload = MixedWorkload(env, manager, len(FLAGS.dim), FLAGS.rsize, FLAGS.iat_file, "",
                             FLAGS.dur_trace_file, -1, FLAGS.shape_multiple)
else:
    workload = WorkloadGenerator(env, FLAGS.iat_file, TPU_JOB_SIZES_DIST, manager, FLAGS.dur_trace_file)
random.seed(int(seed))
numpy.random.seed(int(seed))
jobs = {}
enough = env.event()


def submit(job, *_):
    jobs[job.uuid] = job
    if len(jobs) == FLAGS.sim_njobs:
        enough.succeed()


manager.submitJob = submit
env.process(workload.run())
env.run(enough)
job_stats_to_trace(dict(list(jobs.items())[:FLAGS.sim_njobs]), path)
