# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting, for scripts with daemons or containers: source it in bash.
# shellcheck shell=bash

# A pipe to which nobody writes: to wait at it starts no program.
exec {wait_pipe}<> <(:)

# wait_for SECONDS COMMAND...: until the command succeeds; 1 if it never does. SECONDS are those
# of an idle machine: a busy one gets three times as long.
wait_for() {
	local end=$((SECONDS + 3 * $1)) began pause
	shift
	while began=${EPOCHREALTIME/[.,]/} && ! "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		# Scripts run side by side, and looking starts programs: it has a sixth of the time.
		pause=$((5 * (${EPOCHREALTIME/[.,]/} - began)))
		[ "$pause" -ge 100000 ] || pause=100000
		[ "$pause" -le 800000 ] || pause=800000
		read -rt "0.$pause" -u "$wait_pipe" || :
	done
}
