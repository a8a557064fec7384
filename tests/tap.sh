# SPDX-License-Identifier: GPL-2.0-or-later
# TAP for shell tests: source it, call the checks, end with done_testing.
# shellcheck shell=bash

tap_count=0
tap_failed=0

# ok STATUS NAME: a check that has been made
ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		tap_failed=$((tap_failed + 1))
	fi
}

# is GOT WANTED NAME
is() {
	[ "$1" = "$2" ]
	ok $? "$3"
	[ "$1" = "$2" ] || printf '#   got:    %s\n#   wanted: %s\n' "${1//$'\n'/$'\n'#   }" "${2//$'\n'/$'\n'#   }"
}

# like GOT PATTERN NAME: PATTERN is an extended regular expression
like() {
	[[ $1 =~ $2 ]]
	ok $? "$3"
	[[ $1 =~ $2 ]] || printf '#   got:     %s\n#   pattern: %s\n' "${1//$'\n'/$'\n'#   }" "$2"
}

# skip NAME REASON
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# side_by_side COMMAND...: each a line of shell in a shell of its own, all at once; what they check is
# told in this order
side_by_side() {
	local dir command pids=() i
	dir=$(mktemp -d)
	for command; do
		(eval "$command"; exit 0) >"$dir/${#pids[@]}" &
		pids+=($!)
	done
	for i in "${!pids[@]}"; do
		wait "${pids[i]}" || echo "not ok - ${*:i+1:1}: ended with status $?" >>"$dir/$i"
		retell <"$dir/$i"
	done
	rm -rf "$dir"
}

# retell: checks of another shell as ours
retell() {
	local line
	while IFS= read -r line; do
		if [[ $line =~ ^(not\ )?ok\ ([0-9]*\ )?-\ (.*) ]]; then
			tap_count=$((tap_count + 1))
			[ -z "${BASH_REMATCH[1]}" ] || tap_failed=$((tap_failed + 1))
			line="${BASH_REMATCH[1]}ok $tap_count - ${BASH_REMATCH[3]}"
		fi
		printf '%s\n' "$line"
	done
}

# slurm_stub DIR: makes plugins there that can be loaded and do nothing, and prints the lines that
# slurm.conf needs besides those that a test is about
slurm_stub() {
	local name
	mkdir -p "$1"
	echo 'const unsigned plugin_version = 0x160508;' | "${CC:-cc}" -shared -x c - -o "$1/auth_munge.so"
	for name in select_mesh select_cons_tres select_linear topology_mesh mesh_strategies_papers; do
		cp "$1/auth_munge.so" "$1/$name.so"
	done
	printf '%s\n' ClusterName=c SlurmctldHost=localhost SelectTypeParameters=CR_Core "PluginDir=$1"
}

done_testing() {
	echo "1..$tap_count"
	exit $((tap_failed > 0))
}

# fails CODE PATTERN NAME COMMAND...: it exits with CODE, says PATTERN on standard error and
# nothing on standard output
fails() {
	local code=$1 pattern=$2 name=$3 out err got
	shift 3
	err=$(mktemp)
	out=$("$@" 2>"$err")
	got=$?
	is "$got" "$code" "$name: exit code"
	like "$(cat "$err")" "$pattern" "$name: message"
	is "$out" "" "$name: nothing on standard output"
	rm -f "$err"
}
