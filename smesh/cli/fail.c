/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/human.h"

int smesh_fail(int code, const char *format, ...)
{
	char text[8192];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "smesh: %s\n", human_clean(text, "\n\t"));
	return code;
}
