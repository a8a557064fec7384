/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Remarks in a job's comments. select/mesh writes `mesh: strategy=mm mean_hops=2.070 best=2.000`
 * into AdminComment, beside what others wrote there. The field is the administrator's, so only a
 * text that is exactly of our form counts as our remark, and is replaced.
 */
#ifndef MESH_REMARK_H
#define MESH_REMARK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Find the last of our remarks in text: text[*at .. *at + *length). It is all of the text, or has
 * "; " between it and the rest. False: there is none.
 */
bool mesh_remark_find(const char *text, size_t *at, size_t *length);

/*
 * Does a comment (may be NULL) say `mesh: none`, alone or between other words? That means: ignore
 * the job's --mesh- options.
 */
bool mesh_remark_none(const char *text);

#endif
