/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What select/mesh writes into a job's AdminComment, `mesh: strategy=mm mean_hops=2.070`, beside
 * what others wrote there. The field is the administrator's: nothing but a remark that is ours to
 * the letter is ever taken for one.
 */
#ifndef MESH_REMARK_H
#define MESH_REMARK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The last of our remarks in text: text[*at .. *at + *length). It is all of the text, or
 * separated from the rest by "; " on either side. False if there is none.
 */
bool mesh_remark_find(const char *text, size_t *at, size_t *length);

/*
 * Does a comment (NULL is an empty one) say `mesh: none`, alone or between other words: that the
 * job's wish is to be forgotten?
 */
bool mesh_remark_none(const char *text);

#endif
