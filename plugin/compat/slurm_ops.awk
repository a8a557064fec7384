# SPDX-License-Identifier: GPL-2.0-or-later
# From Slurm's sources to slurm_ops.h: its structs of plugin functions as slurm_own_KIND_ops_t
# and the names that it looks up as SLURM_OWN_KIND_SYMBOLS(S). Fails if one is not there.
BEGIN { print "/* Made by configure from Slurm's source. Not to be kept: it is Slurm's. */" }

/^typedef struct.*\{/ { text = ""; inside = 1 }
inside { text = text $0 "\n" }
inside && /^}/ {
	inside = 0
	if (match($0, /slurm_(select|topo)_ops_t/)) {
		kind = /select/ ? "select" : "topology"
		sub(/struct[ \t]*[a-z_]*/, "struct", text)
		sub(/slurm_[a-z]*_ops_t;/, "slurm_own_" kind "_ops_t;", text)
		printf "%s", text
		found++
	}
}

/^(static )?const char \*(node_select_)?syms\[\]/ {
	kind = FILENAME ~ /select/ ? "select" : "topology"
	printf "#define SLURM_OWN_%s_SYMBOLS(S)", toupper(kind)
	names = 1
	found++
}
names && /"/ { gsub(/[ \t",]/, ""); printf " S(%s)", $0 }
names && /^};/ { names = 0; print "" }

END { exit found != 4 }
