/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over counts of free nodes, for one width. COUNT is the type of a count, SIGNED its
 * signed type, and WIDTH() makes the name of a function. snug_sweep.c includes this file once for
 * each width: boxes of up to INT16_MAX nodes take half as many vectors. Differences are modulo the
 * width: right at a base of a box, and meaningless elsewhere.
 */

/* to[i] = from[i + high] - from[i + low] */
MESH_VECTORISE static void WIDTH(difference)(COUNT *restrict to, const COUNT *restrict from,
	const struct offsets *offsets)
{
	const COUNT *restrict a = from + offsets->high, *restrict b = from + offsets->low;
	int64_t n = offsets->n;

	for (int64_t i = 0; i < n; i++)
		to[i] = (COUNT)(a[i] - b[i]);
}

/* to[i] = from[i + apart] - from[i]; returns the largest count at an open base. */
MESH_VECTORISE static struct found WIDTH(count_most)(COUNT *restrict to, const COUNT *restrict from,
	const COUNT *restrict open, int64_t apart, int n)
{
	const COUNT *restrict end = from + apart;
	SIGNED most = 0;
	COUNT any = 0;

	for (int i = 0; i < n; i++) {
		COUNT count = (COUNT)(end[i] - from[i]);
		SIGNED here = (SIGNED)(count & open[i]);

		to[i] = count;
		most = here > most ? here : most;
		any |= open[i];
	}
	return (struct found){most, any};
}

/* snug_bases_mark() for this width. */
MESH_VECTORISE static int WIDTH(mark)(const COUNT *restrict count, COUNT *restrict open,
	SIGNED want, uint8_t *restrict mark, int n)
{
	SIGNED marks = 0;

	for (int i = 0; i < n; i++) {
		SIGNED have = (SIGNED)(count[i] & open[i]) >= want ? -1 : 0;

		open[i] = (COUNT)(open[i] & ~(COUNT)have);
		mark[i] = (uint8_t)(have & 1);
		marks = (SIGNED)(marks - have);
	}
	return marks;
}

#undef COUNT
#undef SIGNED
#undef WIDTH
