#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# topology.conf as an attack on slurmctld, which reads it while everybody waits: one line of
# complaint in little time, memory that is bounded, and the old map (or the stock choice) goes on.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=4 topology='MeshName=m Dims=2x2 Nodes=n[0-3]' || exit
map=$cluster_dir/map
good='MeshName=m Dims=2x2 Nodes=n[0-3]'
echo "$good" >"$map"
cluster_set params="mesh_conf=$map" && reconfigure
ok $? "a map of its own name is read"
job=$(submit 2 300)
started "$job" >/dev/null

complaints() {
	ctld_complaints "$mark" '(error|fatal): select/mesh'
}
complained() { [ -n "$(complaints)" ]; }
peak() { awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/${cluster_pid[slurmctld]}/status"; }
# All processor time of slurmctld, in hundredths of a second: what else the machine does is not counted.
processor() { awk '{ print $14 + $15 }' "/proc/${cluster_pid[slurmctld]}/stat"; }

# attack NAME PATTERN: what stands at $map now is complained about, and nothing else happens
attack() {
	local name=$1 pattern=$2 before after began took
	mark=$(ctld_log_lines)
	before=$(peak)
	began=$(processor)
	timeout 20 scontrol reconfigure
	ok $? "$name: scontrol reconfigure returns"
	wait_for 10 complained
	took=$(($(processor) - began))
	[ "$took" -lt 300 ]
	ok $? "$name: three seconds of processor time at most ($took hundredths)"
	is "$(complaints | wc -l)" 1 "$name: one line"
	like "$(complaints)" "$pattern.*; $(instead_of_broken)" "$name: which is clear"
	after=$(peak)
	[ $((after - before)) -lt 256 ]
	ok $? "$name: bounded memory ($before, then $after MiB)"
	is "$(job_state "$job")" RUNNING "$name: what ran runs"
	rm -rf "$map" "$map".*
}

# bytes N CHARACTER
bytes() { head -c "$1" /dev/zero | tr '\0' "$2"; }

rm -f "$map" && mkfifo "$map"
attack "a FIFO" "$map: not a regular file"
mkdir "$map"
attack "a directory" "$map: not a regular file"
ln -s /dev/zero "$map"
attack "a link to /dev/zero" "$map: not a regular file"
# Root may read all files but such.
ln -s /proc/self/mem "$map"
attack "a file that cannot be read" "$map: Input/output error"
if [ "$(id -u)" -ne 0 ]; then
	echo "$good" >"$map" && chmod 0 "$map"
	attack "a file that may not be read" "$map: Permission denied"
fi
truncate -s 1G "$map"
attack "1 GiB" "$map: larger than 64 MiB"
ln -s map "$map"
attack "a link to itself" "$map: Too many levels of symbolic links"
printf '# one\n%s \0 Order=x\n' "$good" >"$map"
attack "a NUL byte" "$map:2: a NUL byte"
echo "$good Order=/dev/zero" >"$map"
attack "Order=/dev/zero" "/dev/zero: not a regular file"
echo "$good Order=map.order" >"$map" && mkfifo "$map.order"
attack "Order= a FIFO" "map.order: not a regular file"
{ printf 'MeshName=m Dims=2x2 Nodes=' && bytes 100000000 x; } >"$map"
attack "a line of 100 MB" "$map: larger than 64 MiB"
{ printf 'MeshName=m Dims=2x2 Nodes=' && bytes 60000000 x; } >"$map"
attack "a line of 60 MB" "$map:1: Nodes=: not a host list"
echo 'MeshName=m Dims=4294967298x4294967298 Nodes=n[0-3]' >"$map"
attack "sides beyond 32 bits" "$map:1: Dims="
echo 'MeshName=m Dims=32767x32767x32767x32767x2x2 Nodes=n[0-3]' >"$map"
attack "a product beyond 64 bits" "$map:1: Dims="

# ---- The same at a start: it ends with one line, and the jobs are there when it is mended ----
slurmctld_stop TERM
mkfifo "$map"
mark=$(ctld_log_lines)
timeout 20 slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 </dev/null
code=$?
[ "$code" -ne 0 ] && [ "$code" -lt 124 ]
ok $? "a FIFO at a start: slurmctld ends with an error (exit code $code)"
is "$(complaints | wc -l)" 1 "a FIFO at a start: one line"
rm "$map" && ln -s "$cluster_dir/topology.conf" "$map"
slurmctld_start
ok $? "a link to a map is as good as the map"
is "$(job_state "$job")" RUNNING "and the job still runs"
done_testing
