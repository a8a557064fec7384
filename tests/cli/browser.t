#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages in a real browser: desktop and phone, light and dark, machines of 1 to 6 dimensions.
# Pictures of each are left in the build tree's browser/ to be looked at.
. "$srcdir/tests/tap.sh"

browser=$(command -v chromium || command -v chromium-browser)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
shots=$builddir/browser
mkdir -p "$shots"

# in_frame PAGE NAME WIDTH light|dark: what tests/cli/probe.js says of the page in a frame so wide
in_frame() {
	local page=$dir/framed.html frame=$dir/frame.html
	{ cat "$1"; echo '<script>'; cat "$srcdir/tests/cli/probe.js"; echo '</script>'; } >"$page"
	cat >"$frame" <<-END
		<!DOCTYPE html><body style="margin:0"><pre id="said" hidden></pre>
		<iframe src="file://$page" style="border:0;width:${3}px;height:$(($3 < 500 ? 844 : 1500))px"></iframe>
		<script>addEventListener("message", e => document.getElementById("said").textContent = e.data)</script>
	END
	set -- "$@" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$dir/profile" \
		--window-size=$(($3 < 500 ? 500 : $3)),1500 --virtual-time-budget=5000
	[ "$4" = dark ] && set -- "$@" --force-dark-mode
	timeout 120 "$browser" "${@:5}" --screenshot="$shots/$2-$3-$4.png" "file://$1" >/dev/null 2>&1
	timeout 120 "$browser" "${@:5}" --enable-logging=stderr --dump-dom "file://$frame" 2>"$dir/console" |
		sed -n 's/.*<pre id="said"[^>]*>\([^<]*\)<.*/\1/p'
	grep -o 'Uncaught [^"]*' "$dir/console"
}

good='large=true contrast=true script=ready fits=true maps=2 together=true colourful=true apart=true unclipped=true tip=true slides=true told=true keys=true plays=true gantt=true'
good+=' sorts=true rows=2 sticks=true table=true charts=true'
# page NAME DIMS [NODES A VERTEX]: a simulation of it
page() {
	local per=${3:-1}
	echo "MeshName=$1 Dims=$2 Wrap=all NodesPerVertex=$per Nodes=n[0-$((${2//x/*} * per - 1))]" >"$dir/$1.conf"
	"$SMESH" sim -t "$dir/$1.conf" -s linear,hilbert-bf --generate lublin --jobs 300 --load 0.9 --hops-only \
		--html "$dir/$1.html" >/dev/null 2>&1
}

if [ -z "$browser" ]; then
	for what in "a report on a desktop, light" "on a phone, dark" line plane cube rooms six many map all verdict; do
		skip "$what" "no chromium"
	done
	done_testing
fi

page torus 8x4x4
for width in 1280 390; do
	for mode in light dark; do
		is "$(in_frame "$dir/torus.html" torus $width $mode)" "$good" "a report, $width pixels wide, $mode"
	done
done
cmp -s "$shots/torus-1280-light.png" "$shots/torus-1280-dark.png"
is $? 1 "dark is another picture than light"
page line 500
is "$(in_frame "$dir/line.html" line 1280 light)" "$good" "one dimension"
page plane 32x16
is "$(in_frame "$dir/plane.html" plane 390 light)" "$good" "two dimensions, on a phone"
page cube 24x24x24
is "$(in_frame "$dir/cube.html" cube 1280 light)" "$good" "24x24x24"
page rooms 4x4x3x2
is "$(in_frame "$dir/rooms.html" rooms 390 dark)" "$good" "four dimensions, on a phone"
page six 4x3x2x2x2x2
is "$(in_frame "$dir/six.html" six 1280 light)" "$good" "six dimensions"
page many 4x4x4 48
is "$(in_frame "$dir/many.html" many 1280 light)" "$good vertices=true" "48 nodes a vertex, with lines between vertices"

"$SMESH" sim -t "$dir/torus.conf" -s all --generate lublin --jobs 100 --hops-only --html "$dir/all.html" >/dev/null
is "$(in_frame "$dir/all.html" all 1280 light)" "${good/rows=2/rows=8}" "all strategies: nothing is cut off"
is "$(grep -o 'data-view="[^"]*"' "$dir/all.html" | wc -l) $(grep -c 'tr class="rest"' "$dir/all.html")" \
	"8 $(($("$SMESH" strategies | grep -c '^[a-z0-9]') - 8))" "eight are drawn, the rest is grey"

"$SMESH" sim -t "$dir/rooms.conf" -s linear,snug --generate lublin --jobs 200 --load 0.9 --contention=mix \
	--html "$dir/links.html" >/dev/null 2>&1
is "$(in_frame "$dir/links.html" links 1280 light)" "$good links=2,true,true axes=true" "with contention: how full links were, and one time in all charts"
is "$(in_frame "$dir/links.html" links 390 dark)" "$good links=2,true,true axes=true" "the same on a phone"
like "$(sed '/<script/,$d' "$dir/links.html" | grep -o '<b>snug</b> <span>mean.*')" \
	'mean 0\.[0-9]+, fullest [0-9]\.[0-9]+: from \([0-9,]+\) (up|down) [xyzu]<' "the figures of them need no script"

"$SMESH" verdict -t "$dir/torus.conf" --repeat 2 --html "$dir/verdict.html" "$srcdir/etc/workloads/lublin.swf" >/dev/null 2>&1
is "$(in_frame "$dir/verdict.html" verdict 1200 light)" "$good links=2,true,true axes=true" "a verdict, with its intervals: all columns are there"

done_testing
