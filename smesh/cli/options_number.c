/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parses numbers, for options and for files.
 */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int options_int(const char *text, long low, long high, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	return errno || end == text || *end || *value < low || *value > high ? -1 : 0;
}

int options_double(const char *text, double low, double high, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	return errno || end == text || *end || !(*value >= low && *value <= high) ? -1 : 0;
}

int options_share(const char *text, double most, bool *share, double *value)
{
	char number[64];
	size_t length = strlen(text);

	*share = length && text[length - 1] == '%';
	snprintf(number, sizeof(number), "%.*s", (int)length - *share, text);
	return length < sizeof(number) ? options_double(number, 0, *share ? 100 : most, value) : -1;
}
