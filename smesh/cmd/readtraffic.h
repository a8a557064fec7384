/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMESH_READTRAFFIC_H
#define SMESH_READTRAFFIC_H

#include "learn/trafficfile.h"

/*
 * Read the traffic of `ranks` ranks from files, as trafficfile_read_all() does; NULL ends path[].
 * Says if it may be of another number of ranks, or if it is none. SMESH_OK, or SMESH_USAGE after a
 * message.
 */
int readtraffic(
	struct traffic *traffic, char *const *path, int ranks, struct traffic_run *run);

#endif
