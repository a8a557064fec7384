/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread to spare: it does what a decision on a large machine gives away (base/aside.h).
 */
#ifndef SIM_SPARE_H
#define SIM_SPARE_H

#include <stdint.h>

#include "base/aside.h"

struct spare;

/* NULL when there is no memory, or no thread to be had. */
struct spare *spare_new(void);
/* NULL is fine. */
void spare_free(struct spare *spare);

/* For strategies; NULL of NULL. */
struct mesh_aside *spare_aside(struct spare *spare);
/* CPU time in ns of all that has been given away and ended; 0 of NULL. */
int64_t spare_spent(const struct mesh_aside *aside);

#endif
