# SPDX-License-Identifier: GPL-2.0-or-later
# A row of the table of stream.sh. Input: lines WANTED SUBMIT START END NODE,NODE,...
BEGIN { n = 0 }

{
	wanted[n] = $1; submitted[n] = $2; started[n] = $3; ended[n] = $4; list[n] = $5
	wait[n] = $3 - $2; waits += wait[n]; work += $1 * ($4 - $3)
	if (!first || $2 < first) first = $2
	if ($2 > last) last = $2
	if ($4 > finish) finish = $4
	k = split($5, node, ",")
	if (k > 1) { hops += mean_hops(node, k); many++ }
	n++
}

function ring(d, side) { d = d < 0 ? -d : d; return d > side - d ? side - d : d }

function hops_between(i, j,   x, y, z) {
	x = ring(i % X - j % X, X)
	y = ring(int(i / X) % Y - int(j / X) % Y, Y)
	z = ring(int(i / X / Y) - int(j / X / Y), Z)
	return x + y + z
}

function mean_hops(node, k,   i, j, sum) {
	for (i = 1; i <= k; i++)
		for (j = 1; j < i; j++)
			sum += hops_between(node[i], node[j])
	return sum / (k * (k - 1) / 2)
}

# All boxes, the largest first.
function list_boxes(   a, b, c, i, j, t) {
	for (a = 1; a <= X; a++) for (b = 1; b <= Y; b++) for (c = 1; c <= Z; c++) {
		box[++boxes] = a " " b " " c
		size[boxes] = a * b * c
	}
	for (i = 2; i <= boxes; i++)
		for (j = i; j > 1 && size[j] > size[j - 1]; j--) {
			t = size[j]; size[j] = size[j - 1]; size[j - 1] = t
			t = box[j]; box[j] = box[j - 1]; box[j - 1] = t
		}
}

function is_free(x, y, z, side,   a, b, c) {
	for (c = 0; c < side[3]; c++) for (b = 0; b < side[2]; b++) for (a = 0; a < side[1]; a++)
		if (busy[(x + a) % X + X * ((y + b) % Y + Y * ((z + c) % Z))] > 0)
			return 0
	return 1
}

function largest_free(free,   i, x, y, z, side) {
	for (i = 1; i <= boxes; i++) {
		if (size[i] > free)
			continue
		split(box[i], side, " ")
		for (z = 0; z < Z; z++) for (y = 0; y < Y; y++) for (x = 0; x < X; x++)
			if (is_free(x, y, z, side))
				return size[i]
	}
	return 0
}

# Walk the seconds in which something happens.
function walk(   t, next_t, i, k, m, node, free, taken, change, happens, events, used, share, seconds) {
	for (i = 0; i < n; i++) {
		change[started[i]] = change[started[i]] " " i
		change[ended[i]] = change[ended[i]] " -" i
	}
	free = X * Y * Z
	for (t = first; t < last; t++) {
		if (t in change) {
			m = split(change[t], events, " ")
			for (i = 1; i <= m; i++) {
				k = split(list[substr(events[i], 1, 1) == "-" ? substr(events[i], 2) : events[i]], node, ",")
				for (; k >= 1; k--) {
					busy[node[k]] += substr(events[i], 1, 1) == "-" ? -1 : 1
					free += substr(events[i], 1, 1) == "-" ? 1 : -1
				}
				if (substr(events[i], 1, 1) == "-") used -= wanted[substr(events[i], 2)]
				else used += wanted[events[i]]
			}
			box_now = free > 0 ? largest_free(free) / free : -1
		} else if (t == first)
			box_now = 1
		use += used
		if (box_now >= 0) { share += box_now; seconds++ }
	}
	utilisation = last > first ? use / ((last - first) * X * Y * Z) : 0
	free_box = seconds ? share / seconds : 0
}

function percentile(   i, j, t) {
	for (i = 1; i < n; i++)
		for (j = i; j > 0 && wait[j] < wait[j - 1]; j--) {
			t = wait[j]; wait[j] = wait[j - 1]; wait[j - 1] = t
		}
	return wait[int(0.95 * (n - 1) + 0.5)]
}

END {
	while ((getline line < refused) > 0) {
		split(line, f, " "); lost++; lost_work += f[1] * f[2]
	}
	while ((getline line < never) > 0) lost++
	getline line < ticks
	split(line, f, " ")
	if (!n) { printf "| %s | 0 | %d | | | | | | | | |\n", who, lost; exit }
	list_boxes()
	walk()
	printf "| %s | %d | %d | %.1f %% | %.1f | %d | %d | %.3f | %.3f | %.3f | %.1f |\n", who, n, lost,
		100 * lost_work / (work + lost_work), waits / n, percentile(), finish - first, utilisation,
		free_box, many ? hops / many : 0, 1000 * f[1] / f[2] / n
}
