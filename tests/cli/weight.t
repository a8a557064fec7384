#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How many lines of ours a plugin loads: the files of the objects that were linked into it, and the
# headers that these include. A number that grows has to be worth it; change the limit here then.
. "${srcdir:-.}/tests/tap.sh"
cd "$builddir" || exit
[ -e plugins/select_mesh.so ] || {
	echo "1..0 # SKIP there are no plugins"
	exit 0
}

# Debian's build makes no lists of what objects depend on.
depend=$(find plugin common -name '*.Po' -size +100c -print -quit)

# members: SYMBOL OBJECT of all libraries
members=$(nm -A -g --defined-only ./*.a 2>/dev/null | sed -n 's/^[^:]*:\([^:]*\):.* [A-Z] \(.*\)/\2 \1/p' | sort)

# files PLUGIN: of the objects that it has of libraries, and of its own
files() {
	local object
	{
		nm "plugins/$1.so" | awk 'NF == 3 && tolower($2) ~ /[tdbr]/ { print $3 }' | sort -u |
			join - <(echo "$members") | awk '{ print $2 }'
		# shellcheck disable=SC2016
		printf 'include Makefile\n.list:;@basename -a $(plugins_%s_so_OBJECTS)\n' "$1" | make -s -f - .list
	} | sort -u | while read -r object; do
		find plugin common smesh -name "${object%.o}.Po" -exec cat {} +
	done | tr -s ' \\' '\n\n' | sed 's|^\./||; s|:$||' | grep -E '^(common|plugin)/.*\.[ch]$' | sort -u
}

# weigh PLUGINS LIMIT CODE: what several have in common counts once
weigh() {
	local plugin list lines code
	[ -n "$depend" ] || { skip "$1 loads at most $2 lines" "built without dependency tracking"; return; }
	list=$(for plugin in $1; do files "$plugin"; done | sort -u)
	lines=$(xargs cat <<<"$list" | wc -l)
	code=$(xargs cat <<<"$list" | grep -cvE '^[[:blank:]]*(/?\*.*)?$')
	echo "# $1: $lines lines, $code of them neither blank nor a comment"
	[ "$lines" -gt 4000 ] && [ "$lines" -le "$2" ] && [ "$code" -le "$3" ]
	ok $? "$1 loads at most $2 lines, $3 of code"
}
weigh select_mesh 19940 14310
weigh spank_mesh 8680 6200
weigh spank_mesh_user 5040 3500
weigh spank_mesh_more 10040 7010
# srun, where the site has order=auto
weigh "spank_mesh spank_mesh_user" 11070 7940
# srun with any order, or learning; slurmctld with boxes, or a strategy of papers
weigh "spank_mesh spank_mesh_user spank_mesh_more" 16750 12000
weigh "select_mesh mesh_strategies_papers" 30290 21840
weigh mesh_strategies_papers 14950 10670
# A plugin is linked with what it does not find left open: Slurm has to have that, or slurmctld ends
# when it first calls it.
PATH=$PATH:/usr/sbin:/sbin
slurm=$(type -P slurmctld srun)
for plugin in plugins/*.so; do
	[ -n "$slurm" ] || break
	# shellcheck disable=SC2046,SC2086
	is "$(nm -D --undefined-only "$plugin" | awk '$NF !~ /@|^_/ { print $NF }' | sort -u | comm -23 - \
		<(nm -D --defined-only $slurm $(ldd $slurm | awk '/libslurm/ { print $3 }') |
			awk '{ print $NF }' | sort -u))" "" "$plugin lacks nothing"
done
done_testing
