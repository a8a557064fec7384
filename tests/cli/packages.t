#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What packages promise: Slurm's version in theirs, guides whose links lead somewhere, an
# installation that ends with the line of slurm.conf. The packages themselves: contrib/package.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$srcdir" || exit

# --- the version
like "$(cat contrib/debian/rules)" "dh_gencontrol -- -v'\\\$\(DEB_VERSION\)\+slurm\\\$\(SLURM_VERSION\)'" \
	"Debian: the version names Slurm's"
if command -v rpmspec >/dev/null; then
	sed 's/@PACKAGE_VERSION@/1.0.0/' contrib/slurm-mesh.spec.in >"$dir/slurm-mesh.spec"
	is "$(rpmspec -q --define 'slurm_version 22.05.8' --qf '%{name} %{version}\n' "$dir/slurm-mesh.spec" 2>"$dir/err")" \
		"slurm-mesh 1.0.0+slurm$(slurmctld -V 2>/dev/null | sed 's/^.* //')
smesh 1.0.0+slurm$(slurmctld -V 2>/dev/null | sed 's/^.* //')" "RPM: the version names Slurm's"
	printf '%%define PROJ_DELIM -ohpc\n%%define PROJ_NAME ohpc\n%%define OHPC_ADMIN /opt/ohpc/admin\n' \
		>"$dir/OHPC_macros"
	sed 's/@PACKAGE_VERSION@/1.0.0/' contrib/ohpc/slurm-mesh.spec.in >"$dir/ohpc.spec"
	is "$(rpmspec -q --define "_sourcedir $dir" --qf '%{name} %{group}\n' "$dir/ohpc.spec")" \
		"slurm-mesh-ohpc ohpc/rms" "OpenHPC: its names"
else
	skip "RPM: the version names Slurm's" "no rpmspec"
	skip "OpenHPC: its names" "no rpmspec"
fi
is "$(sed -n 's/^ *version("\(.*\)")$/\1/p' contrib/spack/packages/slurm-mesh/package.py)" \
	"$(sed -n 's/^slurm-mesh \([^,]*\), [0-9].*/\1/p' NEWS | head -n 1)" "Spack's recipe is for the last release"
is "$(printf 'include Makefile\n.list:;@printf "%%s\\n" $(DISTFILES)\n' |
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$builddir" -f - .list |
	while read -r path; do [ -e "$path" ] || [ -e "$builddir/$path" ] || echo "$path"; done)" "" \
	"what a tarball is to have is there"
# Lines of DISTFILES are files, and folders whose files all count.
top=$(git rev-parse --show-toplevel 2>/dev/null)
if [ -n "$top" ] && git -C "$top" ls-files --error-unmatch contrib/release >"$dir/out" 2>&1; then
	is "$(printf 'include Makefile\n.list:;@printf "%%s\\n" $(DISTFILES)\n' |
		env -u MAKEFLAGS -u MAKELEVEL make -s -C "$builddir" -f - .list | sed 's,^\./,,' >"$dir/dist"
		git -C "$top" ls-files | grep -v '^\.' | awk 'NR == FNR { has[$0]; next }
		{
			path = $0
			while (!(path in has) && sub("/[^/]*$", "", path))
				;
			if (!(path in has))
				print
		}' "$dir/dist" -)" "" "a tarball has what git has"
else
	skip "a tarball has what git has" "no clone of git"
fi
# rpmbuild -ta takes a tarball with one .spec only.
is "$(printf 'include Makefile\n.list:;@printf "%%s\\n" $(EXTRA_DIST) $(DIST_COMMON)\n' |
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$builddir" -f - .list | sed 's,.*contrib/,contrib/,' | sort -u |
	while read -r path; do [ -e "$path" ] || [ -e "$path.in" ] && find "$path" 2>/dev/null || echo "$path"; done |
	grep '\.spec$')" contrib/slurm-mesh.spec "a tarball has one .spec"
if command -v python3 >/dev/null; then
	python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' contrib/spack/packages/slurm-mesh/package.py
	ok $? "Spack's recipe is Python"
else
	skip "Spack's recipe is Python" "no python3"
fi

is "$(find contrib/spack -name repo.yaml)$(grep -l 'https://slurm.schedmd.com' contrib/*.spec.in contrib/ohpc/*.in \
	contrib/debian/control contrib/spack/packages/*/package.py)" contrib/spack/repo.yaml "homepages are this project's, Spack finds a repository"
# A package is made of a copy of the tree, which leaves out what git ignores: all that a build makes.
# (A release has no .gitignore.)
git init -q "$dir/ignoring"
if cp .gitignore "$dir/ignoring" 2>/dev/null; then
	is "$(cd "$builddir" && find . -path ./build -prune -o -type f \( -perm /111 -o -name '*.so' -o -name assets.c \) -print0 |
		xargs -0 grep -laP '^\x7fELF|^/\* Made by' | sed 's|^\./||' |
		git -C "$dir/ignoring" check-ignore --no-index -v -n --stdin | sed -n 's/^::\t//p')" "" \
		".gitignore has all programs that a build makes"
fi
# Between two releases the version is the next one's with ~dev, which packages sort before that.
is "$(sed -n '1s/^slurm-mesh \(.*\), not released$/\1~dev/p; 1s/^slurm-mesh \([^,]*\), [0-9].*/\1/p' NEWS)" \
	"$("$SMESH" -V | sed 's/smesh //')" "NEWS begins with this version"
is "$(sed -n '1s/^slurm-mesh (\(.*\)) .*/\1/p' contrib/debian/changelog)" "$("$SMESH" -V | sed 's/smesh //')" "and so does Debian's changelog"
is "$(grep -c ', not released$' NEWS)" "$(head -n 1 NEWS | grep -c ', not released$')" "what is not released is at its head"
# Two tar balls of one state: files touched, in another order.
packed() {
	printf 'include Makefile\n.pack:;@cd %q && tardir=pack && $(am__tar) | sha256sum\n' "$dir" |
		env -u MAKEFLAGS -u MAKELEVEL SOURCE_DATE_EPOCH=1 make -s -C "$builddir" -f - .pack
}
mkdir -p "$dir/pack"
touch "$dir/pack/a" "$dir/pack/b"
first=$(packed)
rm "$dir/pack/a"
touch -d yesterday "$dir/pack/b"
touch "$dir/pack/a"
like "$first $(packed)" '^([0-9a-f]{64})  - \1  -$' "a tar ball is the same again"

out=$(contrib/package --help)
is $? 0 "contrib/package --help ends well"
like "$out" 'debhelper.*slurm-mesh-doc.*nocheck' "and says what it needs, makes and can leave out"
out=$(contrib/package --no-such 2>/dev/null)
is "$? $out" "1 " "what it does not know ends with 1"

# --- the guides, laid out as the package has them
doc=$dir/usr/share/doc/slurm-mesh-doc
while read -r from to; do
	mkdir -p "$dir/$to"
	# shellcheck disable=SC2086
	cp -r $from "$dir/$to"
done <contrib/debian/slurm-mesh-doc.install
broken() {
	local file link
	find "$doc" -name '*.md' | while read -r file; do
		grep -v '^    ' "$file" | grep -o ']([^):#]*[^)]*)' | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' | grep -v -e '^[a-z]*:' -e '^$' |
			while read -r link; do
				[ -e "$(dirname "$file")/$link" ] || echo "${file#"$doc"/}: $link"
			done
	done
}
is "$(broken)" "" "links of the installed guides lead somewhere"
# debhelper puts .docs of a package NAME-doc into the folder of NAME: away from the guides.
is "$(ls contrib/debian/*.docs 2>/dev/null)" "" "README lies beside the guides that it names"
like "$(cat contrib/debian/rules)" 'dh_compress -X.md' "and what they lead to is not compressed"

# --- the end of make install
if [ -e "$builddir/plugins/select_mesh.so" ]; then
	# With DESTDIR: libdir may be the system's own, as in packages.
	plugins=$(printf 'include Makefile\n.list:;@echo $(plugindir)\n' | env -u MAKEFLAGS -u MAKELEVEL make -s -C "$builddir" -f - .list)
	last=$(env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$builddir" install DESTDIR="$dir/inst" 2>/dev/null | tail -3)
	like "$last" "^    PluginDir=$plugins:/" "make install ends with the line of slurm.conf"
	like "$last" $'\n'"    optional $plugins/spank_mesh.so order=auto\$" "and with that of plugstack.conf"
	grep -q "$plugins" "$(find "$dir/inst" -name select_mesh.7)"
	ok $? "select_mesh(7) names the true directory"
else
	skip "make install ends with the line of slurm.conf" "no plugins here"
	skip "and with that of plugstack.conf" "no plugins here"
	skip "select_mesh(7) names the true directory" "no plugins here"
fi

done_testing
