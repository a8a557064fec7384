/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld has the strategies of the core and no more.
 */
#include <stddef.h>

#include "strategies/strategies.h"

const struct strategy_ops *const strategies_more[] = {NULL};
