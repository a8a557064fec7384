# SPDX-License-Identifier: GPL-2.0-or-later
# A recipe for Spack: spack repo add contrib/spack, then
#   spack install slurm-mesh ^slurm@22-05-8-1
from spack.package import *


class SlurmMesh(AutotoolsPackage):
    """Mesh and torus placement for the Slurm workload manager: the plugin select/mesh, which
    gives jobs nodes that are near each other, and smesh, which simulates, draws and checks."""

    homepage = "https://github.com/slurm-mesh/slurm-mesh"
    url = "https://github.com/slurm-mesh/slurm-mesh/releases/download/v0.1.0/slurm-mesh-0.1.0.tar.xz"
    git = "https://github.com/slurm-mesh/slurm-mesh.git"

    license("GPL-2.0-or-later")

    version("0.1.0")

    variant("plugins", default=True, description="Build the plugins, not only smesh")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cmocka", type="test")
    depends_on("hwloc")
    depends_on("jansson")
    depends_on("libmd")
    depends_on("munge", when="+plugins")
    depends_on("slurm")
    depends_on("zlib-api")

    # The plugins fit exactly one version of Slurm and need its internal headers.
    resource_note = "set SLURM_SRC to the source of the Slurm that is installed"

    def autoreconf(self, spec, prefix):
        autoreconf("-i")

    def configure_args(self):
        if "+plugins" not in self.spec:
            return ["--without-slurm-src"]
        source = env.get("SLURM_SRC")
        if not source:
            raise InstallError(self.resource_note)
        return ["--with-slurm-src=" + source]
