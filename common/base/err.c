/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <stdio.h>

int err_printf(struct mesh_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	/* Messages quote what users wrote and end up in logs and terminals. */
	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return -1;
}
