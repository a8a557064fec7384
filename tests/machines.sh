# SPDX-License-Identifier: GPL-2.0-or-later
# The machines of doc/which-machine.md, for tests: source it.
# shellcheck shell=bash

page=$srcdir/doc/which-machine.md

# machines: the titles of those that have lines
machines() { sed -n 's/^## //p' "$page"; }

# lines_of TITLE PATTERN: the lines to copy that begin with it
lines_of() {
	sed -n "/^## $1\$/,/^## /p" "$page" | sed -n "s/^    \(\($2\).*\)/\1/p"
}
