/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/fail.h"

#include <stdarg.h>
#include <stdio.h>

int smesh_fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("smesh: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return code;
}
