/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared/mesh_bits.h"

bool mesh_bits_work(void)
{
	static const int member[] = {0, 5, 63, 64, 130, 191, 199};
	bitstr_t *set = bit_alloc(200), *empty = bit_alloc(128);
	bool works = mesh_bits_next(empty, 0) < 0;
	size_t n = 0;

	bit_not(set);
	works = works && mesh_bits_next(set, 199) == 199 && mesh_bits_next(set, 200) < 0;
	bit_clear(set, 199);
	works = works && mesh_bits_next(set, 199) < 0;
	bit_clear_all(set);
	for (size_t i = 0; i < sizeof(member) / sizeof(*member); i++)
		bit_set(set, member[i]);
	mesh_bits_each(i, set)
		works = works && n < sizeof(member) / sizeof(*member) && member[n++] == i;
	FREE_NULL_BITMAP(set);
	FREE_NULL_BITMAP(empty);
	return works && n == sizeof(member) / sizeof(*member);
}
