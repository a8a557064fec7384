/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MESH_FUZZ_FAIL_H
#define MESH_FUZZ_FAIL_H

/* The last message of smesh_fail(), before human_clean(); the caller empties it. */
extern char fuzz_said[8192];

#endif
