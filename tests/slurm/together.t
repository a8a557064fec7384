#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# select/mesh together with topology/mesh: what is promised of select/mesh alone holds. Each
# script prints a plan of its own. TOGETHER='requests faults ...' names others.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
slurm_is -ge 24.05 || {
	echo "1..0 # SKIP topology plugins choose no nodes before Slurm 24.05"
	exit 0
}
status=0
for script in ${TOGETHER:-boxes reload}; do
	echo "# $script.t with topology/mesh"
	TOPOLOGY=topology/mesh "$srcdir/tests/slurm/$script.t" || status=1
done
exit $status
