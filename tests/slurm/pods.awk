# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f pods.awk CABLES PLACEMENTS: of jobs that ran (JOB START END NODES), how many there were, how
# many pods they touched in the mean, and how many were given a pod of their own though one that was
# partly used had room. Pods: hosts that the cables with the most lanes join.
function find(x) { while (up[x] != x) x = up[x]; return x }

# hosts LIST: h[0-3,7],h9 into host[1..]
function hosts(list, n, i, part, name, range, from, to) {
	n = 0
	gsub(/\[[^\]]*\]/, "&", list)
	while (match(list, /^[^,\[]+(\[[^\]]*\])?/)) {
		name = substr(list, 1, RLENGTH)
		list = substr(list, RLENGTH + 2)
		if (!(i = index(name, "["))) {
			host[++n] = name
			continue
		}
		split(substr(name, i + 1, length(name) - i - 1), part, ",")
		for (k = 1; k in part; k++) {
			split(part[k], range, "-")
			from = range[1]; to = 2 in range ? range[2] : from
			for (from += 0; from <= to + 0; from++)
				host[++n] = substr(name, 1, i - 1) from
			delete range[2]
		}
		delete part
	}
	return n
}

FNR == NR && !/^#/ {
	for (i = 1; i <= 2; i++)
		if (!($i in up)) up[$i] = $i
	cable[++ncables] = $1 " " $2 " " $3
	if ($3 > most) most = $3
	next
}
FNR == NR { next }
FNR == 1 {
	for (i = 1; i <= ncables; i++) {
		split(cable[i], c, " ")
		if (c[3] == most) up[find(c[1])] = find(c[2])
	}
	for (h in up) { pod[h] = find(h); size[pod[h]]++; left[pod[h]]++ }
}
{
	for (j in ends)
		if (ends[j] + 0 <= $2 + 0) {
			m = hosts(nodes[j])
			for (i = 1; i <= m; i++) left[pod[host[i]]]++
			delete ends[j]
		}
	n = hosts($4); room = opened = touched = 0
	for (p in size)
		if (left[p] < size[p] && left[p] >= n) room = 1
	split("", seen)
	for (i = 1; i <= n; i++) {
		p = pod[host[i]]
		if (!(p in seen)) { seen[p] = 1; touched++; if (left[p] == size[p]) opened = 1 }
	}
	for (i = 1; i <= n; i++) left[pod[host[i]]]--
	ends[$1] = $3; nodes[$1] = $4; jobs++; all += touched; bad += room && opened
}
END { printf "%d %.3f %d\n", jobs, all / jobs, bad }
