/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/embed_layout.h"

#include "base/axis.h"

int embed_layout_init(struct embed_layout *layout, struct arena *arena)
{
	for (int i = 0; i < layout->ndims; i++)
		arena_array(arena, layout->step[i], layout->factor[i]);
	return arena_array(arena, layout->place, layout->length) ? 0 : -1;
}

static int long_factors(const struct embed_layout *layout, int *which)
{
	int n = 0;

	for (int i = 0; i < layout->ndims; i++)
		if (layout->factor[i] > 1)
			which[n++] = i;
	return n;
}

int embed_layout_variants(const struct embed_layout *layout)
{
	int which[MESH_MAX_DIMS], n = long_factors(layout, which), count = 1;

	for (int i = 2; i <= n; i++)
		count *= 2 * i;
	return count;
}

/* Write order number `code` of n things. Returns what is left of the code. */
static int nth_order(int *item, int n, int code)
{
	for (int i = n; i > 1; i--) {
		int j = code % i, swap = item[i - 1];

		code /= i;
		item[i - 1] = item[j];
		item[j] = swap;
	}
	return code;
}

void embed_layout_nest(struct embed_layout *layout, int variant)
{
	int which[MESH_MAX_DIMS], n = long_factors(layout, which);
	int reflected = nth_order(which, n, variant);

	for (int point = 0; point < layout->length; point++) {
		int digit[MESH_MAX_DIMS], place = 0;

		for (int i = 0, left = point; i < layout->ndims; i++) {
			digit[i] = left % layout->factor[i];
			left /= layout->factor[i];
		}
		for (int level = n - 1; level >= 0; level--) {
			int f = layout->factor[which[level]], at = digit[which[level]];
			bool back = (reflected >> level & 1) && (place & 1);

			place = place * f + (back ? f - 1 - at : at);
		}
		layout->place[point] = place;
	}
	for (int i = 0; i < layout->ndims; i++)
		for (int v = 0; v < layout->factor[i]; v++)
			layout->step[i][v] =
				embed_layout_jump(layout, i, v, (v + 1) % layout->factor[i]);
}

double embed_layout_jump(const struct embed_layout *layout, int i, int v, int w)
{
	int f = layout->factor[i], stride = 1, total = 0;

	for (int k = 0; k < i; k++)
		stride *= layout->factor[k];
	for (int high = 0; high < layout->length; high += stride * f)
		for (int low = 0; low < stride; low++) {
			const int *at = layout->place + high + low;

			total += layout->hops * axis_hops(layout->length, layout->ring,
				at[v * stride], at[w * stride]);
		}
	return (double)total * f / layout->length;
}
