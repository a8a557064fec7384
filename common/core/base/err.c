/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <stdio.h>

__attribute__((format(printf, 2, 0))) static void print(
	struct mesh_err *err, const char *format, va_list args)
{
	if (!err)
		return;
	vsnprintf(err->text, sizeof(err->text), format, args);
	/* Messages quote what users wrote, and go to logs and terminals. */
	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

int err_printf(struct mesh_err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(err, format, args);
	va_end(args);
	return -1;
}

int err_at(struct mesh_err *err, const char *path, int line, const char *format, ...)
{
	struct mesh_err what;
	va_list args;

	va_start(args, format);
	print(&what, format, args);
	va_end(args);
	return err_printf(err, "%s:%d: %s", path, line, what.text);
}
