# SPDX-License-Identifier: GPL-2.0-or-later
# A recipe for Spack: spack repo add contrib/spack, then
#   SLURM_SRC=DIR spack install slurm-mesh ^slurm@22-05-8-1
# Spack 0.23 reads it (repo add, info) and makes the arguments of configure; nobody has built by it
# yet.
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass


class SlurmMesh(AutotoolsPackage):
    """Mesh and torus placement for the Slurm workload manager: the plugin select/mesh, which
    gives jobs nodes that are near each other, and smesh, which simulates, draws and checks."""

    homepage = "https://github.com/slurm-mesh/slurm-mesh"
    url = "https://github.com/slurm-mesh/slurm-mesh/releases/download/v1.1.5/slurm-mesh-1.1.5.tar.xz"
    git = "https://github.com/slurm-mesh/slurm-mesh.git"

    license("GPL-2.0-or-later")

    version("1.1.5")

    variant("plugins", default=True, description="Build the plugins, not only smesh")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cmocka", type="test")
    depends_on("hwloc")
    depends_on("jansson")
    depends_on("libmd")
    depends_on("libyaml")
    depends_on("ncurses")
    depends_on("munge", when="+plugins")
    depends_on("slurm")
    depends_on("zlib-api")

    def autoreconf(self, spec, prefix):
        autoreconf("-i")

    def configure_args(self):
        if "+plugins" not in self.spec:
            return ["--without-slurm-src"]
        # The plugins fit exactly one version of Slurm and need its internal headers.
        source = env.get("SLURM_SRC")
        if not source:
            raise InstallError("set SLURM_SRC to the source of the Slurm that is installed")
        return ["--with-slurm-src=" + source]
