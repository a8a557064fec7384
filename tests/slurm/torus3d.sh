# SPDX-License-Identifier: GPL-2.0-or-later
# A machine for topology/torus3d of Slurm 26.05.
# shellcheck shell=bash

# placements SHAPES: those of topology.conf, as topology.yaml has them
placements() {
	tr , '\n' <<<"$1" | awk -F'[@+]' '
		function triple(text, c) {
			split(text, c, "x")
			return "{x: " c[1] ", y: " (c[2] == "" ? c[1] : c[2]) ", z: " (c[3] == "" ? c[1] : c[3]) "}"
		}
		{
			print "          - dims: " triple($1)
			if (NF > 1) print "            anchor_spacing: " triple($2)
			if (NF > 2) print "            anchor_seed: " triple($3)
		}'
}

# torus3d_yaml DIMS NODES SHAPES: its topology.yaml, for n[0-(NODES-1)]
torus3d_yaml() {
	local x y z
	IFS=x read -r x y z <<<"$1"
	cat <<-YAML
		- topology: torus
		  cluster_default: true
		  torus3d:
		    toruses:
		      - name: m
		        dims: {x: $x, y: $y, z: $z}
		        nodes: n[0-$(($2 - 1))]
		        placements:
		$(placements "$3")
	YAML
}
