#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What CONTRIBUTING.md says of code and a machine can tell: more than five parameters are a struct, lines
# have 100 columns and begin with tabs, and keywords have a blank behind them.
. "${srcdir:-.}/tests/tap.sh"

# long_functions FILE...: NAME COUNT of each declaration or definition outside of braces
long_functions() {
	# shellcheck disable=SC2016
	awk '
	function strip(line) {
		gsub(/\\./, "", line)
		gsub(/"[^"]*"|'"'[^']*'"'/, "0", line)
		gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, " ", line)
		sub(/\/\/.*/, "", line)
		if (sub(/\/\*.*/, "", line))
			comment = 1
		return line
	}
	function tell(head, name, n, depth, i, c) {
		if (head !~ /^[^=(]*[a-z_0-9]\(/)
			return
		name = head
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		for (i = length(name); i <= length(head); i++) {
			c = substr(head, i, 1)
			depth += c == "("
			depth -= c == ")"
			n += c == "," && depth == 1
		}
		if (n >= 5)
			print name, n + 1
	}
	FNR == 1 { comment = skip = braces = 0; head = "" }
	comment { if (!sub(/.*\*\//, "")) next; comment = 0 }
	skip || /^[ \t]*#/ { skip = /\\$/; next }
	{
		line = strip($0)
		if (braces && line !~ /[{}]/)
			next
		for (i = 1; i <= length(line); i++) {
			c = substr(line, i, 1)
			if (!braces && (c == "{" || c == ";")) {
				tell(head)
				head = ""
			} else if (!braces) {
				head = head c
			}
			braces += c == "{"
			braces -= c == "}"
		}
		head = head " "
	}' "$@" | sort -u
}

cat >"${TMPDIR:-/tmp}/style.$$.c" <<'EOF'
/* five(int a, int b, int c, int d, int e, int f) */
static int five(int a, int (*b)(int, int), int c, int d, int e)
{
	return six(a, b, c, d, e, 0); /* a
	comment { */
}
char brace = '{';
static const char *six(int a, int b,
	int c, int d, const char *e, int f)
{
}
EOF
is "$(long_functions "${TMPDIR:-/tmp}/style.$$.c")" "six 6" "parameters are counted"
rm -f "${TMPDIR:-/tmp}/style.$$.c"

# Signatures of others: Slurm's, MPI's, and the C library's that the clock of replays stands in for.
cd "$srcdir" || exit
# embed.awk has made the _js.c and _css.c.
mapfile -t files < <(find common plugin smesh contrib tests -name "*.[ch]" ! -name assets.c)
is "$(long_functions "${files[@]}" |
	grep -vE '^(select_p_job_test|pselect|recvfrom|sendto|MPI_[A-Za-z_]*) ')" "" "no function has more than five parameters"

# too_long FILE...: lines of more than 100 columns. Rows of macros are exempt: each is one line.
too_long() {
	# shellcheck disable=SC2016
	awk 'length() > 40 && !/\\$/ {
		columns = 0
		for (rest = $0; (tab = index(rest, "\t")); rest = substr(rest, tab + 1)) {
			columns += tab - 1
			columns += 8 - columns % 8
		}
		if (columns + length(rest) > 100)
			print FILENAME ":" FNR ": " $0
	}' "$@"
}
printf '\t%093d\n\t%092d\n' 0 0 >"${TMPDIR:-/tmp}/style.$$.c"
like "$(too_long "${TMPDIR:-/tmp}/style.$$.c")" "style.$$.c:1: "$'\t0*$' "a line of 101 columns is found, one of 100 is not"
rm -f "${TMPDIR:-/tmp}/style.$$.c"
is "$(too_long "${files[@]}")" "" "code has at most 100 columns"

# blanks FILE...: a keyword without a blank behind it, lines that begin with blanks, not tabs, a blank
# before the parameters of a function or a last semicolon, none before a last brace
blanks() {
	grep -nE '(^|[^[:alnum:]_])(if|for|while|switch)\(|^ +[^ *]|\)\{$|[[:alnum:]_)] ;$|^[a-z][^=/{]*[a-z0-9_] \([a-z][^*]*\)' "$@" |
		grep -vE '\\$|= \([a-z_]+\)\{$|\(struct [a-z_]+\)\{$'
}
printf '\tif(a)\n    b();\n/*\n * c\n */\n\tif (a)\n\t\telif(b);\nint c (int d)\nint e(int f){\n\treturn f ;\n\tg = (struct h){\n' \
	>"${TMPDIR:-/tmp}/style.$$.c"
is "$(blanks "${TMPDIR:-/tmp}/style.$$.c" | cut -d: -f1 | paste -sd' ')" "1 2 8 9 10" "blanks in wrong places are found"
rm -f "${TMPDIR:-/tmp}/style.$$.c"
is "$(blanks "${files[@]}")" "" "keywords have a blank behind them, and lines begin with tabs"
# A file that includes two headers with one guard loses one of them.
is "$(find common plugin smesh -name "*.h" -exec sed -n 's/^#ifndef \([A-Z_0-9]*_H\)$/\1/p' {} + | sort | uniq -d)" "" \
	"no two headers have the same guard"
is "$(tests/mutate --stale 2>&1)" "" "each change of tests/mutate finds its place"

done_testing
