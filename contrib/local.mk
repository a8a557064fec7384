# Example jobs.
workloadsdir = $(pkgdatadir)/workloads
dist_workloads_DATA = etc/workloads/cplant.conf etc/workloads/cplant.swf \
	etc/workloads/lublin.swf etc/workloads/torus.conf
EXTRA_DIST += etc/job-ranks.sh etc/job-shape.sh etc/job-tasks.sh etc/resume-slice.sh etc/tasks.conf \
	etc/mesh-types.conf etc/plugstack.conf etc/slurm.conf etc/topology.conf

# Man pages and completion.
dist_man_MANS += doc/select_mesh.7 doc/smesh.1 doc/topology.conf.mesh.5
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completion/smesh
# Packages, guides, and the results shown in them.
pythonsamplesdir = $(pkgdatadir)/python
dist_pythonsamples_DATA = contrib/python/figures.py contrib/python/smesh.py contrib/python/pyproject.toml
EXTRA_DIST += contrib/grafana contrib/debian contrib/docker contrib/ohpc/slurm-mesh.spec.in contrib/spack contrib/figures contrib/package contrib/release contrib/slurm-mesh.spec contrib/sweep.sbatch contrib/torus
