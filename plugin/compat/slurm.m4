dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl MESH_SLURM_SRC: --with-slurm-src=DIR, Slurm's internal headers for the plugins.
dnl
dnl They must be those of the installed Slurm to the last digit: the loader refuses other
dnl versions, and structs do change between micro versions. SLURM_SRC is the tree, SLURM_BUILD
dnl where its config.h is: the tree itself if it has been configured, else slurm-build/ here,
dnl where its configure is run (half a minute; it is not compiled).

# The version of the Slurm that is installed, from its daemon or its headers.
AC_DEFUN([MESH_SLURM_INSTALLED], [
  AC_PATH_PROGS([SLURMCTLD], [slurmctld], [], [$PATH:/usr/sbin:/usr/local/sbin:/sbin])
  slurm_installed=
  AS_IF([test -n "$SLURMCTLD"],
    [slurm_installed=`$SLURMCTLD -V | sed 's/^.* //'`],
    [AC_COMPUTE_INT([slurm_number], [SLURM_VERSION_NUMBER], [@%:@include <slurm/slurm_version.h>], [slurm_number=0])
     AS_IF([test "$slurm_number" -gt 0],
       [slurm_installed=`printf '%d.%02d.%d' $((slurm_number >> 16)) \
         $((slurm_number >> 8 & 255)) $((slurm_number & 255))`])])
])

# What configure is run with as in Debian's package (debian/rules), as far as headers matter.
AC_DEFUN([MESH_SLURM_CONFIGURE], [
  AC_MSG_NOTICE([running Slurm's configure in slurm-build])
  AS_MKDIR_P([slurm-build])
  (cd slurm-build && "$SLURM_SRC/configure" --sysconfdir=/etc/slurm --with-munge --without-rpath \
     --disable-debug --enable-multiple-slurmd >configure.out 2>&1) ||
    AC_MSG_ERROR([Slurm's configure failed: see slurm-build/configure.out and slurm-build/config.log.
    On Debian: apt build-dep slurm-wlm, or at least: apt install libmunge-dev])
  SLURM_BUILD=`cd slurm-build && pwd`
])

# slurm_ops.h: Slurm's own structs of plugin functions and the names it asks for, which are
# private to its .c files: what our functions are held against at compile time.
AC_DEFUN([MESH_SLURM_OPS], [
  AC_MSG_NOTICE([creating slurm-ops/slurm_ops.h from Slurm's source])
  AS_MKDIR_P([slurm-ops])
  $AWK -f "$srcdir/plugin/compat/slurm_ops.awk" \
    `ls "$SLURM_SRC"/src/common/select.@<:@ch@:>@ "$SLURM_SRC/src/common/slurm_topology.c" \
      "$SLURM_SRC"/src/interfaces/select.@<:@ch@:>@ "$SLURM_SRC/src/interfaces/topology.c" 2>/dev/null` \
    >slurm-ops/slurm_ops.h ||
    AC_MSG_ERROR([the structs of plugin functions were not found in $SLURM_SRC])
])

AC_DEFUN([MESH_SLURM_CHECK], [
  SLURM_SRC=`cd "$with_slurm_src" 2>/dev/null && pwd`
  AS_IF([test -z "$SLURM_SRC"], [AC_MSG_ERROR([--with-slurm-src: there is no directory $with_slurm_src])])
  AS_IF([test ! -f "$SLURM_SRC/META" || test ! -f "$SLURM_SRC/src/slurmctld/slurmctld.h"],
    [AC_MSG_ERROR([--with-slurm-src: $SLURM_SRC is not a Slurm source tree (no META or no src/slurmctld/slurmctld.h).
    On Debian: --with-slurm-src="$(contrib/slurm-source)"])])
  MESH_SLURM_INSTALLED
  AS_IF([test -z "$slurm_installed"],
    [AC_MSG_ERROR([no installed Slurm was found to build plugins for (Debian: apt install slurmctld)])])
  slurm_source=`sed -n 's/^@<:@@<:@:blank:@:>@@:>@*Version:@<:@@<:@:blank:@:>@@:>@*//p' "$SLURM_SRC/META"`
  dnl As slurmctld -V has it: 26.05.3 (its release is 1), 26.05.4-0pre1
  slurm_release=`sed -n 's/^@<:@@<:@:blank:@:>@@:>@*Release:@<:@@<:@:blank:@:>@@:>@*\(0\.\)\{0,1\}//p' "$SLURM_SRC/META"`
  AS_CASE([$SLURMCTLD:$slurm_release], [:* | *:1 | *:], [], [slurm_source=$slurm_source-$slurm_release])
  AS_IF([test "x$slurm_source" != "x$slurm_installed"],
    [AC_MSG_ERROR([--with-slurm-src: $SLURM_SRC is Slurm $slurm_source, but Slurm $slurm_installed is installed.
    Plugins must be built against the very same version (on Debian --with-slurm-src="$(contrib/slurm-source)" names it)])])
  AS_IF([test -f "$SLURM_SRC/config.h" && test -f "$SLURM_SRC/slurm/slurm_version.h"],
    [SLURM_BUILD=$SLURM_SRC],
    [test -f slurm-build/config.h && test "x`cat slurm-build/.of 2>/dev/null`" = "x$SLURM_SRC $slurm_source"],
    [SLURM_BUILD=`cd slurm-build && pwd`],
    [MESH_SLURM_CONFIGURE
     echo "$SLURM_SRC $slurm_source" >slurm-build/.of])
  MESH_SLURM_OPS
  # Where libslurmfull and Slurm's own plugins are.
  SLURM_PLUGIN_DIR=`test -z "$SLURMCTLD" ||
    ldd "$SLURMCTLD" | sed -n 's,.*=> \(/.*\)/libslurmfull.*,\1,p'`
  AC_MSG_NOTICE([plugins for Slurm $slurm_installed from $SLURM_SRC])
])

AC_DEFUN([MESH_SLURM_SRC], [
  AC_ARG_WITH([slurm-src], [AS_HELP_STRING([--with-slurm-src=DIR],
    [Slurm's source, configured or not, of the version installed: build the plugins too])],
    [], [with_slurm_src=no])
  AS_CASE([$with_slurm_src],
    [no], [],
    [yes], [AC_MSG_ERROR([--with-slurm-src wants a directory (on Debian --with-slurm-src="$(contrib/slurm-source)" names it)])],
    [MESH_SLURM_CHECK])
  AC_SUBST([SLURM_SRC])
  AC_SUBST([SLURM_BUILD])
  AC_SUBST([SLURM_PLUGIN_DIR])
  AM_CONDITIONAL([SLURM_PLUGINS], [test -n "$SLURM_BUILD"])
  dnl topology plugins choose nodes from 24.05 on
  AM_CONDITIONAL([TOPOLOGY_MESH], [test -n "$SLURM_BUILD" && ! expr "x$slurm_source" : 'x2@<:@23@:>@\.' >/dev/null])
  dnl tests/replay/standin is linked with Slurm's own libslurmfull
  AM_CONDITIONAL([SLURM_STANDIN], [test -n "$SLURM_BUILD" && test -n "$SLURM_PLUGIN_DIR"])
])
