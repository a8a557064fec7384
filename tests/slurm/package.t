#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is in Debian's packages: contrib/debian's rules, on a tree that is built. So nothing is
# compiled again, and whether contrib/package's copy of the tree can be built is tests/cli/packages.t's.
. "$srcdir/tests/tap.sh"
[ -e "$builddir/plugins/select_mesh.so" ] || {
	echo "1..0 # SKIP there are no plugins"
	exit 0
}
command -v dh >/dev/null || {
	echo "1..0 # SKIP there is no debhelper"
	exit 0
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tree" "$dir/out"
cd "$dir/tree" || exit
cp -r "$srcdir/contrib/debian" debian
ln -s "$srcdir"/{doc,etc,common,plugin,smesh,tests,contrib} .
cp "$srcdir"/*.md "$srcdir/NEWS" .
# The step of building is done for these packages.
sed -n 's/^Package: //p' debian/control >debian/debhelper-build-stamp
lib=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)

# Compiled files keep the paths of the tree's own prefix: only the contents are looked at.
MAKEFLAGS="-- prefix=/usr libdir=$lib" MAKELEVEL='' DEB_BUILD_OPTIONS='nocheck noautodbgsym' \
	DPKG_DEB_COMPRESSOR_TYPE=none dh binary -Sautoconf -B"$builddir" >"$dir/log" 2>&1
is "$? $(tail -n 5 "$dir/log" | grep -i error)" "0 " "packages are made"
# Whatever is installed and in no package is an error of dh_missing (compat 13).
is "$(grep -c '^dh_missing: \|^dh_install: ' "$dir/log")" 0 "each file of make install is in a package"

# files PACKAGE: all that it has, without directories
files() {
	dpkg-deb -c "$dir/$1"_*.deb | awk '$1 !~ /^d/ { print $6 }' | sed 's/^\.//'
}
like "$(dpkg-deb -f "$dir"/slurm-mesh_*.deb Version)" "\+slurm$(slurmctld -V | sed 's/.* //')\$" "Slurm's version is in theirs"
like "$(dpkg-deb -f "$dir"/slurm-mesh_*.deb Depends)" "slurm-client \(>= $(slurmctld -V | sed 's/.* //')\)" \
	"and they need it"
is "$(files slurm-mesh | grep '\.so$' | sort)" \
	"$(find "$builddir/plugins" -name '*.so' -printf "$lib/slurm-mesh/%f\n" | sort)" "all plugins are there"
is "$(files slurm-mesh | grep -c "/man[57]/")" 2 "and their man pages"
is "$(files smesh | grep -c -e '^/usr/bin/smesh$' -e '/smesh.1.gz$' -e '/completions/smesh$' -e '/smesh.py$')" 4 \
	"smesh, its man page, completion, Python"
is "$(files slurm-mesh-doc | grep -c -e '/doc/getting-started.md$' -e '/doc/lab/ranks.md$' -e '/grafana/.*json$' -e '/topology.conf$')" 4 "guides, samples, Grafana's file"
is "$(files slurm-mesh-doc | grep -c -e '/slurm-mesh-doc/README.md$' -e '/slurm-mesh-doc/doc/rollout.md$')" 2 "README beside the guides that it names"
is "$(for p in slurm-mesh smesh slurm-mesh-doc; do files "$p"; done | sort | uniq -d)" "" "no file is in two packages"
is "$(for p in slurm-mesh smesh; do files "$p"; done | grep -e '/build/' -e '/tests/' -e '\.[oa]$')" "" "nor one that only a build needs"
dpkg-deb -x "$dir"/smesh_*.deb "$dir/out"
like "$("$dir/out/usr/bin/smesh" strategies)" 'snug' "smesh runs"
done_testing
