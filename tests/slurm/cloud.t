#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A pod whose slices are made when jobs get them: State=CLOUD, and etc/resume-slice.sh as ResumeProgram.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

pod="$(grep -A1 -E '^MeshType=v5e ' "$srcdir/etc/mesh-types.conf")
MeshName=flat Type=v5e Dims=4x2 Nodes=t[0-7]"
resume=$(mktemp -d)
# The script, with what a site puts into it: here a program that writes down what it sees.
cat >"$resume/make-slice" <<END
#!/bin/bash
echo "\$JOB_ID \$1 \$MESH_NAME \$MESH_BOX \$MESH_COORD \$MESH_JOB_CHIPS \$TPU_TOPOLOGY \$TPU_ACCELERATOR_TYPE" >>"$resume/made"
END
cat >"$resume/resume" <<END
#!/bin/bash
PATH=$PATH SMESH=$SMESH SLICE_PROGRAM=$resume/make-slice $srcdir/etc/resume-slice.sh "\$@" >>"$resume/log" 2>&1
END
chmod -R go+rX,u+x "$resume"
chmod 777 "$resume"
at_exit() { rm -rf "$resume"; }
cluster_start nodes=8 name='t[0-7]' select=select/cons_tres_mesh plugins="$builddir/plugins" \
	plugstack="$spank_plugin" loglevel=verbose topology="$pod" \
	nodelines='NodeName=t[0-7] CPUs=1 RealMemory=1000 State=CLOUD' \
	conf="SuspendProgram=/bin/true
ResumeProgram=$resume/resume
SuspendTime=100000
SuspendTimeout=1
ResumeTimeout=300
PrivateData=cloud" || exit

# PrivateData=cloud: those that are off are seen, too.
down() { [ "$(sinfo -h -N -o %t | grep -c '~')" = 8 ]; }
made() { grep -q "^$1 " "$resume/made" 2>/dev/null; }
scontrol update nodename='t[0-7]' state=power_down 2>/dev/null
wait_for 60 down
ok $? "all nodes are off"
id=$(sbatch --parsable -o /dev/null --exclusive --mesh-shape=v5e:4x4 --wrap 'sleep 60')
wait_for 60 made "$id"
like "$(cat "$resume/made" 2>/dev/null || cat "$resume/log")" "^$id t\[0-1,4-5\] flat 2x2 0,0 4,4 4x4 v5litepod-16$" \
	"ResumeProgram: the shape and the place of the slice"
second=$(sbatch --parsable -o /dev/null --exclusive --mesh-shape=v5e:2x4 --wrap 'sleep 60')
wait_for 60 made "$second"
like "$(tail -n 1 "$resume/made")" "^$second t\[(2,6|3,7)\] flat 1x2 [23],0 2,4 2x4 v5litepod-8$" "and of another, beside it"
is "$(cat "$resume/log")" "" "nothing was wrong"
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
