# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting, for scripts with daemons or containers: source it in bash.
# shellcheck shell=bash

# wait_for SECONDS COMMAND...: until the command succeeds; 1 if it never does. SECONDS are those
# of an idle machine: a busy one gets three times as long.
wait_for() {
	local end=$((SECONDS + 3 * $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}
