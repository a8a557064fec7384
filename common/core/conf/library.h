/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opens libraries of strategies, and knows where that of papers/ is. Programs without strategies
 * load it for its extras.
 */
#ifndef MESH_CONF_LIBRARY_H
#define MESH_CONF_LIBRARY_H

#include "ask/strategy_library.h"

/*
 * The object at this path, with *library in it; NULL with text: it cannot be loaded, is no library
 * of strategies, or one of another build. A path without a slash is in the current folder.
 */
void *library_open(
	const char *path, const struct strategy_library **library, struct mesh_err *err);

/*
 * Tell where the library of papers/ is. The file is kept open: if a new package replaces it, the
 * old one is loaded. A path longer than PATH_MAX is cut, and fails to load.
 */
void library_papers_at(const char *path);
/* Where it is; NULL: nobody has told. */
const char *library_papers(void);
/* What it has beside strategies, for extras(). It stays loaded. NULL with text; tried once. */
const struct extras *library_extras(struct mesh_err *err);

#endif
