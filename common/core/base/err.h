/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Error text in a buffer of the caller: the core never prints and never exits.
 */
#ifndef MESH_ERR_H
#define MESH_ERR_H

#include <stdarg.h>

#define MESH_ERR_SIZE 256

/* A message, cut if it is too long; empty until something fails. */
struct mesh_err {
	char text[MESH_ERR_SIZE];
};

/*
 * Write a message of one line (control characters become ?) and return -1, so that a failing
 * function can end with `return err_printf(err, ...)`. err may be NULL.
 */
int err_printf(struct mesh_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same about a line of a file: PATH:LINE: and the message. */
int err_at(struct mesh_err *err, const char *path, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
