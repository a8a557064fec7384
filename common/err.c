/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "err.h"

#include <stdio.h>

int err_printf(struct mesh_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}
