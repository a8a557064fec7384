/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SHA-256 (FIPS 180-4), by which a file is known again.
 */
#ifndef SIM_SHA256_H
#define SIM_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 65 };

/* Of a file's bytes in hexadecimal, as sha256sum has it. 0, or -1 (errno). */
int sha256_file(const char *path, char text[SHA256_TEXT]);

#endif
